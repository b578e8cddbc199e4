//! The engines on probabilistic systems by name, and the policy of `--engine auto`.

use std::sync::Arc;

use suppose_control::{Claims, Context, catch};
use suppose_mdp::pctl;
use suppose_mdp::portfolio::{ENGINES, Engine};
use suppose_mdp::{Answer, Folding, LearnOptions, Options};
use suppose_model::lts::Network;
use suppose_model::mdp::{
    self, Amount, Claim, Lpts, Proof, Property, Query, Refutation, StateFormula, ValueBounds,
};
use suppose_model::{Reason, Run, Verdict};

use super::{MarkovModel, Probabilistic, deadlock};
use crate::failure::Failure;
use crate::kinds::network::engines::Split;
use crate::options::table::listed;
use crate::options::{EngineName, EngineOptions, PartitionName};
use crate::session::Session;

/// How much the turns of `--engine auto` may take, in states of one product and in work: small numbers first, so that what
/// is easy for one engine does not wait for another.
const TURNS: &[(Engine, u64, u64)] = &[
    (Engine::Monolithic, 5_000, u64::MAX),
    (Engine::Agar, 40_000, 11_000),
    (Engine::Monolithic, 30_000, u64::MAX),
    (Engine::Agar, 2_000_000, 3_000_000),
    (Engine::AgarN, 2_000_000, 5_000_000),
    (Engine::Monolithic, 5_000_000, u64::MAX),
    (Engine::Agar, u64::MAX, u64::MAX),
];

/// What decides.
pub struct MarkovEngines<'a> {
    subject: &'a MarkovModel,
    engine: Engine,
    partition: Option<PartitionName>,
    /// The groups asked for, in the order of the rule.
    groups: Option<Vec<Vec<usize>>>,
    /// Wanted is an assumption, not only a verdict.
    pub assume: bool,
    session: &'a Session,
}

/// Refuses an engine that decides conformance only where properties are asked for.
pub fn refuse(name: EngineName, claims: &[Claim]) -> Result<(), Failure> {
    let is_property = |c: &&Claim| matches!(c, Claim::Property(_));
    match claims.iter().find(is_property) {
        Some(property) if !engine(name).info().can_decide(Claims::Probabilities) => {
            let message = format!("the engine `{name}` decides conformance only");
            let able = ENGINES
                .iter()
                .filter(|e| e.can_decide(Claims::Probabilities));
            let able: Vec<String> = able.map(|e| e.name.to_owned()).collect();
            let failure = Failure::usage(message).help(format!(
                "`{}` is a property: for it there are {}",
                property.name(),
                listed(&able, "and")
            ));
            Err(failure)
        }
        _ => Ok(()),
    }
}

/// The engine on probabilistic systems of that name; the others are refused before this.
pub fn engine(name: EngineName) -> Engine {
    Engine::named(name.name()).unwrap_or(Engine::Monolithic)
}

/// An answer and why it is this engine's.
pub struct Reply {
    /// The answer.
    pub answer: mdp::Answer,
    /// Why this engine.
    pub why: String,
}

impl<'a> MarkovEngines<'a> {
    /// As the command line says. `network` has the names of the components.
    pub fn new(
        subject: &'a MarkovModel,
        network: &Network,
        args: &EngineOptions,
        session: &'a Session,
    ) -> Result<Self, Failure> {
        let groups = groups(&args.rule.split, network)?;
        Ok(MarkovEngines {
            subject,
            engine: engine(args.engine),
            partition: args.partition,
            groups,
            assume: false,
            session,
        })
    }

    /// Decides a claim.
    pub fn decide(&self, claim: &Claim) -> Reply {
        match claim {
            Claim::Conformance => match &self.subject.specification {
                Some(specification) => self.conformance(specification),
                None => self.nothing(claim, "there is no specification"),
            },
            Claim::Property(_) => match super::evidence::asked(self.subject, claim) {
                Some(property) => self.property(claim, property),
                None => self.nothing(claim, "there is no such property"),
            },
            Claim::Deadlock => self.deadlock(),
        }
    }

    fn nothing(&self, claim: &Claim, why: &str) -> Reply {
        let reason = Reason::Unsupported(why.to_owned());
        Reply {
            answer: unknown(claim.clone(), "none", reason),
            why: String::new(),
        }
    }

    /// The whole composition, with its sizes.
    fn deadlock(&self) -> Reply {
        let started = std::time::Instant::now();
        self.session.counters.begin("deadlock");
        let cx = self.context();
        let claim = Claim::Deadlock;
        let mut answer = match catch(|| deadlock::whole(&self.subject.system, &cx)) {
            Err(message) => unknown(claim, "monolithic", Reason::Internal(message)),
            Ok(Err(reason)) => unknown(claim, "monolithic", reason),
            Ok(Ok(whole)) => {
                let sizes = deadlock::sizes(&whole);
                self.session.with::<Probabilistic, _>(|state| {
                    state.extra.get_or_insert(sizes);
                });
                let (verdict, run) = deadlock::decide(&whole);
                mdp::Answer {
                    claim,
                    engine: "monolithic".to_owned(),
                    verdict,
                    value: None,
                    run,
                }
            }
        };
        answer.run.elapsed = started.elapsed();
        let why = "deadlock is decided on the whole composition".to_owned();
        Reply { answer, why }
    }

    fn context(&self) -> Context {
        let control = self.session.watch.fresh();
        let mut cx = Context::new(control, Arc::clone(&self.session.counters) as _);
        cx.seed = self.session.watch.limits().seed;
        cx
    }

    /// The groups of the rule: those asked for, or each component by itself in an order that is found.
    fn ordered(&self) -> Vec<Vec<usize>> {
        let system = &self.subject.system;
        match (&self.groups, &self.subject.specification) {
            (Some(groups), _) => groups.clone(),
            (None, Some(specification)) => {
                let order = suppose_mdp::order(system, specification);
                order.into_iter().map(|c| vec![c]).collect()
            }
            (None, None) => (0..system.components.len()).map(|c| vec![c]).collect(),
        }
    }

    fn conformance(&self, specification: &Lpts) -> Reply {
        if self.engine != Engine::Auto {
            let answer = self.one(self.engine, specification, &self.context());
            return self.told(self.engine, answer, "asked for".to_owned());
        }
        if self.assume {
            return self.assumption(specification);
        }
        let mut tried: Vec<String> = Vec::new();
        let alone = self.subject.system.components.len() < 2;
        for (engine, states, work) in TURNS {
            if alone && *engine != Engine::Monolithic {
                continue;
            }
            let last = *work == u64::MAX && *states == u64::MAX;
            let mut cx = self.context();
            if *states < u64::MAX {
                cx = cx.with_state_limit(*states);
            }
            if *work < u64::MAX {
                cx = cx.with_work(*work);
            }
            let answer = self.one(*engine, specification, &cx);
            let over = self.session.watch.over().is_some();
            let open = matches!(&answer.verdict, Verdict::Unknown(r) if goes_on(r));
            if !open || last || over {
                let why = chosen(*engine, *states, &tried);
                return self.told(*engine, answer, why);
            }
            tried.push(format!(
                "{} up to {} states",
                engine.name(),
                suppose_report::grouped(*states)
            ));
        }
        let cx = self.context();
        let answer = self.one(Engine::Monolithic, specification, &cx);
        let why = chosen(Engine::Monolithic, u64::MAX, &tried);
        self.told(Engine::Monolithic, answer, why)
    }

    /// One assumption about all groups after the first, and if that is too hard, several.
    fn assumption(&self, specification: &Lpts) -> Reply {
        let mut groups = self.ordered();
        if self.groups.is_none() && groups.len() > 2 {
            let rest = groups.split_off(1).into_iter().flatten().collect();
            groups.push(rest);
        }
        let system = &self.subject.system;
        self.session.counters.begin("conformance by agar-n");
        let cx = self
            .context()
            .with_state_limit(1_000_000)
            .with_work(5_000_000);
        let options = Options::default();
        let run = || suppose_mdp::agar_n(system, specification, &groups, options, &cx);
        if let Ok(answer) = catch(run) {
            let open = matches!(&answer.verdict, Verdict::Unknown(r) if goes_on(r));
            if !open || self.session.watch.over().is_some() {
                let why = "one assumption about all groups after the first".to_owned();
                return self.told(Engine::AgarN, answer, why);
            }
        }
        let answer = self.one(Engine::Agar, specification, &self.context());
        let why = "one assumption was too much work".to_owned();
        self.told(Engine::Agar, answer, why)
    }

    /// Runs one engine. A panic is a bug, and an answer: unknown.
    fn one(&self, engine: Engine, specification: &Lpts, cx: &Context) -> Answer {
        let system = &self.subject.system;
        self.session
            .counters
            .begin(&format!("conformance by {}", engine.name()));
        let options = Options::default();
        let run = || match engine {
            Engine::Cegar => suppose_mdp::cegar(system, specification, options, cx),
            Engine::Agar => {
                let first = self.ordered().into_iter().next().unwrap_or_default();
                suppose_mdp::agar(system, specification, &first, options, cx)
            }
            Engine::AgarN => {
                suppose_mdp::agar_n(system, specification, &self.ordered(), options, cx)
            }
            Engine::Learn => self.learn(specification, cx),
            Engine::Smt => suppose_mdp::smt(system, specification, cx),
            _ => suppose_mdp::monolithic(system, specification, cx),
        };
        catch(run).unwrap_or_else(|message| Answer {
            verdict: Verdict::Unknown(Reason::Internal(message)),
            run: Run::default(),
        })
    }

    fn told(&self, engine: Engine, answer: Answer, why: String) -> Reply {
        let verdict = match answer.verdict {
            Verdict::Holds(proof) => Verdict::Holds(Proof::Conformance(proof)),
            Verdict::Violated(tree) => Verdict::Violated(Refutation::Conformance {
                tree,
                refusals: Vec::new(),
            }),
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
        };
        let answer = mdp::Answer {
            claim: Claim::Conformance,
            engine: engine.name().to_owned(),
            verdict,
            value: None,
            run: answer.run,
        };
        Reply { answer, why }
    }

    fn property(&self, claim: &Claim, asked: &Property) -> Reply {
        self.session.counters.begin(claim.name());
        let system = &self.subject.system;
        let cx = self.context();
        let options = pctl::Options::default();
        let (engine, how, mut why) = self.property_engine();
        if matches!(engine, "agar" | "agar-n") && !matches!(asked.query, Query::Holds(_)) {
            why = "values are computed on the whole composition";
        }
        let reply = |engine: &str, verdict, value, run| Reply {
            answer: mdp::Answer {
                claim: claim.clone(),
                engine: engine.to_owned(),
                verdict,
                value,
                run,
            },
            why: why.to_owned(),
        };
        let Query::Holds(formula) = &asked.query else {
            let found = catch(|| pctl::value(system, &asked.query, options, &cx));
            return match found {
                Err(message) => {
                    let verdict = Verdict::Unknown(Reason::Internal(message));
                    reply("monolithic", verdict, None, Run::default())
                }
                Ok(found) => match found.value {
                    Err(reason) => reply("monolithic", Verdict::Unknown(reason), None, found.run),
                    Ok(value) => {
                        let between =
                            self.valued(&asked.query, value.lower.clone(), value.upper.clone());
                        reply(
                            "monolithic",
                            Verdict::Holds(Proof::Value(value)),
                            between,
                            found.run,
                        )
                    }
                },
            };
        };
        match catch(|| pctl::check(system, formula, &how, options, &cx)) {
            Err(message) => {
                let verdict = Verdict::Unknown(Reason::Internal(message));
                reply(engine, verdict, None, Run::default())
            }
            Ok(found) => {
                let verdict = match found.verdict {
                    Verdict::Holds(proof) => Verdict::Holds(Proof::Property(proof)),
                    Verdict::Violated(found) => Verdict::Violated(Refutation::Property(found)),
                    Verdict::Unknown(reason) => Verdict::Unknown(reason),
                };
                let value = found.value;
                let value = value.and_then(|v| self.valued(&asked.query, v.lower, v.upper));
                let engine = match engine {
                    "auto" if found.run.groups.len() > 1 => "agar",
                    "auto" => "monolithic",
                    other => other,
                };
                reply(engine, verdict, value, found.run)
            }
        }
    }

    fn valued(&self, query: &Query, lower: Amount, upper: Amount) -> Option<ValueBounds> {
        let (asked, over) = query.parted();
        let is_reward = match asked {
            Query::Reward { .. } => true,
            Query::Holds(formula) => matches!(formula, StateFormula::Reward { .. }),
            _ => false,
        };
        let initials = match (&self.subject.system.components[..], over) {
            ([only], None) => only.lpts.initials().len(),
            _ => 1,
        };
        Some(ValueBounds {
            lower,
            upper,
            is_reward,
            initials,
        })
    }

    fn property_engine(&self) -> (&'static str, pctl::Engine, &'static str) {
        let first = || self.ordered().into_iter().next().unwrap_or_default();
        match self.engine {
            Engine::Agar => ("agar", pctl::Engine::Agar { first: first() }, "asked for"),
            Engine::AgarN => {
                let groups = self.ordered();
                ("agar-n", pctl::Engine::AgarN { groups }, "asked for")
            }
            Engine::Monolithic => ("monolithic", pctl::Engine::Monolithic, "asked for"),
            _ => ("auto", pctl::Engine::Auto, ""),
        }
    }

    fn learn(&self, specification: &Lpts, cx: &Context) -> Answer {
        let first = self.ordered().into_iter().next().unwrap_or_default();
        let mut options = LearnOptions::default();
        if self.partition == Some(PartitionName::Stochastic) {
            options.folding = Folding::Stochastic;
        }
        suppose_mdp::learn(&self.subject.system, specification, &first, options, cx)
    }
}

/// An engine's turn is over, and not everything.
fn goes_on(reason: &Reason) -> bool {
    matches!(
        reason,
        Reason::Timeout | Reason::Memory | Reason::Iterations | Reason::Unsupported(_)
    )
}

/// `--split` as groups; none if it is left to the engines.
fn groups(text: &str, network: &Network) -> Result<Option<Vec<Vec<usize>>>, Failure> {
    match text {
        "auto" | "chain" => Ok(None),
        "interface" | "balanced" => {
            let message = format!("--split {text} is not for probabilistic systems");
            Err(Failure::usage(message).help("name the components, as in `server/*`"))
        }
        _ => match Split::parse(text, Default::default(), network)? {
            Split::Groups(groups) => Ok(Some(groups)),
            Split::By(_) | Split::Fitting => Ok(None),
        },
    }
}

fn chosen(engine: Engine, states: u64, tried: &[String]) -> String {
    let own = match states {
        u64::MAX => "without a bound".to_owned(),
        n => format!("with at most {} states at once", suppose_report::grouped(n)),
    };
    match tried.is_empty() {
        true => format!("chosen first, {own}"),
        false => format!("{} {own}, after {}", engine.name(), tried.join(", ")),
    }
}

/// No verdict, and nothing known of the run.
pub fn unknown(claim: Claim, engine: &str, reason: Reason) -> mdp::Answer {
    mdp::Answer {
        claim,
        engine: engine.to_owned(),
        verdict: Verdict::Unknown(reason),
        value: None,
        run: Run::default(),
    }
}

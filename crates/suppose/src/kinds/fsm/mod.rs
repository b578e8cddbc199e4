//! Finite-domain systems: SMV models.
//!
//! The way of an answer: the text becomes a system with properties; what could fail in it is looked at first; each property is
//! decided on the part of the system that it depends on; what comes out is put before the checker, which knows no engine.

mod certify;
mod engines;
mod evidence;
mod read;
mod shorten;

use std::sync::Arc;
use std::time::{Duration, Instant};

use suppose_control::Supervisor;
use suppose_model::fsm::{Answer, Claim, Effort, System, Trace, Verdict};
use suppose_model::lts::Network;
use suppose_model::{EvidenceStatus, Finding, Reason};
use suppose_report::{self as report, Document, Frame};
use suppose_symbolic::portfolio::{Portfolio, Reply, Told};
use suppose_symbolic::prepare::Deadlock;

use self::engines::settings;
use self::evidence::Manner;
use self::read::{SmvModel, read, sound};
use crate::certify::{EvidenceTask, Judged};
use crate::claims::{all_known, is_wanted, warning_lines};
use crate::failure::Failure;
use crate::finding::OpenClaim;
use crate::kind::{Asked, Kind, Sink, State, Task, Walker, Written};
use crate::options::{CheckOptions, ClaimOptions, ConvertOptions, ModelOptions, TraceName};
use crate::session::Session;
use crate::simulate::{Transcript, replay};
use crate::source::Source;
use crate::steps::{Failed, FsmSteps};

/// How long deadlocks are looked for that nobody asked for, if there is so much time.
const LOOK: Duration = Duration::from_secs(5);

/// The kind.
pub(crate) struct FiniteDomain;

/// What reports show besides answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Besides {
    /// A run to a deadlock, and the part of the system that it is about.
    stuck: Option<Arc<(Trace, System)>>,
    /// Told in the layout of NuSMV.
    as_nusmv: bool,
}

impl Kind for FiniteDomain {
    type Model = SmvModel;
    type Claim = Claim;
    type Answer = Answer;
    type Extra = Besides;

    fn read(source: &Source, options: &CheckOptions, _: &Session) -> Result<Asked<Self>, Failure> {
        let model = read(source, &options.model)?;
        Ok(Asked {
            claims: claims(&model.system, &options.claims)?,
            warnings: warning_lines(&model.warnings, &model.sources),
            remarks: (model.warnings.clone(), model.sources.clone()),
            model: Arc::new(model),
            undecided: Vec::new(),
            may_add: false,
            extra: Besides {
                stuck: None,
                as_nusmv: options.smv.trace == Some(TraceName::Nusmv),
            },
        })
    }

    fn decide(task: &Task<Self>, tell: &mut Sink<Self>) -> Result<(), Failure> {
        let session = task.session;
        session
            .counters
            .begin("checking that all expressions are defined");
        match sound(&task.model, &session.context()) {
            Ok(sound) => sound?,
            Err(reason) => {
                session.give_up(&reason);
                return Ok(());
            }
        }
        let settings = settings(&task.options.engine);
        let mut engines = Portfolio::new(&task.model.system, settings, session);
        if !task.options.claims.no_deadlock {
            let asked_for = task.claims.contains(&Claim::Deadlock);
            look_around(&mut engines, asked_for, session);
        }
        let manner = Manner {
            skip: task.options.no_certify,
            recheck: task.options.recheck,
        };
        engines.decide(&task.claims, &mut |told| match told {
            Told::Decided(reply) => {
                let Reply { mut answer, why } = *reply;
                let evidence = evidence::judge(&mut answer, manner, session);
                tell(Finding::new(answer, evidence, why));
            }
            // The first of those that wait becomes the last.
            Told::PutOff(_) => {
                session.with::<FiniteDomain, _>(|state| state.waiting.rotate_left(1));
            }
        });
        Ok(())
    }

    fn evidence<'a>(task: &'a Task<Self>, finding: &'a Finding<Answer>) -> Option<Written<'a>> {
        let is_accepted = finding.evidence == EvidenceStatus::Accepted;
        Some(match certify::evidence(&finding.answer, is_accepted) {
            Some(evidence) => Written::Evidence(Box::new(move |out| {
                certify::write(out, &task.model.origin, &evidence)
            })),
            None => Written::Nothing("there is no certificate to write".to_owned()),
        })
    }

    fn export(task: &Task<Self>, finding: &Finding<Answer>) -> Result<Vec<String>, Failure> {
        let word = (task.claims.len() > 1).then(|| match finding.answer.claim {
            Claim::Deadlock => "deadlock".to_owned(),
            Claim::Property(number) => format!("property-{number}"),
        });
        let wanted = &task.options.smv;
        let missing = certify::export(wanted, &finding.answer, word.as_ref(), task.session)?;
        Ok(missing.into_iter().collect())
    }

    fn name(model: &SmvModel, claim: &Claim) -> String {
        claim.name(&model.system)
    }

    fn left_open(model: &SmvModel, open: OpenClaim<Claim>) -> Answer {
        Answer {
            claim: open.claim,
            engine: open.engine.to_owned(),
            verdict: Verdict::Unknown(open.reason),
            about: Arc::clone(&model.system),
            effort: Effort::default(),
            run: open.run,
        }
    }

    fn describe<'a>(state: &'a State<Self>, frame: Frame, _: Option<&'a Network>) -> Document<'a> {
        let stuck = state.extra.stuck.as_deref();
        let subject = report::fsm::Subject {
            system: &state.model.system,
            sources: &state.model.sources,
            stuck: stuck.map(|(trace, part)| (trace, part)),
            as_nusmv: state.extra.as_nusmv,
        };
        report::fsm::describe(frame, subject, state.findings())
    }

    fn walk(
        source: &Source,
        model: &ModelOptions,
        session: &Session,
        walker: &mut Walker,
    ) -> Result<Transcript, Failure> {
        let model = read::read_sound(source, model, session)?;
        session.warn(warning_lines(&model.warnings, &model.sources));
        walker(&mut FsmSteps::under(&model.system, &session.context()))
    }

    fn replay(model: &SmvModel, answer: &Answer) -> Option<Result<Transcript, Failed>> {
        let Verdict::Violated(found) = &answer.verdict else {
            return None;
        };
        let system = &model.system;
        let why = match answer.claim.property(system) {
            Some(property) => format!("{} is false", system.show_question(&property.question)),
            None => "there is no next state".to_owned(),
        };
        let mut steps = FsmSteps::new(&answer.about);
        let path = steps.follow(&found.trace, &answer.claim.name(system), &why);
        Some(path.and_then(|path| replay(&mut steps, &path)))
    }

    fn certify(task: &EvidenceTask) -> Result<Vec<Judged>, Failure> {
        certify::certify(task)
    }

    /// As a model without modules, arrays and processes.
    fn convert(
        source: &Source,
        options: &ConvertOptions,
        session: &Session,
    ) -> Result<(), Failure> {
        let end = options.output.extension().and_then(|e| e.to_str());
        if !end.is_some_and(|e| e.eq_ignore_ascii_case("smv")) {
            let shown = options.output.display();
            let message = format!("an SMV model cannot be written as `{shown}`");
            return Err(Failure::usage(message).help("name it .smv"));
        }
        let model = read(source, &options.model)?;
        session.counters.begin("converting");
        let text = model.system.to_smv();
        session.files.write(&options.output, text.as_bytes())
    }
}

/// What is asked: the properties by name or number, or all of them; deadlock, if it is asked for or nothing else is.
fn claims(system: &System, asked: &ClaimOptions) -> Result<Vec<Claim>, Failure> {
    let all = (0..system.properties.len()).map(Claim::Property);
    let named = |claim: &Claim, name: &str| match claim {
        Claim::Deadlock => false,
        Claim::Property(number) => {
            let property = system.properties.get(*number);
            let own = property.and_then(|p| p.name.as_deref());
            own == Some(name) || claim.name(system) == name || number.to_string() == name
        }
    };
    let names: Vec<String> = all.clone().map(|claim| claim.name(system)).collect();
    let is_known = |name: &str| all.clone().any(|claim| named(&claim, name));
    all_known(asked, is_known, names.iter().map(String::as_str))?;
    let wanted = |claim: &Claim| is_wanted(asked, |name| named(claim, name));
    let mut claims: Vec<Claim> = all.filter(wanted).collect();
    if asked.deadlock || (claims.is_empty() && !asked.no_deadlock) {
        claims.push(Claim::Deadlock);
    }
    match claims.is_empty() {
        true => {
            let failure = Failure::usage("there is nothing to check");
            Err(failure.help("the model has no property; --deadlock checks for deadlock"))
        }
        false => Ok(claims),
    }
}

/// Says what makes the verdicts worth less: no runs at all, or runs that end. A verdict of its own it is only if asked for.
fn look_around(engines: &mut Portfolio<'_>, told: bool, session: &Session) {
    session.counters.begin("looking for deadlocks");
    let quarter = session.watch.limits().timeout.map(|all| all / 4);
    let long = quarter.map_or(LOOK, |quarter| quarter.min(LOOK));
    let warning = match engines.look_for_deadlock(Instant::now() + long) {
        Ok(Deadlock::Free) => return,
        Ok(Deadlock::NoInitialState) => {
            "there is no initial state: every property holds vacuously".to_owned()
        }
        Ok(Deadlock::Reachable(..)) | Err(_) if told => return,
        Ok(Deadlock::Reachable(trace, part)) => match evidence::is_stuck(&part, &trace, session) {
            Ok(()) => {
                let stuck = Some(Arc::new((trace, *part)));
                session.with::<FiniteDomain, _>(|state| state.extra.stuck = stuck);
                "the system has a reachable deadlock, which CTL and LTL do not see: they are about infinite runs; --deadlock makes it a claim".to_owned()
            }
            Err(why) => format!("a bug: the run into a deadlock was rejected: {why}"),
        },
        Err(reason) => {
            let why = match reason {
                Reason::Internal(why) => format!("a bug: {why}"),
                _ => "it takes long; --deadlock checks it".to_owned(),
            };
            format!("it is not known whether the system has a deadlock: {why}")
        }
    };
    session.warn([warning]);
}

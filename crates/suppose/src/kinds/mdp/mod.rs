//! Probabilistic systems: PRISM models, and systems that are written state by state.
//!
//! The text becomes components, a specification and properties; an engine finds simulations, a tree or bounds
//! on probabilities; the evidence is put before the checker, which knows no engine.

mod certify;
mod convert;
mod engines;
mod evidence;
mod form;
mod read;
mod states;

use std::path::Path;
use std::sync::Arc;

use suppose_certify::file::Model;
use suppose_control::Supervisor;
use suppose_mdp::portfolio::{self, Engine, Portfolio, Reply, Settings};
use suppose_model::Finding;
use suppose_model::lts::Network;
use suppose_model::mdp::{
    Answer, Claim, Lpts, Proof, Property, Refutation, Sizes, System, Verdict,
};
use suppose_report::mdp::network as shape;
use suppose_report::{self as report, Document, Frame};

use self::read::{MarkovSystem, Parting, read};
use crate::certify::{EvidenceTask, Judged};
use crate::claims::{undecided, warning_lines};
use crate::failure::Failure;
use crate::files::with_words;
use crate::finding::OpenClaim;
use crate::kind::{Asked, Kind, Sink, State, Task, Walker, Written};
use crate::options::{
    AssumeOptions, CheckOptions, ClaimOptions, ConvertOptions, DrawOptions, EngineOptions,
    ModelOptions,
};
use crate::session::Session;
use crate::simulate::{Transcript, replay};
use crate::source::Source;
use crate::steps::{Failed, ProbabilisticSteps};

/// The kind.
pub(crate) struct Probabilistic;

/// A system with what is asked of it.
#[derive(Debug)]
pub(crate) struct MarkovModel {
    /// The system.
    pub system: System,
    /// What it should conform to.
    pub specification: Option<Lpts>,
    /// Its properties.
    pub properties: Vec<Property>,
    /// Names and hashes of the files.
    pub models: Vec<Model>,
}

impl Kind for Probabilistic {
    type Model = MarkovModel;
    type Claim = Claim;
    type Answer = Answer;
    /// How large the composition is, once it is known.
    type Extra = Option<Sizes>;

    fn read(
        source: &Source,
        options: &CheckOptions,
        session: &Session,
    ) -> Result<Asked<Self>, Failure> {
        let wanted = &options.claims.properties;
        let parting = parting(options);
        let system = read(source, &options.model, wanted, true, parting, session)?;
        let asked = ask(system, &options.claims)?;
        engines::refuse(options.engine.engine, &asked.claims)?;
        Ok(asked)
    }

    fn decide(task: &Task<Self>, tell: &mut Sink<Self>) -> Result<(), Failure> {
        let (model, session) = (&task.model, task.session);
        let network = shape(&model.system, &|| session.over().is_some());
        let settings = engines::settings(&task.options.engine, &network)?;
        session.show_network(Arc::new(network));
        for claim in &task.claims {
            tell(decide(
                model,
                &settings,
                claim,
                task.options.no_certify,
                session,
            ));
        }
        Ok(())
    }

    fn evidence<'a>(task: &'a Task<Self>, finding: &'a Finding<Answer>) -> Option<Written<'a>> {
        let (model, answer) = (&task.model, &finding.answer);
        Some(match answer.verdict {
            Verdict::Holds(Proof::NoDeadlock) | Verdict::Violated(Refutation::Deadlock(_)) => {
                Written::Nothing("there is no certificate format for deadlock".to_owned())
            }
            _ => Written::Evidence(Box::new(move |out| certify::write(out, model, answer))),
        })
    }

    fn name(_: &MarkovModel, claim: &Claim) -> String {
        claim.name().to_owned()
    }

    fn left_open(_: &MarkovModel, open: OpenClaim<Claim>) -> Answer {
        let mut answer = portfolio::unknown(open.claim, open.engine, open.reason);
        answer.run = open.run;
        answer
    }

    fn describe<'a>(
        state: &'a State<Self>,
        frame: Frame,
        network: Option<&'a Network>,
    ) -> Document<'a> {
        let subject = report::mdp::Subject {
            system: &state.model.system,
            network,
            specification: state.model.specification.as_ref(),
            sizes: state.extra,
        };
        report::mdp::describe(frame, subject, state.findings())
    }

    fn walk(
        source: &Source,
        model: &ModelOptions,
        session: &Session,
        walker: &mut Walker,
    ) -> Result<Transcript, Failure> {
        let system = read(source, model, &[], false, Parting::Usual, session)?;
        session.warn(warning_lines(&system.warnings, &system.sources));
        session.warn(system.notes);
        walker(&mut ProbabilisticSteps::new(&system.system))
    }

    fn replay(model: &MarkovModel, answer: &Answer) -> Option<Result<Transcript, Failed>> {
        let Verdict::Violated(found) = &answer.verdict else {
            return None;
        };
        let tree = found.tree()?;
        let mut steps = ProbabilisticSteps::new(&model.system);
        let path = match found {
            Refutation::Deadlock(_) => steps.follow_deadlock(tree),
            _ => steps.follow_tree(tree, answer.claim.name()),
        };
        Some(path.and_then(|path| replay(&mut steps, &path)))
    }

    /// The assumption that an engine proves conformance or a property with.
    fn assume(source: &Source, options: &AssumeOptions, session: &Session) -> Result<(), Failure> {
        if let Some(path) = &options.output {
            convert::writable(path)?;
        }
        session.counters.begin("reading");
        let wanted = &options.properties;
        let system = read(
            source,
            &options.model,
            wanted,
            true,
            Parting::Usual,
            session,
        )?;
        if system.specification.is_none() && system.properties.is_empty() {
            let failure = Failure::usage("there is nothing to find an assumption for");
            return Err(failure.help("give a specification with --spec, or a --property"));
        }
        let claims = ClaimOptions {
            properties: options.properties.clone(),
            deadlock: false,
            no_deadlock: true,
        };
        let asked = ask(system, &claims)?;
        engines::refuse(options.engine, &asked.claims)?;
        let (model, claims) = session.note(asked);
        session.show_whole_runs();
        let network = shape(&model.system, &|| session.over().is_some());
        let engine = EngineOptions::for_assumptions(options);
        let mut settings = engines::settings(&engine, &network)?;
        settings.assume = true;
        session.show_network(Arc::new(network));
        let several = claims.len() > 1;
        let mut number = 0;
        for claim in claims {
            let finding = decide(&model, &settings, &claim, false, session);
            let assumptions = match &finding.answer.verdict {
                Verdict::Holds(proof) => proof.assumptions().0,
                _ => &[],
            };
            if let Some(path) = &options.output {
                let named = several.then(|| word(&claim, &mut number));
                if assumptions.is_empty() || !finding.is_sound() {
                    session.no_assumption(path, claim.name());
                } else {
                    let written = write_assumptions(path, named, &model, assumptions, session);
                    session.written(written);
                }
            }
            session.settle::<Probabilistic>(finding);
        }
        Ok(())
    }

    fn certify(task: &EvidenceTask) -> Result<Vec<Judged>, Failure> {
        certify::certify(task)
    }

    fn convert(
        source: &Source,
        options: &ConvertOptions,
        session: &Session,
    ) -> Result<(), Failure> {
        convert::convert(source, options, session)
    }

    fn draw(source: &Source, options: &DrawOptions, session: &Session) -> Result<String, Failure> {
        convert::draw(source, options, session)
    }
}

/// The decomposition: all modules are one component unless an option asks for more.
fn parting(options: &CheckOptions) -> Parting {
    let engine = engines::engine(options.engine.engine);
    let whole = matches!(engine, Engine::Auto | Engine::Monolithic);
    let given = &options.model.markov;
    let apart = given.spec.is_some()
        || !given.groups.is_empty()
        || given.reads.is_some()
        || given.acts.is_some()
        || options.engine.rule.split != "auto";
    match whole && !apart {
        true => Parting::OneIfWhole,
        false => Parting::Usual,
    }
}

fn write_assumptions(
    path: &Path,
    claim: Option<String>,
    model: &MarkovModel,
    assumptions: &[Lpts],
    session: &Session,
) -> Result<(), Failure> {
    for (number, assumption) in assumptions.iter().enumerate() {
        let mut words: Vec<String> = claim.iter().cloned().collect();
        if assumptions.len() > 1 {
            words.push(number.to_string());
        }
        let path = with_words(path, &words);
        convert::write_one(&path, assumption, &model.system, session)?;
    }
    Ok(())
}

/// The claims; deadlock, if there is no other.
fn claims(system: &MarkovSystem, asked: &ClaimOptions) -> Result<Vec<Claim>, Failure> {
    let mut claims = Vec::new();
    if system.specification.is_some() {
        claims.push(Claim::Conformance);
    }
    let names = system.properties.iter().map(|p| p.name.clone());
    claims.extend(names.map(Claim::Property));
    let nothing = claims.is_empty() && system.undecided.is_empty();
    if asked.deadlock || (nothing && !asked.no_deadlock) {
        claims.push(Claim::Deadlock);
    }
    match claims.is_empty() && system.undecided.is_empty() {
        true => {
            let failure = Failure::usage("there is nothing to check");
            Err(failure.help("give a specification with --spec, or a --property"))
        }
        false => Ok(claims),
    }
}

/// The model and its claims.
fn ask(system: MarkovSystem, asked: &ClaimOptions) -> Result<Asked<Probabilistic>, Failure> {
    let claims = claims(&system, asked)?;
    let (undecided, more) = undecided(&system.undecided);
    let mut warnings = warning_lines(&system.warnings, &system.sources);
    warnings.extend(system.notes);
    warnings.extend(more);
    Ok(Asked {
        claims,
        undecided,
        may_add: false,
        warnings,
        remarks: (system.warnings, system.sources),
        extra: system.sizes,
        model: Arc::new(MarkovModel {
            system: system.system,
            specification: system.specification,
            properties: system.properties,
            models: system.models,
        }),
    })
}

/// Decides a claim and has the evidence checked.
fn decide(
    model: &MarkovModel,
    settings: &Settings,
    claim: &Claim,
    no_certify: bool,
    session: &Session,
) -> Finding<Answer> {
    let portfolio = Portfolio {
        system: &model.system,
        specification: model.specification.as_ref(),
        properties: &model.properties,
        settings,
        supervisor: session,
    };
    let Reply {
        mut answer,
        why,
        sizes,
    } = portfolio.decide(claim);
    if let Some(sizes) = sizes {
        session.with::<Probabilistic, _>(|state| {
            state.extra.get_or_insert(sizes);
        });
    }
    let evidence = evidence::judge(model, &mut answer, no_certify, session);
    Finding::new(answer, evidence, why)
}

/// A claim in the name of a file.
fn word(claim: &Claim, number: &mut usize) -> String {
    match claim {
        Claim::Conformance => "conformance".to_owned(),
        Claim::Deadlock => "deadlock".to_owned(),
        Claim::Property(_) => {
            *number += 1;
            format!("property-{}", *number - 1)
        }
    }
}

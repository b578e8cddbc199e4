//! Networks of labelled transition systems: FSP, Aldebaran, JSON.

mod assume;
mod certify;
mod convert;
mod draw;
pub(crate) mod engines;
pub(crate) mod evidence;
mod hoa;
mod premises;
pub(crate) mod read;
mod reduce;
mod trial;

use std::sync::Arc;

use suppose_certify::file::Model;
use suppose_model::lts::{EVERY_ACTION, Liveness, Network};
use suppose_model::{Answer, Claim, EvidenceStatus, Finding, Verdict};
use suppose_report::{self as report, Document, Frame};
use suppose_source::Sources;

use self::engines::{Portfolio, Reply, Split, claim_name, settings};
use crate::certify::{EvidenceTask, Judged};
use crate::claims::{all_known, is_wanted, undecided, warning_lines};
use crate::failure::Failure;
use crate::finding::OpenClaim;
use crate::kind::{Asked, Kind, Sink, State, Task, Walker, Written};
use crate::options::{
    AssumeOptions, CheckOptions, ClaimOptions, ConvertOptions, DrawOptions, ModelOptions,
};
use crate::session::Session;
use crate::simulate::{Transcript, replay};
use crate::source::Source;
use crate::steps::{Failed, NetworkSteps};

pub(crate) use assume::write as write_assumptions;
pub(crate) use certify::{certify, write as write_evidence};
pub(crate) use convert::{convert, writable, write_assumption};
pub(crate) use draw::{Picture, draw};
pub(crate) use trial::attempt;

/// The kind.
pub(crate) struct Networks;

/// A network, and the files it was read from as evidence names them.
pub(crate) struct NetworkModel {
    pub network: Arc<Network>,
    models: Vec<Model>,
    sources: Sources,
}

impl Kind for Networks {
    type Model = NetworkModel;
    type Claim = Claim;
    type Answer = Answer;
    type Extra = ();

    fn read(
        source: &Source,
        options: &CheckOptions,
        session: &Session,
    ) -> Result<Asked<Self>, Failure> {
        let system = read::network(source, &options.model)?;
        let asked = ask(system, &options.claims)?;
        session.show_network(Arc::clone(&asked.model.network));
        Ok(asked)
    }

    fn decide(task: &Task<Self>, tell: &mut Sink<Self>) -> Result<(), Failure> {
        let network = &task.model.network;
        let engine = &task.options.engine;
        let split = Split::parse(&engine.rule.split, Split::Fitting, network)?;
        let mut settings = settings(engine, split)?;
        settings.components = components(network, &engine.process.components)?;
        let engines = Portfolio {
            network,
            settings: &settings,
            supervisor: task.session,
        };
        engines.decide(&task.claims, &mut |replies| {
            judged(task, replies).into_iter().for_each(&mut *tell);
        });
        Ok(())
    }

    fn evidence<'a>(task: &'a Task<Self>, finding: &'a Finding) -> Option<Written<'a>> {
        let (model, verdict) = (&task.model, &finding.answer.verdict);
        Some(Written::Evidence(Box::new(move |out| {
            write_evidence(out, &model.network, &model.models, verdict)
        })))
    }

    fn name(model: &NetworkModel, claim: &Claim) -> String {
        claim_name(&model.network, *claim)
    }

    fn left_open(_: &NetworkModel, open: OpenClaim<Claim>) -> Answer {
        let mut answer = engines::unknown(open.engine, open.claim, open.reason);
        answer.run = open.run;
        answer
    }

    fn describe<'a>(state: &'a State<Self>, frame: Frame, _: Option<&'a Network>) -> Document<'a> {
        let NetworkModel {
            network, sources, ..
        } = &*state.model;
        let mut document = report::network::describe(frame, network, state.findings());
        document.locate(|name| {
            let property = network.properties.iter().find(|p| p.name() == name)?;
            report::Place::of(sources, property.span?)
        });
        document
    }

    fn walk(
        source: &Source,
        model: &ModelOptions,
        session: &Session,
        walker: &mut Walker,
    ) -> Result<Transcript, Failure> {
        let loaded = read::network(source, model)?.loaded;
        session.warn(warning_lines(&loaded.warnings, &loaded.sources));
        walker(&mut NetworkSteps::new(&loaded.network))
    }

    fn replay(model: &NetworkModel, answer: &Answer) -> Option<Result<Transcript, Failed>> {
        let Verdict::Violated(run) = &answer.verdict else {
            return None;
        };
        let mut steps = NetworkSteps::for_claim(&model.network, answer.claim);
        let path = steps.follow(run);
        Some(path.and_then(|path| replay(&mut steps, &path)))
    }

    fn assume(source: &Source, options: &AssumeOptions, session: &Session) -> Result<(), Failure> {
        assume::assume(source, options, session)
    }

    fn certify(task: &EvidenceTask) -> Result<Vec<Judged>, Failure> {
        let mut system = read::network(task.source, task.model)?;
        add_progress(&mut system.loaded.network);
        certify(&system, task)
    }

    fn convert(
        source: &Source,
        options: &ConvertOptions,
        session: &Session,
    ) -> Result<(), Failure> {
        convert(|| read::network(source, &options.model), options, session)
    }

    fn draw(source: &Source, options: &DrawOptions, session: &Session) -> Result<String, Failure> {
        draw(|| read::network(source, &options.model), options, session)
    }
}

/// What is asked of a network: properties by name or all of them, and deadlock.
fn ask(system: read::System, asked: &ClaimOptions) -> Result<Asked<Networks>, Failure> {
    let loaded = system.loaded;
    let mut network = loaded.network;
    if asked.properties.iter().any(|name| name == EVERY_ACTION) {
        add_progress(&mut network);
    }
    let names = || {
        let live = network.liveness.iter().map(|l| l.name.as_str());
        network.properties.iter().map(|p| p.name()).chain(live)
    };
    let not_decided = |name: &str| loaded.undecided.iter().any(|u| u.name == name);
    let is_known = |name: &str| names().any(|n| n == name) || not_decided(name);
    all_known(asked, is_known, names())?;
    let wanted = |name: &str| is_wanted(asked, |n| n == name);
    let properties = network.properties.iter().enumerate();
    let mut claims: Vec<Claim> = properties
        .filter(|(_, p)| wanted(p.name()))
        .map(|(number, _)| Claim::Property(number))
        .collect();
    let live = network.liveness.iter().enumerate();
    let live = live.filter(|(_, l)| wanted(&l.name));
    claims.extend(live.map(|(number, _)| Claim::Liveness(number)));
    if asked.deadlock || (!asked.no_deadlock && asked.properties.is_empty()) {
        claims.push(Claim::DeadlockFree);
    }
    let (undecided, more) = undecided(loaded.undecided.iter().filter(|u| wanted(&u.name)));
    let mut warnings = warning_lines(&loaded.warnings, &loaded.sources);
    warnings.extend(more);
    Ok(Asked {
        remarks: (loaded.warnings, loaded.sources.clone()),
        model: Arc::new(NetworkModel {
            network: Arc::new(network),
            models: system.models,
            sources: loaded.sources,
        }),
        claims,
        undecided,
        may_add: false,
        warnings,
        extra: (),
    })
}

/// Adds the claim that every action is done again and again, unless the file has something of its name.
fn add_progress(network: &mut Network) {
    let mut names = network.liveness.iter().map(|l| l.name.as_str());
    let taken = names.any(|n| n == EVERY_ACTION);
    if !taken && network.properties.iter().all(|p| p.name() != EVERY_ACTION) {
        network.liveness.push(Liveness::every_action(network));
    }
}

/// Answers with what the independent checker says of their evidence.
fn judged(task: &Task<Networks>, replies: Vec<Reply>) -> Vec<Finding> {
    let (answers, whys): (Vec<Answer>, Vec<String>) =
        replies.into_iter().map(|r| (r.answer, r.why)).unzip();
    let examined = match task.options.no_certify {
        true => {
            let why =
                || EvidenceStatus::NotChecked("the command line says --no-certify".to_owned());
            answers.into_iter().map(|a| (a, why())).collect()
        }
        false => {
            task.session.counters.begin("checking the evidence");
            evidence::examine_all(&task.model.network, answers, &task.session.watch)
        }
    };
    let findings = examined.into_iter().zip(whys);
    findings
        .map(|((answer, evidence), why)| Finding::new(answer, evidence, why))
        .collect()
}

/// The components of these names.
fn components(network: &Network, names: &[String]) -> Result<Vec<usize>, Failure> {
    let processes = network.processes();
    let named = |i: &usize| network.components[*i].lts.name();
    let find = |name: &String| {
        processes
            .iter()
            .copied()
            .find(|i| named(i) == name)
            .ok_or_else(|| {
                let all = processes.iter().map(named);
                Failure::unknown_name("component", "the components", name, all)
            })
    };
    names.iter().map(find).collect()
}

/// A claim in the name of a file.
fn claim_word(claim: Claim) -> String {
    match claim {
        Claim::DeadlockFree => "deadlock".to_owned(),
        Claim::Property(number) => format!("property-{number}"),
        Claim::Liveness(number) => format!("liveness-{number}"),
    }
}

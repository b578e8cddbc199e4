//! PROMELA programs.

mod certify;
mod disk;
mod engines;
mod evidence;
mod local;
mod parts;
pub(crate) mod read;
pub(crate) mod spin;
mod trail;

use std::sync::Arc;

use suppose_certify::file::Model;
use suppose_certify::program::file::{self, ProgramEvidence};
use suppose_explicit::portfolio;
use suppose_model::Finding;
use suppose_model::lts::Network;
use suppose_model::program::{
    Answer, LiveProof, Program, Proof, Question, Trace, Verdict, ViewProof, Visited,
};
use suppose_report::{self as report, Document, Frame};
use suppose_source::Sources;

use self::engines::ProgramEngines;
use self::read::{ProgramSystem, read};
use crate::certify::{EvidenceTask, Judged};
use crate::claims::{all_known, is_wanted, undecided, warning_lines};
use crate::failure::Failure;
use crate::files::with_words;
use crate::finding::OpenClaim;
use crate::kind::{Asked, Kind, Sink, State, Task, Walker, Written};
use crate::kinds::network;
use crate::kinds::network::engines::{Engine, on_networks};
use crate::options::{
    AssumeOptions, CheckOptions, ClaimOptions, ConvertOptions, DrawOptions, ModelOptions,
};
use crate::session::Session;
use crate::simulate::{Transcript, replay};
use crate::source::Source;
use crate::steps::{Failed, ProgramSteps};
use crate::storage::Storage;

/// The kind.
pub(crate) struct Programs;

/// A program and the files that its spans point into.
pub(crate) struct ProgramModel {
    pub program: Program,
    pub sources: Sources,
    models: Vec<Model>,
}

/// One question, decided or not.
type ProgramFinding = Finding<Answer>;

/// Why there is no certificate of a text.
const ON_TEXT: &str = "that no statement can fail is read off the text; there is nothing to write";

/// Why there is no list of states.
const NO_STATES: &str = "no list of all states was made";

/// Why there is no certificate about infinite runs.
const NO_PROOF: &str = "the numbers that show it could not be made";

impl Kind for Programs {
    type Model = ProgramModel;
    type Claim = Question;
    type Answer = Answer;
    type Extra = ();

    fn read(source: &Source, options: &CheckOptions, _: &Session) -> Result<Asked<Self>, Failure> {
        let search = &options.engine.search;
        let mut asked = ask(
            read(source, &options.model)?,
            &options.claims,
            search.progress,
        )?;
        let program = &asked.model.program;
        if search.fair && !asked.claims.iter().any(|q| program.is_liveness(*q)) {
            let why = "--fair makes no difference: nothing that is asked is about infinite runs";
            asked.warnings.push(why.to_owned());
        }
        Ok(asked)
    }

    fn decide(task: &Task<Self>, tell: &mut Sink<Self>) -> Result<(), Failure> {
        let options = task.options;
        let mut engines = ProgramEngines::new(&task.model, &options.engine, task.session)?;
        engines.no_certify = options.no_certify;
        engines.recheck = options.recheck;
        engines.certificate = options.certificate.is_some();
        match Storage::take(&options.engine.storage)? {
            Some(storage) => disk::decide(&engines, &task.claims, &storage, tell),
            None => {
                engines.decide(&task.claims, tell);
                Ok(())
            }
        }
    }

    fn evidence<'a>(task: &'a Task<Self>, finding: &'a ProgramFinding) -> Option<Written<'a>> {
        let network = task.session.network();
        Some(match (&finding.answer.verdict, network) {
            (Verdict::Holds(Proof::Compositional(proof)), Some(network)) => {
                let verdict = suppose_model::Verdict::Holds(proof.clone());
                Written::Evidence(Box::new(move |out| {
                    network::write_evidence(out, &network, &task.model.models, &verdict)
                }))
            }
            (Verdict::Holds(Proof::NoCycle(Some(proof))), _) => {
                written(&task.model, proof.as_ref())
            }
            (Verdict::Holds(Proof::NoCycle(None)), _) => Written::Nothing(NO_PROOF.to_owned()),
            (Verdict::Holds(Proof::Exhaustive(Some(set))), _) => written(&task.model, set),
            (Verdict::Holds(Proof::Exhaustive(None)), _) => Written::Nothing(NO_STATES.to_owned()),
            (Verdict::Holds(Proof::Views(proof, _)), _) => written(&task.model, proof.as_ref()),
            (Verdict::Violated(trace), _) => written(&task.model, trace),
            _ => Written::Nothing(ON_TEXT.to_owned()),
        })
    }

    fn finish(task: &Task<Self>) -> Result<(), Failure> {
        match &task.options.trail {
            Some(path) => trail::write(path, &task.model.program, task.session),
            None => Ok(()),
        }
    }

    fn name(model: &ProgramModel, question: &Question) -> String {
        model.program.question_name(*question).to_owned()
    }

    fn left_open(_: &ProgramModel, open: OpenClaim<Question>) -> Answer {
        let mut answer = portfolio::unknown(open.claim, open.engine, open.reason);
        answer.run = open.run;
        answer
    }

    fn describe<'a>(
        state: &'a State<Self>,
        frame: Frame,
        network: Option<&'a Network>,
    ) -> Document<'a> {
        let subject = report::program::Subject {
            program: &state.model.program,
            sources: &state.model.sources,
            network,
        };
        report::program::describe(frame, subject, state.findings())
    }

    fn walk(
        source: &Source,
        model: &ModelOptions,
        session: &Session,
        walker: &mut Walker,
    ) -> Result<Transcript, Failure> {
        let system = read(source, model)?;
        session.warn(warning_lines(&system.warnings, &system.sources));
        walker(&mut ProgramSteps::new(
            &system.program,
            Some(&system.sources),
        ))
    }

    fn replay(model: &ProgramModel, answer: &Answer) -> Option<Result<Transcript, Failed>> {
        let Verdict::Violated(trace) = &answer.verdict else {
            return None;
        };
        let (program, sources) = (&model.program, Some(&model.sources));
        let mut steps = ProgramSteps::for_question(program, sources, trace.question);
        let path = steps.follow(trace);
        Some(path.and_then(|path| replay(&mut steps, &path)))
    }

    /// What is required of a process.
    fn assume(source: &Source, options: &AssumeOptions, session: &Session) -> Result<(), Failure> {
        if let Some(path) = &options.output {
            network::writable(path)?;
        }
        session.counters.begin("reading");
        let claims = ClaimOptions {
            properties: options.properties.clone(),
            deadlock: false,
            no_deadlock: true,
        };
        let asked = ask(read(source, &options.model)?, &claims, false)?;
        let (model, questions) = session.note(asked);
        let engine = match on_networks(options.engine) {
            Engine::Auto => Engine::Quotient,
            engine => engine,
        };
        let engines = ProgramEngines::for_assumptions(&model, engine, options, session)?;
        let several = questions.len() > 1;
        for question in questions {
            let finding = engines.on_parts(question);
            if let Some(path) = &options.output {
                let name = model.program.question_name(question);
                let words = several.then(|| word(name));
                let (verdict, so_far) = (&finding.answer.verdict, &finding.answer.run.so_far);
                match (engines.network(), verdict, so_far) {
                    (Some(network), Verdict::Holds(Proof::Compositional(proof)), _)
                        if !proof.assumptions.is_empty() =>
                    {
                        let written =
                            network::write_assumptions(path, words, &network, proof, session);
                        session.written(written);
                    }
                    (Some(network), _, Some(so_far)) => {
                        let path = with_words(path, words.as_slice());
                        let assumption = &so_far.assumption;
                        let written =
                            network::write_assumption(&path, &network, assumption, session);
                        session.written(written);
                    }
                    _ => session.no_assumption(path, name),
                }
            }
            session.settle::<Programs>(finding);
        }
        Ok(())
    }

    fn certify(task: &EvidenceTask) -> Result<Vec<Judged>, Failure> {
        let mut judged = Vec::new();
        let mut parts = None;
        let documents = task.documents;
        for section in &documents.sections {
            let one = EvidenceTask {
                documents: &documents.only(section),
                ..*task
            };
            let none = documents.none(section)?.is_some();
            let open = || documents.open(section);
            if !none && file::is_one::<ViewProof>(open()?) {
                let system = read(task.source, task.model)?;
                judged.extend(local::certify(&system, &one)?);
            } else if !none && file::is_one::<Trace>(open()?) {
                let system = read(task.source, task.model)?;
                judged.extend(certify::certify_run(&system, &one)?);
            } else if !none && file::is_one::<Visited>(open()?) {
                let system = read(task.source, task.model)?;
                judged.extend(certify::certify_states(&system, &one)?);
            } else if none || file::is_one::<LiveProof>(open()?) {
                let system = read(task.source, task.model)?;
                judged.extend(certify::certify(&system, &one)?);
            } else {
                if parts.is_none() {
                    parts = Some(read::network(task.source, task.model, task.session)?);
                }
                if let Some(system) = &parts {
                    judged.extend(network::certify(system, &one)?);
                }
            }
        }
        Ok(judged)
    }

    fn convert(
        source: &Source,
        options: &ConvertOptions,
        session: &Session,
    ) -> Result<(), Failure> {
        let system = || read::network(source, &options.model, session);
        network::convert(system, options, session)
    }

    fn draw(source: &Source, options: &DrawOptions, session: &Session) -> Result<String, Failure> {
        let system = || read::network(source, &options.model, session);
        network::draw(system, options, session)
    }
}

/// Evidence about the program itself, for a file.
fn written<'a>(model: &'a ProgramModel, evidence: &'a impl ProgramEvidence) -> Written<'a> {
    Written::Evidence(Box::new(move |out| {
        file::write(out, &model.program, &model.models, evidence)
    }))
}

/// A name in the name of a file.
fn word(name: &str) -> String {
    let safe = |c: char| {
        if c.is_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    name.chars().map(safe).collect()
}

/// What is asked of a program.
fn ask(
    system: ProgramSystem,
    asked: &ClaimOptions,
    progress: bool,
) -> Result<Asked<Programs>, Failure> {
    let program = &system.program;
    let questions = program.questions();
    let named = asked.properties.iter().any(|name| name == "progress");
    if !questions.contains(&Question::Progress)
        && (progress
            || named
                && !questions
                    .iter()
                    .any(|q| program.question_name(*q) == "progress"))
    {
        let failure = Failure::file("the program has no `progress` label");
        return Err(failure
            .help("mark what must happen again and again by a label that begins with `progress`"));
    }
    let names = || questions.iter().map(|q| program.question_name(*q));
    let not_decided = |name: &str| system.undecided.iter().any(|u| u.name == name);
    let is_known = |name: &str| names().any(|n| n == name) || not_decided(name);
    all_known(asked, is_known, names())?;
    let wanted = |name: &str| is_wanted(asked, |n| n == name);
    let wants = |question: &Question| match question {
        Question::EndStates if asked.deadlock => true,
        Question::EndStates if asked.no_deadlock => false,
        Question::Progress if progress => true,
        // A label alone asks nothing.
        Question::Progress => named,
        _ => wanted(program.question_name(*question)),
    };
    let claims = questions.iter().copied().filter(wants).collect();
    let (undecided, more) = undecided(system.undecided.iter().filter(|u| wanted(&u.name)));
    let mut warnings = warning_lines(&system.warnings, &system.sources);
    warnings.extend(more);
    Ok(Asked {
        claims,
        undecided,
        may_add: false,
        warnings,
        remarks: (system.warnings, system.sources.clone()),
        extra: (),
        model: Arc::new(ProgramModel {
            program: system.program,
            sources: system.sources,
            models: system.models,
        }),
    })
}

//! Horn clauses, and C programs, which become clauses.
//!
//! The text becomes clauses (of a C program, clauses for each claim), an engine (or two in parallel) finds
//! definitions or a derivation, the definitions are proved clause by clause, and the evidence is put before the checker,
//! which knows neither the engine nor the solver.

mod calls;
mod certify;
mod engines;
mod evidence;
mod options;
mod peers;
mod read;
mod witness;

use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use suppose_chc::Work;
use suppose_chc::portfolio::{self, Execute, Portfolio, Reply};
use suppose_chc::theory::Structured;
use suppose_control::Refusal;
use suppose_frontends::c::{self, CProgram};
use suppose_frontends::smtlib;
use suppose_model::chc::{Answer, Claim, Horn, Verdict};
use suppose_model::lts::Network;
use suppose_model::{Finding, Reason};
use suppose_report::{self as report, Document, Frame};

use self::engines::Executable;
use self::read::{ClauseSystem, read, read_for};
use crate::certify::{EvidenceTask, Judged};
use crate::claims::warning_lines;
use crate::failure::Failure;
use crate::finding::OpenClaim;
use crate::judging;
use crate::kind::{Asked, Kind, Sink, State, Task, Written};
use crate::options::{CheckOptions, ConvertOptions};
use crate::session::Session;
use crate::source::Source;

/// The scope of a verdict on the assertions of a C program while it is not known whether signed overflow is possible.
const OVERFLOW_UNKNOWN: &str = "runs up to the first signed overflow; whether there is one was not decided \
     (--property no-overflow asks for it)";
const OVERFLOW_POSSIBLE: &str = "runs up to the first signed overflow; there is one, and C does not say what follows it: see no-overflow";

/// The kind.
pub(crate) struct Clauses;

/// The clauses of each claim, in the order of the claims. Of clauses there is one claim.
pub(crate) struct ClauseModel {
    asked: Vec<ClauseSystem>,
    /// Those of a claim that was not asked for by name, once they are read.
    beside: OnceLock<ClauseSystem>,
}

impl ClauseModel {
    fn system(&self, claim: Claim) -> &ClauseSystem {
        let mut all = self.asked.iter().chain(self.beside.get());
        let found = all.find(|s| s.claim == claim);
        found.unwrap_or(&self.asked[0])
    }
}

/// The restriction of the verdict on the first claim, if there is one.
pub(crate) type Scope = Option<&'static str>;

impl Kind for Clauses {
    type Model = ClauseModel;
    type Claim = Claim;
    type Answer = Answer;
    type Extra = Scope;

    fn read(source: &Source, options: &CheckOptions, _: &Session) -> Result<Asked<Self>, Failure> {
        options::refuse(source, options)?;
        // A missing solver is an error before the search, not after it.
        peers::tools(&options.certify_with)?;
        peers::choice(options.engine.horn.solver)?;
        let mut systems: Vec<ClauseSystem> = Vec::new();
        let mut warnings: Vec<String> = Vec::new();
        for claim in claims(options) {
            let system = read_for(source, &options.model, claim)?;
            for line in warning_lines(&system.warnings, &system.sources) {
                if !warnings.contains(&line) {
                    warnings.push(line);
                }
            }
            systems.push(system);
        }
        // Overflow was not asked for by name, so it only gets a short search, to state the scope of the other verdict.
        let glance = options.claims.properties.is_empty() && systems[0].ends_at_overflow();
        let beside = OnceLock::new();
        // Reading for this claim may fail where that for the others does not; then it stays unknown.
        if glance && let Ok(system) = read_for(source, &options.model, c::Claim::NoOverflow) {
            let _ = beside.set(system);
        }
        Ok(Asked {
            remarks: (systems[0].warnings.clone(), systems[0].sources.clone()),
            claims: systems.iter().map(|s| s.claim).collect(),
            model: Arc::new(ClauseModel {
                asked: systems,
                beside,
            }),
            undecided: Vec::new(),
            warnings,
            may_add: glance,
            extra: glance.then_some(OVERFLOW_UNKNOWN),
        })
    }

    fn decide(task: &Task<Self>, tell: &mut Sink<Self>) -> Result<(), Failure> {
        for system in &task.model.asked {
            tell(found(task, system, |p| p.decide())?);
        }
        match task.model.beside.get() {
            Some(system) if task.session.watch.over().is_none() => glance(task, system, tell),
            _ => Ok(()),
        }
    }

    fn evidence<'a>(task: &'a Task<Self>, finding: &'a Finding<Answer>) -> Option<Written<'a>> {
        let system = task.model.system(finding.answer.claim);
        let verdict = &finding.answer.verdict;
        Some(Written::Evidence(Box::new(move |out| {
            certify::write(out, system, verdict)
        })))
    }

    fn finish(task: &Task<Self>) -> Result<(), Failure> {
        let done = task.session.with::<Clauses, _>(|state| state.done.clone());
        let Some(finding) = done.unwrap_or_default().into_iter().next() else {
            return Ok(());
        };
        let definitions = write_definitions(task, &finding);
        let witness = write_witness(task, &finding);
        definitions.and(witness)
    }

    fn name(_: &ClauseModel, claim: &Claim) -> String {
        claim.name().to_owned()
    }

    /// The current round gives the depth up to which there is no derivation.
    fn left_open(_: &ClauseModel, open: OpenClaim<Claim>) -> Answer {
        let is_first = open.engine == "auto";
        let round = match is_first {
            true => open.counters.counts.round.load(Ordering::Relaxed),
            false => 0,
        };
        let bound = round.checked_sub(2).and_then(|b| u32::try_from(b).ok());
        let work = Work {
            bound: u32::try_from(round.saturating_sub(1)).unwrap_or(u32::MAX),
            lemmas: match is_first {
                true => open.counters.counts.abstract_size.load(Ordering::Relaxed),
                false => 0,
            },
            ..Work::default()
        };
        Answer {
            claim: open.claim,
            ..portfolio::unknown("auto", open.reason, bound, &work)
        }
    }

    fn describe<'a>(state: &'a State<Self>, frame: Frame, _: Option<&'a Network>) -> Document<'a> {
        let model = &state.model;
        let finding = |system: &ClauseSystem| {
            let mut all = state.findings();
            all.find(|f| f.answer.claim == system.claim)
        };
        let beside = model.beside.get().into_iter();
        let systems = model.asked.iter();
        let systems = systems.chain(beside.filter(|system| finding(system).is_some()));
        let mut subjects: Vec<_> = systems
            .map(|system| report::chc::Subject {
                horn: finding(system).map_or(&*system.horn, |f| about(f, &system.horn)),
                sources: &system.sources,
                integers: system.integers,
                scope: None,
                finding: finding(system),
            })
            .collect();
        if let Some(first) = subjects.first_mut() {
            first.scope = state.extra;
        }
        report::chc::describe(frame, &subjects)
    }

    /// Over the predicates as they were declared.
    fn definitions(model: &ClauseModel, answer: &Answer) -> Option<String> {
        let system = model.system(answer.claim);
        match &answer.verdict {
            Verdict::Holds(proof) if proof.about.is_none() => smtlib::write_model(
                &system.horn,
                &system.parameters,
                &proof.terms,
                &proof.definitions,
            ),
            _ => None,
        }
    }

    fn certify(task: &EvidenceTask) -> Result<Vec<Judged>, Failure> {
        certify::certify(task)
    }

    /// A C program, or clauses in another form, as SMT-LIB clauses.
    fn convert(
        source: &Source,
        options: &ConvertOptions,
        session: &Session,
    ) -> Result<(), Failure> {
        let end = options.output.extension().and_then(|e| e.to_str());
        if end != Some("smt2") {
            let shown = options.output.display();
            let message = format!("cannot write Horn clauses to `{shown}`");
            return Err(Failure::usage(message).help("use a name that ends in .smt2"));
        }
        let system = read(source, &options.model)?;
        if system.theory.is_some() {
            let message = "clauses with arrays, recursive datatypes or declared sorts cannot be converted yet";
            return Err(Failure::usage(message).help("use the file as it is"));
        }
        let text = suppose_frontends::smtlib::write(&system.horn);
        session.files.write(&options.output, text.as_bytes())
    }
}

/// The clauses that definitions are about.
fn about<'a>(finding: &'a Finding<Answer>, read: &'a Horn) -> &'a Horn {
    match &finding.answer.verdict {
        Verdict::Holds(proof) => proof.system(read),
        _ => read,
    }
}

/// What is claimed, in order. Of clauses there is one claim.
fn claims(options: &CheckOptions) -> Vec<c::Claim> {
    let asked = &options.claims.properties;
    let wanted = |name: &str| asked.iter().any(|p| p == name);
    let all = [
        ("assertions", c::Claim::Assertions),
        ("no-overflow", c::Claim::NoOverflow),
        ("valid-deref", c::Claim::ValidDeref),
        ("valid-free", c::Claim::ValidFree),
    ];
    let found: Vec<c::Claim> = (all.iter())
        .filter(|(name, _)| wanted(name))
        .map(|(_, claim)| *claim)
        .collect();
    match found.is_empty() {
        true => vec![c::Claim::Assertions],
        false => found,
    }
}

/// Decides the claim of a system, with the whole portfolio or a short search; the evidence is checked.
fn found(
    task: &Task<Clauses>,
    system: &ClauseSystem,
    decide: impl FnOnce(&Portfolio) -> Result<Reply, Refusal>,
) -> Result<Finding<Answer>, Failure> {
    let (options, session) = (task.options, task.session);
    let settings = engines::settings(options)?;
    session.counters.begin(system.claim.name());
    let portfolio = Portfolio {
        horn: &system.horn,
        program: system.program.as_ref().map(executable),
        settings: &settings,
        supervisor: session,
    };
    let reply = match &system.theory {
        None => decide(&portfolio)?,
        Some(theory) => Structured {
            horn: &system.horn,
            theory,
            settings: &settings,
            supervisor: session,
        }
        .decide()?,
    };
    let judges = evidence::Judges {
        none: options.no_certify,
        tools: peers::tools(&options.certify_with)?,
    };
    let mut finding = evidence::judge(system, reply, &judges, session);
    confirm(system, &mut finding);
    if let (Some(program), Verdict::Violated(found)) =
        (&system.program, &mut finding.answer.verdict)
    {
        let (rows, warning) = calls::rows(program, &found.derivation);
        found.calls = rows;
        session.warn(warning);
    }
    Ok(finding)
}

/// A violation of a program that was approximated counts only if the program itself has it.
fn confirm(system: &ClauseSystem, finding: &mut Finding<Answer>) {
    let (Some(program), Verdict::Violated(found)) = (&system.program, &finding.answer.verdict)
    else {
        return;
    };
    if program.confirms(&found.derivation) {
        return;
    }
    let mut reasons = program.approximations().iter();
    let why = match reasons.next() {
        Some((what, span)) => match system.sources.file(span.file) {
            Some(file) => format!("line {}: {what}", file.position(span.start).line),
            None => what.clone(),
        },
        None => "the run is not one of the program".to_owned(),
    };
    let more = match reasons.count() {
        0 => String::new(),
        n => format!("; {n} more"),
    };
    finding.answer.verdict = Verdict::Unknown(Reason::Unsupported(format!(
        "memory was approximated, and the violation found is not one of the program ({why}{more})"
    )));
    finding.evidence = judging::nothing();
}

fn executable(program: &Arc<CProgram>) -> Arc<dyn Execute> {
    Arc::new(Executable(Arc::clone(program)))
}

/// A short search for signed overflow. A verdict is reported as a claim of its own, and restricts the scope of the verdict on the
/// assertions.
fn glance(
    task: &Task<Clauses>,
    system: &ClauseSystem,
    tell: &mut Sink<Clauses>,
) -> Result<(), Failure> {
    let Some(program) = &system.program else {
        return Ok(());
    };
    let finding = found(task, system, |p| Ok(p.glance(&executable(program))))?;
    let is_possible = match &finding.answer.verdict {
        _ if !finding.is_sound() => true,
        Verdict::Unknown(_) => return Ok(()),
        Verdict::Violated(_) => true,
        Verdict::Holds(_) => false,
    };
    tell(finding);
    let scope = is_possible.then_some(OVERFLOW_POSSIBLE);
    task.session.with::<Clauses, _>(|state| state.extra = scope);
    Ok(())
}

/// Writes the definitions of the predicates, if that is asked for and they were proved.
fn write_definitions(task: &Task<Clauses>, finding: &Finding<Answer>) -> Result<(), Failure> {
    let Some(path) = &task.options.definitions else {
        return Ok(());
    };
    let Verdict::Holds(proof) = &finding.answer.verdict else {
        let shown = path.display();
        let why = "the clauses were not proved";
        task.session
            .warn([format!("no definitions were written to `{shown}`: {why}")]);
        return Ok(());
    };
    if !finding.is_sound() {
        return Ok(());
    }
    let horn = about(finding, &task.model.system(finding.answer.claim).horn);
    let text = suppose_frontends::smtlib::write_definitions(horn, &proof.terms, &proof.definitions);
    task.session.files.write(path, text.as_bytes())
}

/// Writes a witness of a C program, if that is asked for and there is a verdict.
fn write_witness(task: &Task<Clauses>, finding: &Finding<Answer>) -> Result<(), Failure> {
    let system = task.model.system(finding.answer.claim);
    let (Some(path), Some(program), Some(file)) = (
        &task.options.witness,
        &system.program,
        system.models.first(),
    ) else {
        return Ok(());
    };
    let verdict = &finding.answer.verdict;
    if matches!(verdict, Verdict::Unknown(_)) {
        let shown = path.display();
        let why = "there is no verdict";
        task.session
            .warn([format!("no witness was written to `{shown}`: {why}")]);
    }
    if !finding.is_sound() {
        return Ok(());
    }
    match witness::text(program, &system.sources, file, verdict)? {
        Some(text) => task.session.files.write(path, text.as_bytes()),
        None => Ok(()),
    }
}

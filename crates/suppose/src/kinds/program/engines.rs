//! The engines on one program.

use std::cell::OnceCell;
use std::sync::Arc;
use std::time::Instant;

use suppose_compose::decompose::Strategy;
use suppose_control::catch;
use suppose_explicit::{Found, Options, Order, search};
use suppose_model::lts::Network;
use suppose_model::program::{self, Answer, Proof, Question, Search};
use suppose_model::{Claim, EvidenceStatus, Reason, Run, Verdict};

use super::parts::{Parts, named};
use super::{ProgramFinding, ProgramModel, evidence, turns};
use crate::failure::Failure;
use crate::kinds::network::engines::{
    Bounds, Engine, Portfolio, Settings, Split, rank, refinement, settings, turns as in_turn,
};
use crate::options::{AssumeOptions, EngineOptions, ProcessOptions, SearchOptions, SearchOrder};
use crate::session::Session;

/// What is done with a finding.
pub type Sink<'a> = dyn FnMut(ProgramFinding) + 'a;

/// The split that the tool chooses.
const AUTO: &str = "auto";

/// The engines, ready to run on one program.
pub struct ProgramEngines<'a> {
    subject: &'a ProgramModel,
    session: &'a Session,
    engine: Engine,
    options: Options,
    /// Of `--split`, not yet read: only the parts know their names.
    split: String,
    components: Vec<String>,
    settings: Settings,
    parts: OnceCell<Result<Parts, Reason>>,
    /// Leave evidence unchecked.
    pub no_certify: bool,
    /// Repeat every search without reductions.
    pub recheck: bool,
}

impl<'a> ProgramEngines<'a> {
    /// From the command line.
    pub fn new(
        subject: &'a ProgramModel,
        args: &EngineOptions,
        session: &'a Session,
    ) -> Result<Self, Failure> {
        let settings = settings(args, Split::default())?;
        let mut it = ProgramEngines::with(subject, settings, &args.process, session);
        it.options = options(&args.search);
        it.split = args.rule.split.clone();
        let on_parts = !matches!(it.engine, Engine::Auto | Engine::Monolithic);
        if on_parts || it.split != AUTO {
            it.names()?;
        }
        Ok(it)
    }

    /// For the smallest assumption.
    pub fn for_assumptions(
        subject: &'a ProgramModel,
        engine: Engine,
        args: &AssumeOptions,
        session: &'a Session,
    ) -> Result<Self, Failure> {
        let mut settings = Settings {
            engine,
            ..Settings::default()
        };
        settings.quotient = refinement(&args.refinement);
        settings.in_turn = in_turn(&args.process);
        let mut it = ProgramEngines::with(subject, settings, &args.process, session);
        it.split = args.rule.split.clone();
        it.names()?;
        Ok(it)
    }

    /// For one process and its requirement.
    pub fn for_process(
        subject: &'a ProgramModel,
        process: &ProcessOptions,
        session: &'a Session,
    ) -> Result<Self, Failure> {
        let settings = Settings {
            engine: Engine::Quotient,
            ..Settings::default()
        };
        let mut it = ProgramEngines::with(subject, settings, process, session);
        it.names()?;
        Ok(it)
    }

    fn with(
        subject: &'a ProgramModel,
        settings: Settings,
        process: &ProcessOptions,
        session: &'a Session,
    ) -> Self {
        ProgramEngines {
            subject,
            session,
            engine: settings.engine,
            options: Options::default(),
            split: AUTO.to_owned(),
            components: process.components.clone(),
            settings,
            parts: OnceCell::new(),
            no_certify: false,
            recheck: false,
        }
    }

    /// The component whose requirement is to be found: the one asked for, or the best.
    pub fn process(&self, question: Question) -> Option<usize> {
        if let [one] = self.settings.components.as_slice() {
            return Some(*one);
        }
        let parts = self.parts().ok()?;
        let property = parts.property(question)?;
        let ranked = rank(&parts.network, property, &self.settings.candidates);
        ranked.first().copied()
    }

    /// Finds the parts that the command line names.
    fn names(&mut self) -> Result<(), Failure> {
        let Ok(parts) = self.parts() else {
            return Ok(());
        };
        let all = &parts.decomposed.parts;
        let candidates = all.iter().map(|p| p.component).collect();
        let components = named(all, &self.components)?;
        let split = Split::parse(&self.split, Split::By(Strategy::Interface), &parts.network)?;
        self.settings.components = components;
        self.settings.candidates = candidates;
        self.settings.split = split;
        Ok(())
    }

    /// The program taken apart; it is done once.
    pub fn parts(&self) -> Result<&Parts, &Reason> {
        let parts = self.parts.get_or_init(|| {
            let parts = Parts::of(&self.subject.program, self.session);
            if let Ok(parts) = &parts {
                let network = Arc::clone(&parts.network);
                self.session.show_network(network);
            }
            parts
        });
        parts.as_ref()
    }

    /// The network of the parts, if it was made.
    pub fn network(&self) -> Option<Arc<Network>> {
        let parts = self.parts.get()?.as_ref().ok()?;
        Some(Arc::clone(&parts.network))
    }

    /// Was the whole run stopped, by the time limit or the user?
    pub fn is_over(&self) -> bool {
        self.session.watch.over().is_some()
    }

    /// Answers the questions with the engine asked for.
    pub fn decide(&self, questions: &[Question], sink: &mut Sink) {
        match self.engine {
            Engine::Auto => turns::decide(self, questions, sink),
            Engine::Monolithic => {
                let mut over = false;
                for group in groups(questions) {
                    if over && self.options.first {
                        not_first(&group, sink);
                        continue;
                    }
                    for finding in self.search(&group, &Bounds::default(), "asked for") {
                        over |= finding.answer.verdict.is_violated();
                        sink(finding);
                    }
                }
            }
            _ => {
                for question in questions {
                    if *question == Question::EndStates {
                        let why = "end states are decided on the whole program";
                        for finding in self.search(&[*question], &Bounds::default(), why) {
                            sink(finding);
                        }
                    } else {
                        sink(self.on_parts(*question));
                    }
                }
            }
        }
    }

    /// Is a short depth-first turn of use before the search that was asked for?
    pub fn may_dive(&self) -> bool {
        self.options.order == Order::Breadth && self.options.compaction.is_none()
    }

    /// End with the first violation?
    pub fn ends_with_first(&self) -> bool {
        self.options.first
    }

    /// Reads off the program's text that nothing in it can fail.
    pub fn evident(&self, why: &str) -> Option<ProgramFinding> {
        let program = &self.subject.program;
        if self.no_certify || !suppose_certify::program::cannot_fail(program) {
            return None;
        }
        let answer = Answer {
            claim: Question::Assertions,
            engine: "monolithic".to_owned(),
            verdict: Verdict::Holds(Proof::CannotFail),
            run: Run::default(),
            search: None,
        };
        Some(self.judged(answer, why))
    }

    /// Looks at states depth-first.
    pub fn dive(
        &self,
        group: &[Question],
        bounds: &Bounds,
        order: Order,
        why: &str,
    ) -> Vec<ProgramFinding> {
        let options = Options {
            order,
            ..self.options
        };
        self.search_by(group, bounds, why, &options)
    }

    /// Looks at all states for questions of one group.
    pub fn search(&self, group: &[Question], bounds: &Bounds, why: &str) -> Vec<ProgramFinding> {
        self.search_by(group, bounds, why, &self.options)
    }

    fn search_by(
        &self,
        group: &[Question],
        bounds: &Bounds,
        why: &str,
        options: &Options,
    ) -> Vec<ProgramFinding> {
        let program = &self.subject.program;
        let names: Vec<&str> = group.iter().map(|q| program.question_name(*q)).collect();
        let what = format!("{} by monolithic", names.join(", "));
        self.session.counters.begin(&what);
        let cx = bounds.context(self.session);
        let begun = Instant::now();
        let report = match catch(|| search(program, group, options, &cx)) {
            Ok(report) => report,
            Err(message) => {
                let reason = Reason::Internal(message);
                let finding = |q: &Question| unknown(*q, "monolithic", reason.clone(), why);
                return group.iter().map(finding).collect();
            }
        };
        let run = Run {
            states: report.states,
            transitions: report.transitions,
            largest: report.states,
            elapsed: begun.elapsed(),
            ..Run::default()
        };
        let searched = Search {
            depth: report.depth,
            memory: report.memory,
            how: how(options),
        };
        let answers = report.verdicts.into_iter().map(|(question, found)| {
            let answer = Answer {
                claim: question,
                engine: "monolithic".to_owned(),
                verdict: verdict(found),
                run: run.clone(),
                search: Some(searched.clone()),
            };
            self.judged(answer, why)
        });
        answers.collect()
    }

    /// Has the evidence of an answer checked.
    pub fn judged(&self, answer: Answer, why: &str) -> ProgramFinding {
        let (answer, evidence) = match self.no_certify {
            true => (answer, unchecked()),
            false => {
                self.session.counters.begin("checking the evidence");
                let program = &self.subject.program;
                evidence::examine(program, answer, self.recheck, &self.session.watch)
            }
        };
        ProgramFinding::new(answer, evidence, why)
    }

    /// Decides a question on the parts with the engine asked for.
    pub fn on_parts(&self, question: Question) -> ProgramFinding {
        let bounds = Bounds::default();
        self.by(self.engine, question, &bounds, "asked for")
    }

    /// Decides a question on the parts.
    pub fn by(
        &self,
        engine: Engine,
        question: Question,
        bounds: &Bounds,
        why: &str,
    ) -> ProgramFinding {
        let name = engine.name();
        let parts = match self.parts() {
            Ok(parts) => parts,
            Err(reason) => return unknown(question, name, reason.clone(), why),
        };
        let Some(property) = parts.property(question) else {
            let text = "the compositional engines decide only claims of the form `[] p`; the engine `monolithic` decides this one";
            let reason = Reason::Unsupported(text.to_owned());
            return unknown(question, name, reason, why);
        };
        let engines = Portfolio {
            network: &parts.network,
            settings: &self.settings,
            supervisor: self.session,
        };
        let mut answer = engines.one(engine, Claim::Property(property), bounds);
        let handed_over =
            crate::kinds::network::evidence::confirm_so_far(&parts.network, &mut answer);
        let why = match handed_over.is_empty() {
            true => why,
            false => &handed_over,
        };
        let (answer, evidence) = match (self.no_certify, &answer.verdict) {
            (false, Verdict::Holds(_)) => {
                self.session.counters.begin("checking the evidence");
                crate::kinds::network::evidence::examine(
                    &parts.network,
                    answer,
                    &self.session.watch,
                )
            }
            _ => (answer, unchecked()),
        };
        let verdict = match answer.verdict {
            Verdict::Holds(proof) => Verdict::Holds(Proof::Compositional(proof)),
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
            Verdict::Violated(found) => {
                let program = &self.subject.program;
                let decomposed = &parts.decomposed;
                match catch(|| decomposed.trace(program, &found, question)) {
                    Ok(Some(trace)) => Verdict::Violated(trace),
                    Ok(None) if decomposed.over_approximates => {
                        Verdict::Unknown(Reason::Unsupported(MORE.to_owned()))
                    }
                    Ok(None) => Verdict::Unknown(Reason::Internal(NONE.to_owned())),
                    Err(message) => Verdict::Unknown(Reason::Internal(message)),
                }
            }
        };
        let answer = Answer {
            claim: question,
            engine: answer.engine,
            verdict,
            run: answer.run,
            search: None,
        };
        match &answer.verdict {
            Verdict::Violated(_) => self.judged(answer, why),
            _ => ProgramFinding::new(answer, evidence, why),
        }
    }
}

const MORE: &str = "the decomposition over-approximates the program, and its counterexample is spurious: the engine `monolithic` decides it";

const NONE: &str = "the counterexample of the decomposition is not a run of the program";

/// Questions that one search answers: all but the claims together, each claim alone.
pub fn groups(questions: &[Question]) -> Vec<Vec<Question>> {
    let is_claim = |q: &Question| matches!(q, Question::Claim(_));
    let plain: Vec<Question> = questions.iter().copied().filter(|q| !is_claim(q)).collect();
    let claims = questions.iter().copied().filter(is_claim);
    let mut groups = vec![plain];
    groups.extend(claims.map(|c| vec![c]));
    groups.retain(|g| !g.is_empty());
    groups
}

fn unchecked() -> EvidenceStatus {
    EvidenceStatus::NotChecked("the command line says --no-certify".to_owned())
}

/// What was asked and is not looked for behind a first violation.
pub fn not_first(group: &[Question], sink: &mut Sink) {
    for question in group {
        let reason = Reason::Unsupported("--first ends with the first violation".to_owned());
        sink(unknown(*question, "monolithic", reason, ""));
    }
}

/// No verdict, and nothing known of the run.
pub fn unknown(question: Question, engine: &str, reason: Reason, why: &str) -> ProgramFinding {
    ProgramFinding::undecided(unanswered(question, engine, reason), why)
}

/// The same without what surrounds it.
pub fn unanswered(question: Question, engine: &str, reason: Reason) -> Answer {
    Answer {
        claim: question,
        engine: engine.to_owned(),
        verdict: Verdict::Unknown(reason),
        run: Run::default(),
        search: None,
    }
}

fn options(args: &SearchOptions) -> Options {
    Options {
        order: match args.order {
            SearchOrder::Breadth => Order::Breadth,
            SearchOrder::Depth => Order::Depth,
        },
        reduction: !args.no_reduction,
        merge: !args.no_reduction,
        compaction: args.compaction,
        first: args.first,
        exhaust: false,
        ..Options::default()
    }
}

/// The order and the reductions, for people.
fn how(options: &Options) -> String {
    let mut words = vec![match options.order {
        Order::Breadth => "breadth-first".to_owned(),
        Order::Depth | Order::DepthLast => "depth-first".to_owned(),
    }];
    if options.reduction {
        words.push("partial-order reduction".to_owned());
    }
    if options.merge {
        words.push("local steps merged".to_owned());
    }
    if let Some(bits) = options.compaction {
        words.push(format!("hash compaction to {bits} bits"));
    }
    words.join(", ")
}

fn verdict(found: Found) -> program::Verdict {
    match found {
        Found::Holds => Verdict::Holds(Proof::Exhaustive),
        Found::Violated(trace) => Verdict::Violated(trace),
        Found::Unknown(reason) => Verdict::Unknown(reason),
        Found::Likely(missed) => Verdict::Unknown(Reason::Unsupported(format!(
            "hash compaction: no violation was found, but states may have been missed, with probability {missed:.1e}"
        ))),
    }
}

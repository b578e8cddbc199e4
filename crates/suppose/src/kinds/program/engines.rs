//! The engines on one program.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use suppose_compose::decompose::Strategy;
use suppose_control::catch;
use suppose_explicit::portfolio::{self, Deciders, Sink, groups, not_first};
use suppose_explicit::{ExplicitOptions, Order};
use suppose_model::lts::Network;
use suppose_model::program::visited::Records;
use suppose_model::program::{Answer, Proof, Question, symmetry};
use suppose_model::{Claim, EvidenceStatus, Reason, Run, Verdict};

use super::parts::{Parts, named};
use super::{ProgramFinding, ProgramModel, evidence};
use crate::failure::Failure;
use crate::judging::judge;
use crate::kinds::network::engines::{
    Bounds, Engine, Portfolio, Settings, Split, rank, refinement, settings, turns as in_turn,
};
use crate::options::{AssumeOptions, EngineOptions, ProcessOptions, SearchOptions, SearchOrder};
use crate::session::Session;

/// The split that the tool chooses.
const AUTO: &str = "auto";

/// The engines, ready to run on one program.
pub struct ProgramEngines<'a> {
    pub subject: &'a ProgramModel,
    pub session: &'a Session,
    engine: Engine,
    /// By views of few processes, whatever the engine on networks.
    pub by_views: bool,
    pub options: ExplicitOptions,
    /// Of `--split`, not yet read: only the parts know their names.
    split: String,
    components: Vec<String>,
    settings: Settings,
    parts: OnceCell<Result<Parts, Reason>>,
    /// Leave evidence unchecked.
    pub no_certify: bool,
    /// Repeat every search without reductions.
    pub recheck: bool,
    /// Make the certificates that there can be, however large.
    pub certificate: bool,
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
        it.by_views = args.engine.name() == super::local::NAME;
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
            by_views: false,
            options: ExplicitOptions::default(),
            split: AUTO.to_owned(),
            components: process.components.clone(),
            settings,
            parts: OnceCell::new(),
            no_certify: false,
            recheck: false,
            certificate: false,
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

    /// The decomposition of the program, computed once.
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

    /// Answers the questions with the engine asked for.
    pub fn decide(&self, questions: &[Question], sink: &mut Sink) {
        match self.engine {
            _ if self.by_views => super::local::decide(self, questions, sink),
            Engine::Auto => portfolio::decide(self, questions, &self.options, sink),
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
                    let program = &self.subject.program;
                    if *question == Question::EndStates || program.is_liveness(*question) {
                        let why = match question {
                            Question::EndStates => "end states are decided on the whole program",
                            _ => "infinite runs are decided on the whole program",
                        };
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

    fn search(&self, group: &[Question], bounds: &Bounds, why: &str) -> Vec<ProgramFinding> {
        Deciders::search(self, group, &self.options, bounds, why)
    }

    /// Has the evidence of an answer checked.
    pub fn judged(&self, answer: Answer, why: &str) -> ProgramFinding {
        self.judged_with(answer, why, &[], &RefCell::default())
    }

    /// Has the evidence of an answer checked, together with that for other questions.
    fn judged_with(
        &self,
        mut answer: Answer,
        why: &str,
        together: &[Question],
        accepted: &RefCell<Option<Arc<Records>>>,
    ) -> ProgramFinding {
        let search = evidence::Explored {
            program: &self.subject.program,
            question: answer.claim,
            states: answer.run.states,
            recheck: self.recheck,
            proof: self.certificate,
            threads: self.options.threads,
            together,
            accepted,
            fair: answer.search.as_ref().is_some_and(|s| s.fair),
            session: self.session,
        };
        let verdict = &mut answer.verdict;
        let status = judge(verdict, self.no_certify, self.session, |verdict, cx| {
            search.check(verdict, cx)
        });
        ProgramFinding::new(answer, status, why)
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

impl Deciders for ProgramEngines<'_> {
    fn search(
        &self,
        group: &[Question],
        options: &ExplicitOptions,
        bounds: &Bounds,
        why: &str,
    ) -> Vec<ProgramFinding> {
        let program = &self.subject.program;
        let answers = portfolio::search(program, group, options, bounds, self.session);
        // Assertions and end states have one search, and one list of states.
        let plain = |a: &&Answer| matches!(a.claim, Question::Assertions | Question::EndStates);
        let holds = |a: &&Answer| matches!(a.verdict, Verdict::Holds(Proof::Exhaustive(_)));
        let together = answers.iter().filter(plain).filter(holds);
        let together: Vec<Question> = together.map(|a| a.claim).collect();
        let accepted = RefCell::default();
        let judged = answers
            .into_iter()
            .map(|answer| match together.contains(&answer.claim) {
                true => self.judged_with(answer, why, &together, &accepted),
                false => self.judged(answer, why),
            });
        judged.collect()
    }

    fn cannot_fail(&self, why: &str) -> Option<ProgramFinding> {
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

    fn not_decomposed(&self) -> Option<Reason> {
        self.parts().err().cloned()
    }

    fn is_liveness(&self, question: Question) -> bool {
        self.subject.program.is_liveness(question)
    }

    fn can_exchange(&self, question: Question) -> bool {
        symmetry::infer(&self.subject.program, question).is_ok()
    }

    fn is_on_components(&self, question: Question) -> bool {
        self.parts().is_ok_and(|p| p.property(question).is_some())
    }

    fn on_components(
        &self,
        engine: &str,
        question: Question,
        bounds: &Bounds,
        why: &str,
    ) -> ProgramFinding {
        let engine = Engine::named(engine).unwrap_or_default();
        self.by(engine, question, bounds, why)
    }

    fn by_views(&self, question: Question, bounds: &Bounds, why: &str) -> ProgramFinding {
        super::local::by_views(self, question, bounds, why)
    }

    fn is_over(&self) -> bool {
        self.session.watch.over().is_some()
    }
}

const MORE: &str = "the decomposition over-approximates the program, and its counterexample is spurious: the engine `monolithic` decides it";

const NONE: &str = "the counterexample of the decomposition is not a run of the program";

fn unchecked() -> EvidenceStatus {
    EvidenceStatus::NotChecked("the command line says --no-certify".to_owned())
}

/// No verdict, and nothing known of the run.
pub fn unknown(question: Question, engine: &str, reason: Reason, why: &str) -> ProgramFinding {
    ProgramFinding::undecided(portfolio::unknown(question, engine, reason), why)
}

/// How many threads this machine runs at once.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn options(args: &SearchOptions) -> ExplicitOptions {
    ExplicitOptions {
        order: match args.order {
            SearchOrder::Breadth => Order::Breadth,
            SearchOrder::Depth => Order::Depth,
        },
        reduction: !args.no_reduction,
        merge: !args.no_reduction,
        symmetry: !args.no_reduction && !args.no_symmetry,
        compaction: args.compaction,
        threads: args.threads.map_or_else(cores, usize::from),
        first: args.first,
        fair: args.fair,
        exhaust: false,
        ..ExplicitOptions::default()
    }
}

//! What every kind of model has in common: the one flow from a text to verdicts with evidence.
//!
//! A *kind* is what a text becomes: a network of labelled transition systems, a concurrent program, Horn clauses, a
//! finite-domain system, a probabilistic system. Each implements [`Kind`]; [`check`] is the flow of all of them. How claims are
//! scheduled is the kind's own affair ([`Kind::decide`]): it may take them one by one, all at once, in turns, or race
//! engines on threads, and tells each finding as soon as its evidence is judged.

use std::any::Any;
use std::io;
use std::sync::Arc;

use suppose_model::lts::Network;
use suppose_model::{Answered, EvidenceStatus, Finding, Outcome, Reason};
use suppose_report::{Document, Frame};

use crate::certify::Judged;
use crate::evidence_file::{Documents, EvidenceFile, unreadable};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::files::Pending;
use crate::finding::{OpenClaim, bug, open_claims, status};
use crate::options::{
    AssumeOptions, CertifyOptions, CheckOptions, ConvertOptions, DrawOptions, ModelOptions,
};
use crate::progress::Counters;
use crate::session::{AnyState, ClaimResult, Session};
use crate::simulate::Transcript;
use crate::source::Source;
use crate::steps::{Failed, Steps};

/// What a text was found to be, and what is asked of it.
pub(crate) struct Asked<K: Kind> {
    /// The model.
    pub model: Arc<K::Model>,
    /// What is to be decided, in the order in which it is told.
    pub claims: Vec<K::Claim>,
    /// What no engine decides: its name and why.
    pub undecided: Vec<(String, String)>,
    /// What the user should know besides.
    pub warnings: Vec<String>,
    /// Claims may be told that nobody asked for by name.
    pub may_add: bool,
    /// What reports show besides answers.
    pub extra: K::Extra,
}

/// Claims to be decided on one model.
pub(crate) struct Task<'a, K: Kind> {
    /// The model.
    pub model: Arc<K::Model>,
    /// What is to be decided.
    pub claims: Vec<K::Claim>,
    /// There may be findings on more than one.
    pub several: bool,
    /// How.
    pub options: &'a CheckOptions,
    /// Limits, and where findings go.
    pub session: &'a Session,
}

/// Where findings go.
pub(crate) type Sink<'a, K> = dyn FnMut(Finding<<K as Kind>::Answer>) + 'a;

/// Writes evidence to its file.
type WriteEvidence<'a> = dyn FnOnce(&mut Pending) -> io::Result<()> + 'a;

/// What there is to write about a finding.
pub(crate) enum Written<'a> {
    /// Evidence, by this function.
    Evidence(Box<WriteEvidence<'a>>),
    /// None, for this reason, which the user should know.
    Nothing(String),
}

/// Takes steps through a model.
pub(crate) type Walker<'a> = dyn FnMut(&mut dyn Steps) -> Result<Transcript, Failed> + 'a;

/// A kind of model.
pub(crate) trait Kind: Sized + Sync + 'static {
    /// What was read, with all that is needed to tell of it later.
    type Model: Send + Sync;
    /// What can be asked.
    type Claim: Clone + PartialEq + Send + Sync + 'static;
    /// What is answered.
    type Answer: Answered<Claim = Self::Claim> + Clone + Send + Sync;
    /// What reports show besides answers.
    type Extra: Clone + Default + Send;

    /// Reads a model, and finds out what is asked of it.
    fn read(
        source: &Source,
        options: &CheckOptions,
        session: &Session,
    ) -> Result<Asked<Self>, Failure>;

    /// Decides the claims and has the evidence of every answer judged; tells each finding as soon as it is known. A second
    /// finding on a claim takes the place of the first.
    fn decide(task: &Task<Self>, tell: &mut Sink<Self>) -> Result<(), Failure>;

    /// The evidence of a finding with a verdict, which was not rejected.
    fn evidence<'a>(
        task: &'a Task<Self>,
        finding: &'a Finding<Self::Answer>,
    ) -> Option<Written<'a>>;

    /// Writes what else is asked for about one finding; says what is missing.
    fn export(_: &Task<Self>, _: &Finding<Self::Answer>) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }

    /// Writes what else is asked for about all findings.
    fn finish(_: &Task<Self>) -> Result<(), Failure> {
        Ok(())
    }

    /// A claim as people call it.
    fn name(model: &Self::Model, claim: &Self::Claim) -> String;

    /// The answer about a claim that a limit left undecided.
    fn left_open(
        model: &Self::Model,
        open: OpenClaim<Self::Claim>,
        reason: &Reason,
        counters: &Counters,
    ) -> Self::Answer;

    /// What a run found, as a document. `network` is that of a model which was taken apart into one.
    fn describe<'a>(
        state: &'a State<Self>,
        frame: Frame,
        network: Option<&'a Network>,
    ) -> Document<'a>;

    /// Lets `walk` take steps through a model.
    fn walk(
        _: &Source,
        _: &ModelOptions,
        _: &Session,
        _: &mut Walker,
    ) -> Result<Transcript, Failure> {
        Err(Failure::usage("this model cannot be simulated"))
    }

    /// Follows the run of the first claim that is violated, if there is one.
    fn replay(_: &State<Self>) -> Option<Result<Transcript, Failed>> {
        None
    }

    /// Finds assumptions. Findings go to the session.
    fn assume(_: &Source, _: &AssumeOptions, _: &Session) -> Result<(), Failure> {
        Err(Failure::usage("no assumption can be found for this model"))
    }

    /// Judges evidence that was written before.
    fn certify(
        source: &Source,
        options: &CertifyOptions,
        documents: &Documents,
        session: &Session,
    ) -> Result<Vec<Judged>, Failure>;

    /// Writes the model in another form.
    fn convert(source: &Source, options: &ConvertOptions, session: &Session)
    -> Result<(), Failure>;

    /// Draws the model: as DOT or SVG.
    fn draw(_: &Source, _: &DrawOptions, _: &Session) -> Result<String, Failure> {
        Err(Failure::usage("this model cannot be drawn"))
    }
}

/// What is known of a model so far.
pub(crate) struct State<K: Kind> {
    /// The model.
    pub model: Arc<K::Model>,
    /// What is decided, in the order in which it was asked.
    pub done: Vec<Arc<Finding<K::Answer>>>,
    /// What is still to be decided; the first is being worked on.
    pub waiting: Vec<K::Claim>,
    /// Everything that was asked.
    asked: Vec<K::Claim>,
    /// What reports show besides.
    pub extra: K::Extra,
}

impl<K: Kind> Clone for State<K> {
    fn clone(&self) -> Self {
        State {
            model: Arc::clone(&self.model),
            done: self.done.clone(),
            waiting: self.waiting.clone(),
            asked: self.asked.clone(),
            extra: self.extra.clone(),
        }
    }
}

impl<K: Kind> State<K> {
    pub(crate) fn new(model: Arc<K::Model>, claims: Vec<K::Claim>, extra: K::Extra) -> Self {
        State {
            model,
            done: Vec::new(),
            asked: claims.clone(),
            waiting: claims,
            extra,
        }
    }

    /// What is decided.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &Finding<K::Answer>> {
        self.done.iter().map(|f| &**f)
    }

    /// One claim has its answer. Answers stand in the order in which they were asked for, not in that in which they were found.
    pub(crate) fn settle(&mut self, finding: Finding<K::Answer>) {
        let claim = finding.answer.claim();
        self.waiting.retain(|c| c != claim);
        self.done.retain(|f| f.answer.claim() != claim);
        self.done.push(Arc::new(finding));
        let asked = &self.asked;
        // What was not asked for comes last.
        let place = |claim: &K::Claim| {
            let place = asked.iter().position(|c| c == claim);
            place.unwrap_or(usize::MAX)
        };
        self.done.sort_by_key(|f| place(f.answer.claim()));
    }
}

impl<K: Kind> AnyState for State<K> {
    fn copy(&self) -> Box<dyn AnyState> {
        Box::new(self.clone())
    }

    fn any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn has_verdicts(&self) -> bool {
        !self.done.is_empty()
    }

    fn is_decided(&self) -> bool {
        self.waiting.is_empty()
    }

    fn give_up(&mut self, reason: &Reason, counters: &Counters) {
        let known = counters.run();
        for it in open_claims(&mut self.waiting, &known) {
            let why = it.why;
            let answer = K::left_open(&self.model, it, reason, counters);
            self.settle(Finding::undecided(answer, why));
        }
    }

    fn statuses(&self) -> Vec<ExitStatus> {
        self.done.iter().map(|f| status(f)).collect()
    }

    fn bug(&self) -> Option<String> {
        self.done.iter().find_map(|f| {
            let what = bug(f)?;
            let name = K::name(&self.model, f.answer.claim());
            Some(format!("{} on {name}: {what}", f.answer.engine()))
        })
    }

    fn claims(&self) -> Vec<ClaimResult> {
        let result = |f: &Arc<Finding<K::Answer>>| {
            let (verdict, reason) = match f.answer.outcome() {
                _ if !f.is_sound() => ("unknown", Some("rejected".to_owned())),
                Outcome::Holds => ("holds", None),
                Outcome::Violated => ("violated", None),
                Outcome::Unknown(reason) => ("unknown", Some(reason.word().to_owned())),
            };
            ClaimResult {
                name: K::name(&self.model, f.answer.claim()),
                verdict,
                reason,
                engine: f.answer.engine().to_owned(),
                is_certified: f.evidence == EvidenceStatus::Accepted,
            }
        };
        self.done.iter().map(result).collect()
    }

    fn describe<'a>(&'a self, frame: Frame, network: Option<&'a Network>) -> Document<'a> {
        K::describe(self, frame, network)
    }

    fn replay(&self) -> Option<Result<Transcript, Failed>> {
        K::replay(self)
    }
}

impl Session {
    /// Notes what was read and what is asked.
    pub(crate) fn open<'a, K: Kind>(
        &'a self,
        asked: Asked<K>,
        options: &'a CheckOptions,
    ) -> Task<'a, K> {
        self.lock().full = options.full;
        let several = asked.may_add || asked.claims.len() > 1;
        let (model, claims) = self.note(asked);
        Task {
            model,
            claims,
            several,
            options,
            session: self,
        }
    }

    /// The same for commands that are no check.
    pub(crate) fn note<K: Kind>(&self, asked: Asked<K>) -> (Arc<K::Model>, Vec<K::Claim>) {
        let (model, claims) = (asked.model, asked.claims);
        let state = State::<K>::new(Arc::clone(&model), claims.clone(), asked.extra);
        let mut found = self.lock();
        found.warnings.extend(asked.warnings);
        found.undecided = asked.undecided;
        found.state = Some(Box::new(state));
        (model, claims)
    }

    /// Looks at or changes what is known of the model, if it is of that kind.
    pub(crate) fn with<K: Kind, T>(&self, then: impl FnOnce(&mut State<K>) -> T) -> Option<T> {
        let mut found = self.lock();
        let state = found.state.as_mut()?.any_mut();
        state.downcast_mut::<State<K>>().map(then)
    }

    /// One claim has its answer.
    pub(crate) fn settle<K: Kind>(&self, finding: Finding<K::Answer>) {
        self.with::<K, ()>(|state| state.settle(finding));
    }
}

/// Checks a model: the flow of every kind.
pub(crate) fn check<K: Kind>(
    source: &Source,
    options: &CheckOptions,
    session: &Session,
) -> Result<(), Failure> {
    session.counters.begin("reading");
    let asked = match K::read(source, options, session) {
        // A limit that comes while the model is read leaves everything undecided.
        Err(failure) if failure.status == ExitStatus::Limit && session.watch.over().is_some() => {
            return match session.watch.over() {
                Some(why) => {
                    session.give_up(&why.into());
                    Ok(())
                }
                None => Err(failure),
            };
        }
        read => read?,
    };
    let task = session.open::<K>(asked, options);
    let mut file = EvidenceFile::new(options.certificate.as_ref(), task.several, session);
    let mut told = Vec::new();
    K::decide(&task, &mut |mut finding| {
        let claim = finding.answer.claim().clone();
        // Of two findings on a claim the second only shows it better.
        if !told.contains(&claim) {
            finding.certificate_file = keep(&task, &finding, &mut file);
            told.push(claim);
        }
        if finding.is_sound() {
            let name = K::name(&task.model, finding.answer.claim());
            match K::export(&task, &finding) {
                Ok(missing) => {
                    let lines = missing.iter().map(|why| format!("{name}: {why}"));
                    session.warn(lines);
                }
                Err(failure) => session.written(Err(failure)),
            }
        }
        session.settle::<K>(finding);
    })?;
    file.finish();
    session.written(K::finish(&task));
    session.write_report(options.report.as_ref());
    Ok(())
}

/// Adds the evidence of a finding to the file, or says in it why there is none. Tells where the evidence is.
fn keep<K: Kind>(
    task: &Task<K>,
    finding: &Finding<K::Answer>,
    file: &mut EvidenceFile,
) -> Option<String> {
    let name = K::name(&task.model, finding.answer.claim());
    if !finding.is_sound() {
        file.without(&name, "the evidence was rejected");
        return None;
    }
    if let Outcome::Unknown(reason) = finding.answer.outcome() {
        file.without(&name, reason.word());
        return None;
    }
    match K::evidence(task, finding)? {
        Written::Evidence(write) => file.add(write),
        Written::Nothing(why) => {
            file.without(&name, &why);
            file.lacks(&name, &why);
            None
        }
    }
}

/// A kind, whichever it is.
pub(crate) trait AnyKind: Sync {
    fn check(&self, _: &Source, _: &CheckOptions, _: &Session) -> Result<(), Failure>;
    fn assume(&self, _: &Source, _: &AssumeOptions, _: &Session) -> Result<(), Failure>;
    fn certify(
        &self,
        _: &Source,
        _: &CertifyOptions,
        _: &Documents,
        _: &Session,
    ) -> Result<Vec<Judged>, Failure>;
    fn convert(&self, _: &Source, _: &ConvertOptions, _: &Session) -> Result<(), Failure>;
    fn draw(&self, _: &Source, _: &DrawOptions, _: &Session) -> Result<String, Failure>;
    fn walk(
        &self,
        _: &Source,
        _: &ModelOptions,
        _: &Session,
        _: &mut Walker,
    ) -> Result<Transcript, Failure>;
}

impl<K: Kind> AnyKind for K {
    fn check(&self, source: &Source, options: &CheckOptions, on: &Session) -> Result<(), Failure> {
        check::<K>(source, options, on)
    }

    fn assume(
        &self,
        source: &Source,
        options: &AssumeOptions,
        on: &Session,
    ) -> Result<(), Failure> {
        K::assume(source, options, on)
    }

    fn certify(
        &self,
        source: &Source,
        options: &CertifyOptions,
        documents: &Documents,
        on: &Session,
    ) -> Result<Vec<Judged>, Failure> {
        K::certify(source, options, documents, on)
    }

    fn convert(
        &self,
        source: &Source,
        options: &ConvertOptions,
        on: &Session,
    ) -> Result<(), Failure> {
        K::convert(source, options, on)
    }

    fn draw(
        &self,
        source: &Source,
        options: &DrawOptions,
        on: &Session,
    ) -> Result<String, Failure> {
        K::draw(source, options, on)
    }

    fn walk(
        &self,
        source: &Source,
        model: &ModelOptions,
        on: &Session,
        walker: &mut Walker,
    ) -> Result<Transcript, Failure> {
        K::walk(source, model, on, walker)
    }
}

/// Judges the evidence about every claim of a file.
pub(crate) fn certify(
    kind: &dyn AnyKind,
    source: &Source,
    options: &CertifyOptions,
    session: &Session,
) -> Result<Vec<Judged>, Failure> {
    match Documents::of(&options.certificate)? {
        Ok(documents) => kind.certify(source, options, &documents, session),
        Err(malformed) => {
            let why = unreadable(&options.certificate, &malformed);
            Ok(vec![Judged::rejected(why)])
        }
    }
}

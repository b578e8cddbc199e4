//! What every kind of model has in common: the one flow from a text to verdicts with evidence.
//!
//! A *kind* is what a text becomes: a network of labelled transition systems, a concurrent program, Horn clauses, a
//! finite-domain system, a probabilistic system. Each implements [`Kind`]; [`check`] is the flow of all of them. How claims are
//! scheduled is up to the kind ([`Kind::decide`]): one by one, all at once, in time slices, or by engines that race
//! on threads. It reports each finding as soon as its evidence is checked.

use std::any::Any;
use std::io;
use std::sync::Arc;

use suppose_model::lts::Network;
use suppose_model::{Answered, EvidenceStatus, Finding, Outcome, Reason};
use suppose_report::{Document, Frame};
use suppose_source::{Diagnostic, Sources};

use crate::certify::{EvidenceTask, Judged};
use crate::evidence_file::{Documents, EvidenceFile, unreadable};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::files::Pending;
use crate::finding::{OpenClaim, bug, open_claims, status};
use crate::options::{
    AssumeOptions, CertifyOptions, CheckOptions, ConvertOptions, DrawOptions, ModelOptions,
};
use crate::outline::Outline;
use crate::progress::Counters;
use crate::session::{AnyState, ClaimResult, DecidedClaim, Session};
use crate::simulate::Transcript;
use crate::source::Source;
use crate::steps::{Failed, Steps};

/// A model, and what is asked of it.
pub(crate) struct Asked<K: Kind> {
    /// The model.
    pub model: Arc<K::Model>,
    /// The claims to decide, in the order of the report.
    pub claims: Vec<K::Claim>,
    /// Claims that no engine decides: the name and the reason.
    pub undecided: Vec<(String, String)>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
    /// Those of the front-end, with the files that they point into.
    pub remarks: (Vec<Diagnostic>, Sources),
    /// Findings may include claims that were not asked for by name.
    pub may_add: bool,
    /// What reports show besides answers.
    pub extra: K::Extra,
}

/// Claims to be decided on one model.
pub(crate) struct Task<'a, K: Kind> {
    /// The model.
    pub model: Arc<K::Model>,
    /// The claims to decide.
    pub claims: Vec<K::Claim>,
    /// There may be findings on more than one claim.
    pub several: bool,
    /// The options.
    pub options: &'a CheckOptions,
    /// Limits, and where findings go.
    pub session: &'a Session,
}

/// Where findings go.
pub(crate) type Sink<'a, K> = dyn FnMut(Finding<<K as Kind>::Answer>) + 'a;

/// Writes evidence to its file.
type WriteEvidence<'a> = dyn FnOnce(&mut Pending) -> io::Result<()> + 'a;

/// The evidence of a finding, for its file.
pub(crate) enum Written<'a> {
    /// Evidence, by this function.
    Evidence(Box<WriteEvidence<'a>>),
    /// No evidence, and the reason, which is a warning for the user.
    Nothing(String),
}

/// A simulation: takes steps through a model.
pub(crate) type Walker<'a> = dyn FnMut(&mut dyn Steps) -> Result<Transcript, Failure> + 'a;

/// A kind of model.
pub(crate) trait Kind: Sized + Sync + 'static {
    /// What was read, with all that reports need.
    type Model: Send + Sync;
    /// What can be claimed.
    type Claim: Clone + PartialEq + Send + Sync + 'static;
    /// An answer to a claim.
    type Answer: Answered<Claim = Self::Claim> + Clone + Send + Sync;
    /// What reports show besides answers.
    type Extra: Clone + Default + Send;

    /// Reads a model and selects its claims.
    fn read(
        source: &Source,
        options: &CheckOptions,
        session: &Session,
    ) -> Result<Asked<Self>, Failure>;

    /// Decides the claims, has the evidence of every answer checked, and reports each finding as soon as it is known. A second
    /// finding on a claim replaces the first.
    fn decide(task: &Task<Self>, tell: &mut Sink<Self>) -> Result<(), Failure>;

    /// The evidence of a finding that has a verdict and was not rejected.
    fn evidence<'a>(
        task: &'a Task<Self>,
        finding: &'a Finding<Self::Answer>,
    ) -> Option<Written<'a>>;

    /// Writes other output files about one finding; returns what could not be written and why.
    fn export(_: &Task<Self>, _: &Finding<Self::Answer>) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }

    /// Writes other output files about all findings.
    fn finish(_: &Task<Self>) -> Result<(), Failure> {
        Ok(())
    }

    /// The name of a claim.
    fn name(model: &Self::Model, claim: &Self::Claim) -> String;

    /// The answer to a claim that a limit left undecided.
    fn left_open(model: &Self::Model, open: OpenClaim<Self::Claim>) -> Self::Answer;

    /// The findings of a run, as a document. `network` is that of a model that was decomposed into one.
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

    /// Follows the counterexample of an answer, if it has one.
    fn replay(_: &Self::Model, _: &Self::Answer) -> Option<Result<Transcript, Failed>> {
        None
    }

    /// The definitions of all predicates that an answer rests on, as SMT-LIB's `get-model` prints them.
    fn definitions(_: &Self::Model, _: &Self::Answer) -> Option<String> {
        None
    }

    /// Finds assumptions. Findings go to the session.
    fn assume(_: &Source, _: &AssumeOptions, _: &Session) -> Result<(), Failure> {
        Err(Failure::usage("no assumption can be found for this model"))
    }

    /// Checks evidence from a file.
    fn certify(task: &EvidenceTask) -> Result<Vec<Judged>, Failure>;

    /// Writes the model in another form.
    fn convert(source: &Source, options: &ConvertOptions, session: &Session)
    -> Result<(), Failure>;

    /// Draws the model: as DOT or SVG.
    fn draw(_: &Source, _: &DrawOptions, _: &Session) -> Result<String, Failure> {
        Err(Failure::usage("this model cannot be drawn"))
    }
}

/// The model and the findings so far.
pub(crate) struct State<K: Kind> {
    /// The model.
    pub model: Arc<K::Model>,
    /// The findings, in the order of the claims.
    pub done: Vec<Arc<Finding<K::Answer>>>,
    /// The open claims; the first is being worked on.
    pub waiting: Vec<K::Claim>,
    /// All claims.
    asked: Vec<K::Claim>,
    /// What reports show besides answers.
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

    /// The findings so far.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &Finding<K::Answer>> {
        self.done.iter().map(|f| &**f)
    }

    /// Records a finding. Findings are kept in the order of the claims, not in that in which they were found.
    pub(crate) fn settle(&mut self, finding: Finding<K::Answer>) {
        let claim = finding.answer.claim();
        self.waiting.retain(|c| c != claim);
        self.done.retain(|f| f.answer.claim() != claim);
        self.done.push(Arc::new(finding));
        let asked = &self.asked;
        // Claims that were not asked for come last.
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
        for open in open_claims(&mut self.waiting, reason, counters) {
            let why = open.why;
            let answer = K::left_open(&self.model, open);
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
        let named = |f: &Arc<Finding<K::Answer>>| result(K::name(&self.model, f.answer.claim()), f);
        self.done.iter().map(named).collect()
    }

    fn describe<'a>(&'a self, frame: Frame, network: Option<&'a Network>) -> Document<'a> {
        K::describe(self, frame, network)
    }

    fn replay(&self, claim: Option<&str>) -> Option<Result<Transcript, Failed>> {
        let is_meant = |f: &&Finding<K::Answer>| {
            claim.is_none_or(|claim| K::name(&self.model, f.answer.claim()) == claim)
        };
        let mut sound = self.findings().filter(|f| f.is_sound()).filter(is_meant);
        sound.find_map(|f| K::replay(&self.model, &f.answer))
    }

    fn definitions(&self) -> Option<String> {
        let mut sound = self.findings().filter(|f| f.is_sound());
        sound.find_map(|f| K::definitions(&self.model, &f.answer))
    }
}

impl Session {
    /// Records the model and its claims.
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

    /// The same for commands other than `check`.
    pub(crate) fn note<K: Kind>(&self, asked: Asked<K>) -> (Arc<K::Model>, Vec<K::Claim>) {
        let (model, claims) = (asked.model, asked.claims);
        let state = State::<K>::new(Arc::clone(&model), claims.clone(), asked.extra);
        let mut found = self.lock();
        found.warnings.extend(asked.warnings);
        found.undecided = asked.undecided;
        found.state = Some(Box::new(state));
        (model, claims)
    }

    /// Accesses the state, if the model is of that kind.
    pub(crate) fn with<K: Kind, T>(&self, then: impl FnOnce(&mut State<K>) -> T) -> Option<T> {
        let mut found = self.lock();
        let state = found.state.as_mut()?.any_mut();
        state.downcast_mut::<State<K>>().map(then)
    }

    /// Records a finding.
    pub(crate) fn settle<K: Kind>(&self, finding: Finding<K::Answer>) {
        self.with::<K, ()>(|state| state.settle(finding));
    }
}

/// What can be asked of a model, without deciding any of it.
fn outline<K: Kind>(
    source: &Source,
    options: &CheckOptions,
    session: &Session,
) -> Result<Outline, Failure> {
    session.counters.begin("reading");
    let asked = K::read(source, options, session)?;
    let mut claims: Vec<String> = Vec::new();
    for claim in &asked.claims {
        let name = K::name(&asked.model, claim);
        if !claims.contains(&name) {
            claims.push(name);
        }
    }
    let mut warnings = session.report().warnings().to_vec();
    warnings.extend(asked.warnings);
    let components = session.network().map_or(Vec::new(), |network| {
        let processes = network.processes().into_iter();
        let name = |i: usize| network.components[i].lts.name().to_owned();
        processes.map(name).collect()
    });
    let (remarks, sources) = asked.remarks;
    Ok(Outline {
        claims,
        undecided: asked.undecided,
        components,
        warnings,
        remarks,
        sources,
    })
}

/// Checks a model: the flow of every kind.
pub(crate) fn check<K: Kind>(
    source: &Source,
    options: &CheckOptions,
    session: &Session,
) -> Result<(), Failure> {
    session.counters.begin("reading");
    let asked = match K::read(source, options, session) {
        // A limit that is reached while the model is read leaves everything undecided.
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
        // A second finding on a claim has only a better counterexample.
        let is_new = !told.contains(&claim);
        if is_new {
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
        if is_new && let Some(on_decided) = session.on_decided.get() {
            on_decided(&decided::<K>(session, finding.clone()));
        }
        session.settle::<K>(finding);
    })?;
    file.finish();
    session.written(K::finish(&task));
    crate::runs::write(session, options);
    session.write_report(options.report.as_ref());
    Ok(())
}

/// A finding by itself, as it will be reported.
fn decided<K: Kind>(session: &Session, finding: Finding<K::Answer>) -> DecidedClaim {
    let elapsed = finding.answer.run().elapsed;
    let network = session.network();
    let alone = session.with::<K, _>(|state| {
        let asked = vec![finding.answer.claim().clone()];
        let mut alone = State::<K>::new(Arc::clone(&state.model), asked, state.extra.clone());
        alone.settle(finding.clone());
        alone
    });
    let kind = alone.as_ref().and_then(|state| {
        let document = K::describe(state, Frame::default(), network.as_deref());
        document.kinds().next()
    });
    let model = alone.as_ref().map(|state| &state.model);
    let name = model.map_or(String::new(), |model| {
        K::name(model, finding.answer.claim())
    });
    DecidedClaim {
        result: result(name, &finding),
        kind: kind.unwrap_or(""),
        elapsed,
    }
}

/// What became of a claim.
fn result<A: Answered>(name: String, finding: &Finding<A>) -> ClaimResult {
    let (verdict, reason) = match finding.answer.outcome() {
        _ if !finding.is_sound() => ("unknown", Some("rejected".to_owned())),
        Outcome::Holds => ("holds", None),
        Outcome::Violated => ("violated", None),
        Outcome::Unknown(reason) => ("unknown", Some(reason.word().to_owned())),
    };
    ClaimResult {
        name,
        verdict,
        reason,
        engine: finding.answer.engine().to_owned(),
        is_certified: finding.evidence == EvidenceStatus::Accepted,
    }
}

/// Adds the evidence of a finding to the file, or the reason why there is none. Returns where the evidence is.
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

/// The commands on models of one kind.
pub(crate) struct Commands {
    pub outline: fn(&Source, &CheckOptions, &Session) -> Result<Outline, Failure>,
    pub check: fn(&Source, &CheckOptions, &Session) -> Result<(), Failure>,
    pub assume: fn(&Source, &AssumeOptions, &Session) -> Result<(), Failure>,
    certify: fn(&EvidenceTask) -> Result<Vec<Judged>, Failure>,
    pub convert: fn(&Source, &ConvertOptions, &Session) -> Result<(), Failure>,
    pub draw: fn(&Source, &DrawOptions, &Session) -> Result<String, Failure>,
    pub walk: WalkCommand,
}

type WalkCommand = fn(&Source, &ModelOptions, &Session, &mut Walker) -> Result<Transcript, Failure>;

impl Commands {
    pub(crate) const fn of<K: Kind>() -> Commands {
        Commands {
            outline: outline::<K>,
            check: check::<K>,
            assume: K::assume,
            certify: K::certify,
            convert: K::convert,
            draw: K::draw,
            walk: K::walk,
        }
    }

    /// Checks the evidence about every claim of a file.
    pub(crate) fn certify(
        &self,
        source: &Source,
        options: &CertifyOptions,
        session: &Session,
    ) -> Result<Vec<Judged>, Failure> {
        match Documents::of(&options.certificate)? {
            Ok(documents) => (self.certify)(&EvidenceTask {
                source,
                model: &options.model,
                documents: &documents,
                session,
            }),
            Err(malformed) => {
                let why = unreadable(&options.certificate, &malformed);
                Ok(vec![Judged::rejected(why)])
            }
        }
    }
}

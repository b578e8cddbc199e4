//! Liveness by a safety property: how often the bad thing can still happen is bounded.
//!
//! The claim is turned into safety as in "A liveness checking algorithm that counts" (Claessen and Sörensson, FMCAD 2012). The certificate has an LTS, the
//! *counter*, and some labels, the *rounds*. Checked are
//!
//! 1. the premises about the counter, as those of any safety property: for every trace `t` of the system, `t|αC` is a trace of the counter `C`;
//! 2. the runs of `C`, alone, satisfy the claim or have finitely many rounds ([`Liveness::or_rounds_end`]);
//! 3. in almost every run of the system (in every run, if the claim is about all), rounds happen again and again ([`Liveness::again`]);
//! 4. the labels of the claim and the rounds are labels of `C`, processes have the rounds; and the claim ignores
//!    [foreign steps](Liveness::ignores_foreign_steps), unless `C` has all labels of the processes, and these have no `tau`.
//!
//! Let `w` be a run as in 3. Its labels in `αC` are an infinite word, by 4, since rounds are among them. Every beginning of it is a trace of `C`, by 1; `C`
//! is finite, so it has an infinite run with all of them. By 2 that run satisfies the claim. By 4 so does `w`: what it has besides are
//! foreign steps, or nothing. So almost every run (every run) satisfies the claim.
//!
//! No automaton and no bound is trusted: 2 is checked with the checker's own reading of the formula. Under fair choice the proof need not exist, also where the claim
//! holds: a coin that is thrown again and again shows heads again and again, but no number bounds how long it takes. For all runs it does exist: let rounds be all labels.

use suppose_model::lts::{Component, ComponentKind, Label, Liveness, Lts, Network};
use suppose_model::{Guarantee, LivenessProof};

use super::{Subject, flaw, on_whole, prove};
use crate::admissible::admissible;
use crate::cancellation::Cancellation;
use crate::premise;
use crate::rejection::{Place, Rejection};
use crate::summary::Summary;

/// The fields of [`LivenessProof::Bounded`] that are checked.
pub(super) struct Bounded<'p> {
    pub counter: usize,
    pub premises: usize,
    pub rounds: &'p [Label],
    pub counting: &'p LivenessProof,
    pub recurrence: &'p LivenessProof,
}

/// The claim holds, since the counter does.
pub(super) fn holds(
    subject: &Subject<'_>,
    proof: &Bounded<'_>,
    watch: &mut Cancellation<'_>,
) -> Result<Summary, Rejection> {
    let Subject { network, claim, .. } = *subject;
    if network.priority.is_some() || !network.errors.is_empty() {
        let why = "with priority or error states, the parts do not determine the whole";
        return Err(Rejection::at(Place::System, why));
    }
    let mut summary = counter_holds(subject, proof, watch)?;
    let counter = &subject.certificate.assumptions[proof.counter].lts;
    sees_enough(network, claim, counter, proof.rounds)?;
    let alone = Component {
        lts: counter.clone(),
        kind: ComponentKind::Process,
    };
    let alone = Network {
        name: counter.name().to_owned(),
        labels: network.labels.clone(),
        components: vec![alone],
        liveness: vec![claim.or_rounds_end(proof.rounds)],
        ..Network::default()
    };
    let counted = on_whole(&alone, &alone.liveness[0], proof.counting, watch)?;
    let again = Liveness::again(proof.rounds, claim.fairness);
    let rest = Subject {
        network,
        claim: &again,
        certificate: subject.certificate,
        premises: proof.premises..subject.premises.end,
    };
    let recurs = match proof.recurrence {
        LivenessProof::Bounded { .. } => Err(flaw("why rounds happen again is not to be bounded")),
        other => prove(&rest, other, watch),
    }?;
    for more in [counted, recurs] {
        summary.vectors += more.vectors;
        summary.steps += more.steps;
    }
    Ok(summary)
}

/// The first premises guarantee the counter.
fn counter_holds(
    subject: &Subject<'_>,
    proof: &Bounded<'_>,
    watch: &mut Cancellation<'_>,
) -> Result<Summary, Rejection> {
    let certificate = subject.certificate;
    if proof.premises > subject.premises.end || proof.premises == 0 {
        return Err(flaw("there are not so many premises"));
    }
    let mut summary = Summary::default();
    let mut proven = vec![false; certificate.assumptions.len()];
    for number in 0..proof.premises {
        let premise = &certificate.premises[number];
        let flaw = |why| Rejection::at(Place::Premise(number), why);
        admissible(subject.network, premise, &proven).map_err(flaw)?;
        let Guarantee::Assumption(shown) = premise.guarantee else {
            return Err(flaw("it does not show an assumption".to_owned()));
        };
        summary.steps += premise::check(subject.network, certificate, number, watch)?;
        summary.vectors += premise.relation.len() as u64;
        proven[shown] = true;
    }
    let last = &certificate.premises[proof.premises - 1];
    match last.guarantee == Guarantee::Assumption(proof.counter) {
        true => Ok(summary),
        false => Err(flaw("the premises do not guarantee the counter")),
    }
}

/// The labels that the counter does not have do not matter.
fn sees_enough(
    network: &Network,
    claim: &Liveness,
    counter: &Lts,
    rounds: &[Label],
) -> Result<(), Rejection> {
    let has = |l: &Label| counter.alphabet().binary_search(l).is_ok();
    let is_known = |l: &Label| !l.is_tau() && l.index() < network.labels.len();
    if !rounds.is_sorted() || !rounds.iter().all(|l| is_known(l) && has(l)) {
        return Err(flaw("the rounds are not labels of the counter"));
    }
    let processes = network.processes();
    let mut processes = processes.iter().map(|c| &network.components[*c].lts);
    let is_done = |l: &Label| processes.clone().any(|lts| lts.has_label(*l));
    if !rounds.iter().all(is_done) {
        return Err(flaw("a round is a label that no process has"));
    }
    if !claim.labels().iter().all(has) {
        return Err(flaw("the counter does not have all labels of the claim"));
    }
    let sees_all = processes.all(|lts| {
        let mut edges = lts.all_edges();
        lts.alphabet().iter().all(has) && edges.all(|e| !e.1.is_tau())
    });
    match sees_all || claim.ignores_foreign_steps() {
        true => Ok(()),
        false => Err(Rejection::at(
            Place::System,
            "the claim may depend on steps that the counter does not see",
        )),
    }
}

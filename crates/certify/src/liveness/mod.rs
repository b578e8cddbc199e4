//! Liveness: why almost all runs, or all runs, satisfy a formula, and why a run does not.
//!
//! # Words
//!
//! A run is a word of letters ([`word`]), `w`; `w_i` is what is left of it from letter `i` on. A run that stops goes on with letters in which
//! nothing is done. *Until*-formulas (`<>` is one) and *release*-formulas (`[]` is one) are the temporal formulas besides `X`.
//! For a set `X` of until-formulas, `φ[X]` is `φ` with each until-formula of `X` replaced by a weak until, and every other by false; for a set
//! `Y` of release-formulas, `φ⟨Y⟩` is `φ` with each release-formula of `Y` replaced by true, and every other by a strong release.
//! The first are safety formulas: if one is false of a word, some beginning of the word shows it. The second are guarantees: if one is true,
//! some beginning shows it. [`residual`] follows both, and the formula itself, letter by letter; `ψ_i` is what is left of the claim
//! after `i` letters, so the claim is true of `w` if and only if `ψ_i` is true of `w_i`.
//!
//! Let `X_w` be the until-formulas (of the claim) that are true of infinitely many `w_i`, and `Y_w` the release-formulas that are true of all but finitely
//! many. From some `i` on no until-formula outside `X_w` is ever true, one in `X_w` comes to its second part again and again, all of `Y_w` are true,
//! and each release-formula outside `Y_w` is false later again. So for every formula `φ` made of these, for all large `i`:
//! `φ`, `φ[X_w]` and `φ⟨Y_w⟩` are all true of `w_i`, or all false. (A)
//!
//! # Fair choice
//!
//! Give every possible step of a state a positive probability; which, does not matter. A claim about fair choice holds if it is
//! true with probability 1. Let `D` be a set of vectors (states of processes and fluents, and `ψ_i`) that no step leaves, with a *home* that
//! can be reached from each of them: almost every run in `D` comes home infinitely often, and so takes each finite way that is possible from
//! home infinitely often.
//!
//! *A certificate* has a set of vectors that contains the initial one and is closed under steps; from each of them a home, or a vector where nothing is left to show,
//! can be reached, since ranks fall along some step. So almost every run comes to one of the sets `D` and stays, or
//! the claim is true of it. For each `D` it gives `X` and `Y` with `X ⊆ X_w`, `Y ⊆ Y_w` for almost every `w` in `D`, by induction over the size of formulas: for `u ∈ X` some way from
//! home makes `u⟨Y⟩` true, which is then true infinitely often, and implies `u⟨Y_w⟩`; by (A) `u` is true infinitely often. For `r ∈ Y` no way from any vector of `D` makes
//! `r[X]` false (the pairs are closed under steps and none is false), so it is always true, and implies `r[X_w]`; by (A), so is `r` from some time on. And no way from home makes `ψ[X]` false, where `ψ` is left of the claim
//! at home. So it is true each time the run comes home, implies `ψ[X_w]`, and by (A) the claim is true.
//!
//! *A counterexample* has a run to the home of such a `D`, and `X ⊇ X_w`, `Y ⊇ Y_w`, again by induction: for `u ∉ X` no way from any vector of `D` makes `u⟨Y⟩` true,
//! and `u⟨Y_w⟩` implies it. For `r ∉ Y` some way from home makes `r[X]` false, so it is false infinitely often, and `r[X_w]` implies it. Some way from home makes
//! `ψ[X]` false for the `ψ` left where it begins, so infinitely often `ψ_i[X_w]` is false, and by (A) so is the claim. Almost every run that begins like this one violates it, so it does not hold with
//! probability 1. The steps shown go all these ways and end at home, so even repeating them for ever violates the claim; this is checked by itself,
//! by evaluating the formula on that run ([`word::satisfies`]).
//!
//! # All runs
//!
//! *A counterexample* is a run that repeats itself, on which the formula is evaluated; or one whose beginning leaves nothing of the formula that could be true. *A certificate* follows the alternating automaton of the
//! negated formula: a vector has a set of formulas that are all to be false from there on, and for every way to make them false with the next letter the next vector is there. If a
//! run violates the claim, there is such a sequence of vectors in which a release-formula that is owed is made false at last, so that for each release-formula there are infinitely many
//! steps after which it is not owed, or which make it false: choose, in each step, the way that is true of the run, and make each release-formula false as soon as the run does. Classes never rise,
//! so from some time on they stay the same; and along no step within a class is its release-formula made false, or not owed. So no run violates the claim.

mod all;
mod bounded;
mod fair;
mod parts;
mod residual;
mod vectors;
mod word;

use std::ops::Range;

use suppose_control::Context;
use suppose_model::lts::{Fairness, Liveness, Network, Temporal};
use suppose_model::{Certificate, Claim, Counterexample, Lasso, LivenessProof};

use crate::cancellation::Cancellation;
use crate::rejection::{Place, Rejection};
use crate::summary::Summary;
use bounded::Bounded;
use residual::{Reading, after, expand, least};
use vectors::{Processes, environment};
use word::{Letter, before, next, satisfies};

fn flaw(why: impl Into<String>) -> Rejection {
    Rejection::at(Place::Whole, why)
}

/// The claim of that number, if it is one that evidence can be about.
fn claimed(network: &Network, number: usize) -> Result<&Liveness, Rejection> {
    let claim = network.liveness.get(number);
    let claim = claim.ok_or_else(|| flaw(format!("there is no liveness claim {number}")))?;
    let below = |number: usize, parts: &[u32]| parts.iter().all(|p| (*p as usize) < number);
    let well_formed = |(number, node): (usize, &Temporal)| match node {
        Temporal::True | Temporal::False => true,
        Temporal::Literal(proposition, _) => (*proposition as usize) < claim.propositions.len(),
        Temporal::And(parts) | Temporal::Or(parts) => below(number, parts),
        Temporal::Next(inner) => below(number, &[*inner]),
        Temporal::Until(left, right) | Temporal::Release(left, right) => {
            below(number, &[*left, *right])
        }
    };
    let nodes = claim.nodes.iter().enumerate();
    let foreign = |l: &suppose_model::lts::Label| l.is_tau() || l.index() >= network.labels.len();
    if claim.labels().iter().any(foreign) {
        let why = "a claim mentions a label that the system does not know";
        return Err(Rejection::at(Place::System, why));
    }
    match nodes.into_iter().all(well_formed) && (claim.root as usize) < claim.nodes.len() {
        true => Ok(claim),
        false => Err(Rejection::at(
            Place::System,
            "a part of a formula does not come before it",
        )),
    }
}

/// A claim about a system, and what there is to prove it with.
struct Subject<'a> {
    network: &'a Network,
    claim: &'a Liveness,
    certificate: &'a Certificate,
    /// The premises that the proof may use, and has to.
    premises: Range<usize>,
}

/// Accepts a certificate if it proves its claim. Its assumptions are well formed.
pub(crate) fn certificate(
    network: &Network,
    certificate: &Certificate,
    cx: &Context,
) -> Result<Summary, Rejection> {
    let Claim::Liveness(number) = certificate.claim else {
        return Err(flaw("it is not about liveness"));
    };
    let claim = claimed(network, number)?;
    let proof = certificate.liveness.as_deref();
    let proof = proof.ok_or_else(|| flaw("there is no proof"))?;
    let is_whole = matches!(
        proof,
        LivenessProof::Fair { .. } | LivenessProof::All { .. }
    );
    if is_whole && !certificate.assumptions.is_empty() {
        return Err(flaw("a proof about the whole has no assumptions"));
    }
    let subject = Subject {
        network,
        claim,
        certificate,
        premises: 0..certificate.premises.len(),
    };
    let found = prove(&subject, proof, &mut Cancellation::new(cx))?;
    Ok(Summary {
        vectors: found.vectors,
        steps: found.steps,
        ..Summary::of(certificate)
    })
}

fn prove(
    subject: &Subject<'_>,
    proof: &LivenessProof,
    watch: &mut Cancellation<'_>,
) -> Result<Summary, Rejection> {
    match proof {
        LivenessProof::Parts {
            components,
            assumptions,
            rest,
        } => parts::holds(subject, components, assumptions, rest, watch),
        LivenessProof::Bounded {
            counter,
            premises,
            bound: _,
            rounds,
            counting,
            recurrence,
        } => {
            let bounded = Bounded {
                counter: *counter,
                premises: *premises,
                rounds,
                counting,
                recurrence,
            };
            bounded::holds(subject, &bounded, watch)
        }
        _ if !subject.premises.is_empty() => Err(flaw("a proof about the whole has no premises")),
        _ => on_whole(subject.network, subject.claim, proof, watch),
    }
}

/// A proof about the states of a whole system.
fn on_whole(
    network: &Network,
    claim: &Liveness,
    proof: &LivenessProof,
    watch: &mut Cancellation<'_>,
) -> Result<Summary, Rejection> {
    let environment = environment(network, claim);
    let processes = Processes::new(network, &environment);
    match (proof, claim.fairness) {
        (
            LivenessProof::Fair {
                residuals,
                vectors,
                sets,
            },
            Fairness::FairChoice,
        ) => fair::holds(claim, &processes, residuals, vectors, sets, watch),
        (
            LivenessProof::All {
                owed,
                vectors,
                classes,
            },
            _,
        ) => all::holds(claim, &processes, owed, vectors, classes, watch),
        (LivenessProof::Fair { .. }, _) => {
            Err(flaw("it is about fair choice, the claim is about all runs"))
        }
        _ => Err(flaw("it is to be about the states of the whole")),
    }
}

/// Accepts a run that was followed step by step already if it shows that its claim is violated.
pub(crate) fn counterexample(
    network: &Network,
    evidence: &Counterexample,
    cx: &Context,
) -> Result<(), Rejection> {
    let Claim::Liveness(number) = evidence.claim else {
        return Err(flaw("it is not about liveness"));
    };
    let claim = claimed(network, number)?;
    let lasso = evidence.lasso.as_deref();
    let lasso = lasso.ok_or_else(|| flaw("it does not say what is repeated"))?;
    if lasso.cycle > evidence.steps.len() {
        return Err(flaw("its cycle begins after its end"));
    }
    let environment = environment(network, claim);
    let processes = Processes::new(network, &environment);
    let errors = vectors(network, evidence);
    let at_error = |vector: &Vec<u32>| processes.is_error(&processes.of(vector));
    if errors[..evidence.steps.len()].iter().any(at_error) {
        return Err(flaw("it goes on after a process is in its error state"));
    }
    let mut letters: Vec<Letter> = Vec::new();
    let mut last = before(claim);
    for step in &evidence.steps {
        last = next(claim, &last, Some(step.label));
        letters.push(last.clone());
    }
    let states = errors.last().map(|v| processes.of(v)).unwrap_or_default();
    let stopped = processes.has_stopped(&states)?;
    if lasso.cycle == evidence.steps.len() && !stopped {
        return match left(claim, &letters)?.is_empty() {
            true => Ok(()),
            false => Err(flaw("it ends where the claim is not violated yet")),
        };
    }
    repeats(claim, evidence, lasso, &errors, letters)?;
    match (&lasso.terminal, claim.fairness) {
        (None, Fairness::None) => Ok(()),
        // A run that has stopped has a beginning after which there is no choice.
        (None, Fairness::FairChoice) if lasso.cycle == evidence.steps.len() => Ok(()),
        (None, Fairness::FairChoice) => Err(flaw(
            "under fair choice, what is repeated must be a terminal set",
        )),
        (Some(set), _) => {
            let mut watch = Cancellation::new(cx);
            fair::violated(claim, &processes, evidence, lasso.cycle, set, &mut watch)
        }
    }
}

/// What is left of the claim after letters.
fn left(claim: &Liveness, letters: &[Letter]) -> Result<residual::Alternatives, Rejection> {
    let mut left = least(&expand(claim, claim.root).map_err(flaw)?);
    for letter in letters {
        left = after(claim, &left, letter, &Reading::Plain).map_err(flaw)?;
    }
    Ok(left)
}

/// The last steps form a cycle, and the infinite run violates the claim.
fn repeats(
    claim: &Liveness,
    evidence: &Counterexample,
    lasso: &Lasso,
    vectors: &[Vec<u32>],
    mut letters: Vec<Letter>,
) -> Result<(), Rejection> {
    let steps = &evidence.steps;
    let end = letters.last().cloned().unwrap_or_else(|| before(claim));
    let cycle = match steps.len() - lasso.cycle {
        0 => {
            letters.push(next(claim, &end, None));
            letters.len() - 1
        }
        _ => {
            if vectors[lasso.cycle] != vectors[steps.len()] {
                return Err(flaw("its cycle does not end where it begins"));
            }
            // Fluents may differ the first time around, and not after that.
            let cycle = letters.len();
            let mut last = end;
            for step in &steps[lasso.cycle..] {
                last = next(claim, &last, Some(step.label));
                letters.push(last.clone());
            }
            cycle
        }
    };
    match satisfies(claim, &letters, cycle) {
        true => Err(flaw("the run does not violate the claim")),
        false => Ok(()),
    }
}

/// The states of all components before the first step and after each.
fn vectors(network: &Network, evidence: &Counterexample) -> Vec<Vec<suppose_model::lts::State>> {
    let initial = network.components.iter().map(|c| c.lts.initial());
    let mut all = vec![initial.collect()];
    all.extend(evidence.steps.iter().map(|s| s.states.clone()));
    all
}

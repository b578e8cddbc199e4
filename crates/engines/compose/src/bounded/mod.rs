//! Liveness through the engines for safety.
//!
//! What a run must do again and again to violate a claim is counted (k-liveness: Claessen and Sörensson, "A liveness checking algorithm that counts",
//! FMCAD 2012). "At most `k` times" is a safety property, the *counter* (module `counter`), which any engine on parts can prove, with its
//! assumptions and its certificate. `k` is doubled until it holds.
//!
//! What differs from hardware: a component may be idle while others go on, so steps do not measure time. What is counted are *rounds*: an
//! accepting event counts once between two labels of a chosen set, and the labels of that set happen again and again. The second is a claim
//! about liveness itself, but one that knows nothing of the formula; compositional minimisation proves it. Under fair choice it is often true of the labels of one process, which the
//! safety property then needs to look at, and of no others; about all runs it often takes all labels, and no deadlock.
//!
//! A proof of this kind exists for every claim that holds of all runs, if rounds are all labels. Under fair choice it need not exist. So meanwhile the whole
//! composition is explored, with more and more states; it finds the violations.

mod counter;
mod rounds;

use std::time::Instant;

use suppose_control::{Context, Event};
use suppose_model::lts::{
    Component, ComponentKind, Fairness, Label, Layout, Liveness, Lts, Network, PackedStates,
    Property,
};
use suppose_model::{
    Answer, Assumption, Certificate, Claim, Guarantee, LivenessProof, Reason, Run, Verdict,
};

use self::counter::counter;
use crate::{liveness, minimise};

/// The last bound, and the growth.
const LAST: u32 = 256;
const GROWTH: u32 = 2;
/// The states of the whole composition in the first look at it; four times as many in each.
const FIRST_LOOK: u64 = 4_096;
const LOOK_GROWTH: u64 = 4;

/// Decides a claim about liveness; `safety` decides the property of that number.
pub fn check(
    network: &Network,
    number: usize,
    engine: &str,
    safety: Safety,
    cx: &Context,
) -> Answer {
    decide(network, number, engine, safety, true, cx)
}

/// The same without the states of the whole composition, so it finds no violation.
pub fn without_the_whole(
    network: &Network,
    number: usize,
    engine: &str,
    safety: Safety,
    cx: &Context,
) -> Answer {
    decide(network, number, engine, safety, false, cx)
}

/// Decides the property of that number.
pub type Safety<'s> = &'s dyn Fn(&Network, usize, &Context) -> Answer;

fn decide(
    network: &Network,
    number: usize,
    engine: &str,
    safety: Safety,
    looks: bool,
    cx: &Context,
) -> Answer {
    let begun = Instant::now();
    let mut search = Search {
        network,
        number,
        claim: &network.liveness[number],
        safety,
        looks,
        run: Run::default(),
        cx,
    };
    let verdict = match minimise::is_indivisible(network) {
        Some(why) => Verdict::Unknown(Reason::Unsupported(why.to_owned())),
        None => search.decide().unwrap_or_else(Verdict::Unknown),
    };
    search.run.elapsed = begun.elapsed();
    Answer {
        claim: Claim::Liveness(number),
        engine: engine.to_owned(),
        verdict,
        run: search.run,
    }
}

struct Search<'a> {
    network: &'a Network,
    number: usize,
    claim: &'a Liveness,
    safety: Safety<'a>,
    /// Does it look at the whole composition meanwhile?
    looks: bool,
    run: Run,
    cx: &'a Context,
}

/// Labels that happen again and again, and why.
struct Rounds {
    labels: Vec<Label>,
    recurrence: Certificate,
}

impl Search<'_> {
    fn decide(&mut self) -> Result<Verdict, Reason> {
        let mut states = FIRST_LOOK;
        if let Some(verdict) = self.look(states)? {
            return Ok(verdict);
        }
        let mut rounds = self.rounds()?;
        let mut bound = 1;
        while bound <= LAST && !rounds.is_empty() {
            let mut left = Vec::new();
            for round in rounds {
                self.cx.emit(Event::Phase(format!("at most {bound} times")));
                match self.counted(&round, bound)? {
                    Counted::Holds(proof) => return Ok(Verdict::Holds(proof)),
                    Counted::MoreOften => left.push(round),
                    Counted::TooLarge => {}
                }
            }
            rounds = left;
            bound *= GROWTH;
            states = states.saturating_mul(LOOK_GROWTH);
            if let Some(verdict) = self.look(states)? {
                return Ok(verdict);
            }
        }
        let why = match self.claim.fairness {
            Fairness::FairChoice => {
                "no bound was found on how often what violates it can still happen; under fair choice there may be none although it holds"
            }
            Fairness::None => "no bound was found on how often what violates it can still happen",
        };
        Err(Reason::Unsupported(why.to_owned()))
    }

    /// Explores the whole composition, up to so many states.
    fn look(&mut self, states: u64) -> Result<Option<Verdict>, Reason> {
        if !self.looks {
            return Ok(None);
        }
        let within = self.cx.with_state_limit(states);
        let answer = liveness::check(self.network, self.number, &within);
        self.add(&answer.run);
        self.cx.check()?;
        Ok(match answer.verdict {
            Verdict::Unknown(Reason::Unsupported(why)) => return Err(Reason::Unsupported(why)),
            Verdict::Unknown(_) => None,
            verdict => Some(verdict),
        })
    }

    fn add(&mut self, run: &Run) {
        self.run.states += run.states;
        self.run.transitions += run.transitions;
        self.run.largest = self.run.largest.max(run.largest);
        self.run.queries += run.queries;
    }

    /// Sets of labels that happen again and again, the smallest first.
    fn rounds(&mut self) -> Result<Vec<Rounds>, Reason> {
        let mut found = Vec::new();
        for labels in rounds::candidates(self.network, self.claim) {
            self.cx
                .emit(Event::Phase("what happens again and again".to_owned()));
            let mut asked = self.network.clone();
            asked.liveness = vec![Liveness::again(&labels, self.claim.fairness)];
            let answer = minimise::check_liveness(&asked, 0, self.cx);
            self.add(&answer.run);
            self.cx.check()?;
            if let Verdict::Holds(recurrence) = answer.verdict {
                let recurrence = *recurrence;
                found.push(Rounds { labels, recurrence });
            }
        }
        Ok(found)
    }

    /// Does the accepting event happen in at most so many rounds?
    fn counted(&mut self, rounds: &Rounds, bound: u32) -> Result<Counted, Reason> {
        let built = counter(self.network, self.claim, &rounds.labels, bound, self.cx)?;
        let Some(counter) = built else {
            return Ok(Counted::TooLarge);
        };
        let mut asked = self.network.clone();
        let property = asked.properties.len();
        asked.properties.push(Property {
            lts: counter.clone(),
            span: None,
            asserted: true,
        });
        let answer = (self.safety)(&asked, property, self.cx);
        self.add(&answer.run);
        self.run.groups = answer.run.groups;
        self.run.rounds = answer.run.rounds;
        self.run.assumption_peak = self.run.assumption_peak.max(answer.run.assumption_peak);
        match answer.verdict {
            Verdict::Holds(proof) => {
                let counting = self.counting(counter.clone(), &rounds.labels)?;
                let proof = proof_of(self.number, counter, bound, *proof, rounds, counting);
                let lost = || Reason::Internal("the proof of the counter has another form".into());
                Ok(Counted::Holds(Box::new(proof.ok_or_else(lost)?)))
            }
            Verdict::Violated(_) => Ok(Counted::MoreOften),
            Verdict::Unknown(reason) => Err(reason),
        }
    }

    /// Why the counter's own runs satisfy the claim.
    fn counting(&mut self, counter: Lts, rounds: &[Label]) -> Result<LivenessProof, Reason> {
        let alone = Component {
            lts: counter,
            kind: ComponentKind::Process,
        };
        let alone = Network {
            labels: self.network.labels.clone(),
            components: vec![alone],
            liveness: vec![self.claim.or_rounds_end(rounds)],
            ..Network::default()
        };
        match liveness::check(&alone, 0, self.cx).verdict {
            Verdict::Holds(proof) => {
                let lost = || Reason::Internal("a proof of liveness is empty".to_owned());
                proof.liveness.map(|p| *p).ok_or_else(lost)
            }
            Verdict::Violated(_) => Err(Reason::Internal("the counter does not count".to_owned())),
            Verdict::Unknown(reason) => Err(reason),
        }
    }
}

enum Counted {
    Holds(Box<Certificate>),
    MoreOften,
    TooLarge,
}

/// The proofs of the counter and of the rounds, together.
fn proof_of(
    number: usize,
    counter: Lts,
    bound: u32,
    safety: Certificate,
    rounds: &Rounds,
    counting: LivenessProof,
) -> Option<Certificate> {
    let Certificate {
        mut assumptions,
        mut premises,
        ..
    } = safety;
    let place = assumptions.len();
    assumptions.push(Assumption {
        lts: counter,
        nodes: Vec::new(),
    });
    premises.last_mut()?.guarantee = Guarantee::Assumption(place);
    for premise in &mut premises {
        let none = PackedStates::new(Layout::new([])).into();
        let relation = std::mem::replace(&mut premise.relation, none);
        premise.relation = relation.into_vectors().into();
    }
    let about_counter = premises.len();
    let first = assumptions.len();
    let Certificate {
        assumptions: parts,
        premises: more,
        liveness,
        ..
    } = rounds.recurrence.clone();
    assumptions.extend(parts);
    premises.extend(more.into_iter().map(|mut premise| {
        premise.assumptions.iter_mut().for_each(|a| *a += first);
        if let Guarantee::Assumption(a) = &mut premise.guarantee {
            *a += first;
        }
        premise
    }));
    let mut recurrence = liveness?;
    if let LivenessProof::Parts { assumptions, .. } = &mut *recurrence {
        assumptions.iter_mut().for_each(|a| *a += first);
    }
    Some(Certificate {
        claim: Claim::Liveness(number),
        assumptions,
        premises,
        liveness: Some(Box::new(LivenessProof::Bounded {
            counter: place,
            premises: about_counter,
            bound,
            rounds: rounds.labels.clone(),
            counting: Box::new(counting),
            recurrence,
        })),
    })
}

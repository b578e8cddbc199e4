//! Checking certificates, premise by premise and pair by pair.

use suppose_control::Context;
use suppose_model::lts::{Label, Layout, PackedStates, State};
use suppose_model::mdp::{Certificate, DistId, Flow, Lpts, Product, Relation, System};
use suppose_number::Rat;

use super::{Branches, check_system};
use crate::cancellation::Cancellation;
use crate::index::{self, Index};
use crate::rejection::{Place, Rejection};

/// How much an accepted certificate took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Summary {
    /// Premises.
    pub premises: u64,
    /// Assumptions.
    pub assumptions: u64,
    /// Pairs of all relations.
    pub pairs: u64,
    /// Choices of their left states, each matched.
    pub choices: u64,
}

/// Accepts a certificate if it shows that the specification simulates the system.
///
/// The context is polled every few thousand pairs.
pub fn check_certificate(
    system: &System,
    specification: &Lpts,
    certificate: &Certificate,
    cx: &Context,
) -> Result<Summary, Rejection> {
    check_system(system, specification)?;
    check_groups(system, certificate).map_err(|why| Rejection::at(Place::Whole, why))?;
    check_alphabets(system, certificate)?;
    let mut watch = Cancellation::new(cx);
    let mut summary = Summary {
        assumptions: certificate.assumptions.len() as u64,
        ..Summary::default()
    };
    for (number, relation) in certificate.premises.iter().enumerate() {
        let group = certificate.groups[number].iter();
        let mut parts: Vec<&Lpts> = group.map(|c| &system.components[*c].lpts).collect();
        parts.extend(certificate.assumptions.get(number));
        let (right, seen) = match number.checked_sub(1) {
            None => (specification, Some(system)),
            Some(before) => (&certificate.assumptions[before], None),
        };
        let premise = Premise {
            number,
            product: Product::new(&parts),
            right,
            seen,
            relation,
        };
        summary.choices += premise.check(&mut watch)?;
        summary.pairs += relation.len() as u64;
        summary.premises += 1;
    }
    Ok(summary)
}

/// Bytes that checking takes in addition to the certificate.
pub fn working_memory(certificate: &Certificate) -> u64 {
    let of = |r: &Relation| {
        let words = (r.parts as u64 + 1).div_ceil(2);
        (r.len() as u64).saturating_mul(8 * words) + index::bytes(r.len())
    };
    certificate.premises.iter().map(of).max().unwrap_or(0)
}

/// Each component is in one group; there is a premise for each group, and an assumption for each but the last.
fn check_groups(system: &System, certificate: &Certificate) -> Result<(), String> {
    let groups = certificate.groups.len();
    if groups == 0 {
        return Err("it has no groups".to_owned());
    }
    let (assumptions, premises) = (certificate.assumptions.len(), certificate.premises.len());
    if assumptions + 1 != groups || premises != groups {
        return Err(format!(
            "it has {assumptions} assumptions and {premises} premises for {groups} groups"
        ));
    }
    let mut there = vec![false; system.components.len()];
    for component in certificate.groups.iter().flatten() {
        match there.get_mut(*component) {
            None => return Err(format!("there is no component {component}")),
            Some(true) => return Err(format!("component {component} is there twice")),
            Some(first) => *first = true,
        }
    }
    match there.iter().position(|t| !t) {
        Some(missing) => Err(format!("component {missing} is in no group")),
        None => Ok(()),
    }
}

/// An assumption mentions nothing that the groups it represents do not know.
fn check_alphabets(system: &System, certificate: &Certificate) -> Result<(), Rejection> {
    let mut known: Vec<Label> = Vec::new();
    for (number, assumption) in certificate.assumptions.iter().enumerate().rev() {
        for component in &certificate.groups[number + 1] {
            known.extend(system.components[*component].lpts.alphabet());
        }
        known.sort_unstable();
        known.dedup();
        let within = |l: &Label| known.binary_search(l).is_ok();
        if !assumption.alphabet().iter().all(within) {
            let why = "it has an action that the components it stands for do not have";
            return Err(Rejection::at(Place::Assumption(number), why));
        }
    }
    Ok(())
}

/// One premise: a product on the left, one system on the right.
struct Premise<'a> {
    number: usize,
    product: Product<'a>,
    right: &'a Lpts,
    /// Labels of the left side are seen as this system shows them.
    seen: Option<&'a System>,
    relation: &'a Relation,
}

impl Premise<'_> {
    fn flaw(&self, why: impl Into<String>) -> Rejection {
        Rejection::at(Place::Premise(self.number), why)
    }

    fn flaw_at(&self, pair: usize, why: impl Into<String>) -> Rejection {
        let place = Place::Vector {
            premise: self.number,
            vector: pair,
        };
        Rejection::at(place, why)
    }

    /// How many choices were matched.
    fn check(&self, watch: &mut Cancellation<'_>) -> Result<u64, Rejection> {
        let pairs = self.pack(watch)?;
        let mut index = Index::new(&pairs);
        for number in 0..pairs.len() {
            watch.tick()?;
            index.add(number);
        }
        let places = self.relation.weights.windows(2);
        if !places.into_iter().all(|w| w[0].0 < w[1].0) {
            return Err(self.flaw("its weight functions are not in order"));
        }
        let mut pass = Pass {
            premise: self,
            index: &index,
            layout: pairs.layout(),
            branches: Branches::default(),
            record: vec![0; pairs.layout().words()],
            matched: 0,
            weighed: 0,
        };
        for pair in 0..self.relation.len() {
            pass.pair(pair, watch)?;
        }
        if pass.matched != self.relation.matches.len() {
            return Err(self.flaw("it has more matches than choices"));
        }
        if pass.weighed != self.relation.weights.len() {
            return Err(self.flaw("it has a weight function for no match"));
        }
        Ok(pass.matched as u64)
    }

    /// The pairs as records, all of whose states exist, the first that of the initial states.
    fn pack(&self, watch: &mut Cancellation<'_>) -> Result<PackedStates, Rejection> {
        let (relation, parts) = (self.relation, self.product.parts());
        let count = relation.right.len();
        let fits = relation.parts == parts.len()
            && count.checked_mul(parts.len()) == Some(relation.left.len());
        if !fits {
            return Err(self.flaw("its pairs do not have a state for each part"));
        }
        if count > index::MOST {
            return Err(self.flaw("it has too many pairs"));
        }
        let sides = parts.iter().copied().chain([self.right]);
        let sizes: Vec<u32> = sides.map(|p| p.states() as u32).collect();
        let mut pairs = PackedStates::new(Layout::new(sizes.iter().copied()));
        let mut record = vec![0; pairs.layout().words()];
        for pair in 0..count {
            watch.tick()?;
            let states = relation.left(pair).iter().chain([&relation.right[pair]]);
            for (slot, state) in states.enumerate() {
                if *state >= sizes[slot] {
                    return Err(self.flaw_at(pair, format!("there is no state {state}")));
                }
                pairs.layout().set(&mut record, slot, *state);
            }
            pairs.push(&record);
        }
        let initial = count > 0
            && relation.left(0) == self.product.initial()
            && relation.right[0] == self.right.initial();
        match initial {
            true => Ok(pairs),
            false => Err(self.flaw("its first pair is not that of the initial states")),
        }
    }

    fn observe(&self, label: Label) -> Label {
        self.seen.map_or(label, |system| system.observe(label))
    }

    /// What the right side says of propositions is what the left side says.
    fn agree(&self, left: &[State], right: State) -> bool {
        self.right
            .propositions()
            .iter()
            .all(|(proposition, truth)| {
                let parts = self.product.parts().iter().zip(left);
                let mut known = parts
                    .filter_map(|(p, s)| p.satisfies(*s, *proposition))
                    .peekable();
                known.peek().is_some() && known.all(|t| t == truth.contains(right as usize))
            })
    }
}

/// One way through the pairs of a premise.
struct Pass<'a, 'b> {
    premise: &'a Premise<'b>,
    index: &'a Index<'a>,
    layout: &'a Layout,
    branches: Branches,
    record: Vec<u64>,
    matched: usize,
    weighed: usize,
}

impl Pass<'_, '_> {
    fn pair(&mut self, pair: usize, watch: &mut Cancellation<'_>) -> Result<(), Rejection> {
        watch.tick()?;
        let premise = self.premise;
        let left = premise.relation.left(pair);
        let right = premise.relation.right[pair];
        if !premise.agree(left, right) {
            return Err(premise.flaw_at(pair, "its states differ in a proposition"));
        }
        let mut result = Ok(());
        premise.product.choices(left, |label, moves| {
            if result.is_ok() {
                result = watch
                    .tick()
                    .and_then(|()| self.choice(pair, (left, right), label, moves));
            }
        });
        result
    }

    fn choice(
        &mut self,
        pair: usize,
        (left, right): (&[State], State),
        label: Label,
        moves: &[Option<DistId>],
    ) -> Result<(), Rejection> {
        let premise = self.premise;
        let relation = premise.relation;
        let flaw = |why: &str| Err(premise.flaw_at(pair, why));
        let Some(found) = relation.matches.get(self.matched) else {
            return flaw("a choice is not matched");
        };
        let own = premise.right.choices(right).get(found.choice as usize);
        let Some(own) = own.filter(|c| c.label == premise.observe(label)) else {
            return flaw("a choice is matched by none with the same action");
        };
        let place = self.matched as u64;
        self.matched += 1;
        let (product, branches) = (&premise.product, &mut self.branches);
        if let Err(why) = branches.read(product, left, moves) {
            return flaw(&why);
        }
        let dist = premise.right.dist(own.dist);
        let flows = match relation.weights.get(self.weighed) {
            Some((of, flows)) if *of == place => Some(flows),
            _ => None,
        };
        let related = match flows {
            Some(flows) => {
                self.weighed += 1;
                self.flows(flows, dist)
            }
            None if self.branches.len() == 1 || dist.len() == 1 => self.forced(dist.targets()),
            None => return flaw("a weight function is missing"),
        };
        related.or_else(|why| flaw(&why))
    }

    /// Is that branch related to that state of the right side?
    fn related(&mut self, branch: usize, right: State) -> bool {
        let parts = self.premise.product.parts().len();
        for (slot, state) in self.branches.state(branch, parts).iter().enumerate() {
            self.layout.set(&mut self.record, slot, *state);
        }
        self.layout.set(&mut self.record, parts, right);
        self.index.contains(&self.record)
    }

    /// One of the two sides has one state only: all of one is related to all of the other.
    fn forced(&mut self, targets: &[State]) -> Result<(), String> {
        for branch in 0..self.branches.len() {
            for target in targets {
                if !self.related(branch, *target) {
                    return Err("a choice leads to states that are not related".to_owned());
                }
            }
        }
        Ok(())
    }

    fn flows(&mut self, flows: &[Flow], dist: suppose_model::mdp::Dist<'_>) -> Result<(), String> {
        let mut sent = vec![Rat::ZERO; self.branches.len()];
        let mut got = vec![Rat::ZERO; dist.len()];
        for flow in flows {
            let (from, to) = (flow.from as usize, flow.to as usize);
            if from >= sent.len() || to >= got.len() {
                return Err("a weight function speaks of states that are not there".to_owned());
            }
            if !flow.amount.is_positive() {
                return Err("a weight is not positive".to_owned());
            }
            if !self.related(from, dist.targets()[to]) {
                return Err("a weight function relates states that are not related".to_owned());
            }
            sent[from] = &sent[from] + &flow.amount;
            got[to] = &got[to] + &flow.amount;
        }
        let total = &self.branches.total;
        let mut sides = sent.iter().zip(&self.branches.weights);
        if !sides.all(|(sum, w)| *sum == Rat::new(w.clone(), total.clone())) {
            return Err("weights do not add up to the probability of a left state".to_owned());
        }
        let mut sides = got.iter().enumerate();
        match sides.all(|(at, sum)| *sum == dist.probability(at)) {
            true => Ok(()),
            false => Err("weights do not add up to the probability of a right state".to_owned()),
        }
    }
}

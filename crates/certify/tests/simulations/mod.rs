//! Small probabilistic systems, and evidence about them made in the plainest way.

use std::collections::BTreeMap;

use suppose_model::lts::{Label, Labels, State};
use suppose_model::mdp::{
    Certificate, Component, Counterexample, DistId, Flow, Lpts, LptsBuilder, Match, Product,
    Relation, SizeLimits, System, Weight, compose,
};
use suppose_number::{Int, Rat};

/// Numbers that look random.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// A system of a few states over these labels.
pub fn lpts(random: &mut Random, name: &str, states: u64, labels: &[Label]) -> Lpts {
    let mut builder = LptsBuilder::new(name);
    let states = 1 + random.below(states);
    builder.states(states as usize);
    builder.extend_alphabet(labels.iter().copied());
    for state in 0..states as State {
        for _ in 0..random.below(4) {
            let label = match random.below(6) {
                0 => Label::TAU,
                _ => labels[random.below(labels.len() as u64) as usize],
            };
            let mut parts: Vec<(State, u64)> = (0..1 + random.below(3))
                .map(|_| (random.below(states) as State, 1 + random.below(3)))
                .collect();
            let dist = builder.store().insert_weights(&mut parts).unwrap();
            builder.choice_of(state, label, dist);
        }
    }
    builder.build()
}

/// Two or three components that share some labels.
pub fn system(random: &mut Random) -> System {
    let mut labels = Labels::new();
    let all: Vec<Label> = ["a", "b", "c"].map(|l| labels.intern(l)).to_vec();
    let mut system = System::new("random", labels);
    for number in 0..2 + random.below(2) {
        let own = match number {
            0 => &all[..2],
            1 => &all[1..],
            _ => &all[..],
        };
        let lpts = lpts(random, &format!("c{number}"), 3, own);
        system.components.push(Component {
            lpts,
            members: Vec::new(),
        });
    }
    if random.below(4) == 0 {
        system.observe_as(all[2], Label::TAU);
    }
    system
}

/// Where a choice leads: each state of the parts with its probability, in the product's order.
pub type Spread = Vec<(Vec<State>, Rat)>;

/// The choices of a product.
pub fn choices(product: &Product<'_>, state: &[State]) -> Vec<(Label, Spread)> {
    let mut found = Vec::new();
    product.choices(state, |label, moves: &[Option<DistId>]| {
        let mut weights: Vec<(Vec<State>, Int)> = Vec::new();
        product.branches(state, moves, |next, weight| {
            let weight = match weight {
                Weight::Small(w) => Int::from(w),
                Weight::Big(w) => w,
            };
            weights.push((next.to_vec(), weight));
        });
        let total = weights.iter().fold(Int::ZERO, |sum, (_, w)| &sum + w);
        let p = |(s, w): (Vec<State>, Int)| (s, Rat::new(w, total.clone()));
        found.push((label, weights.into_iter().map(p).collect()));
    });
    found
}

/// A weight function along `related`, found by trying to move as much as there is; none if there is none.
fn weigh(left: &[Rat], right: &[Rat], related: &dyn Fn(usize, usize) -> bool) -> Option<Vec<Flow>> {
    let mut sent: BTreeMap<(usize, usize), Rat> = BTreeMap::new();
    let (mut rest, mut room) = (left.to_vec(), right.to_vec());
    loop {
        let start = rest.iter().position(Rat::is_positive);
        let Some(start) = start else {
            let flow = |((from, to), amount): ((usize, usize), Rat)| Flow {
                from: from as u32,
                to: to as u32,
                amount,
            };
            let sent = sent.into_iter().filter(|(_, amount)| amount.is_positive());
            return Some(sent.map(flow).collect());
        };
        // A path of left states and the right states between them.
        let mut from_of: BTreeMap<usize, usize> = BTreeMap::new();
        let mut back_of: BTreeMap<usize, usize> = BTreeMap::new();
        let mut queue = vec![start];
        let mut end = None;
        while let Some(from) = queue.pop() {
            for to in 0..right.len() {
                if !related(from, to) || from_of.contains_key(&to) {
                    continue;
                }
                from_of.insert(to, from);
                if room[to].is_positive() {
                    end = Some(to);
                }
                for back in 0..left.len() {
                    let there = sent.get(&(back, to)).is_some_and(Rat::is_positive);
                    if there && back != start && !back_of.contains_key(&back) {
                        back_of.insert(back, to);
                        queue.push(back);
                    }
                }
            }
        }
        let end = end?;
        let (mut path, mut to) = (Vec::new(), end);
        loop {
            let from = from_of[&to];
            path.push((from, to, true));
            match from == start {
                true => break,
                false => {
                    to = back_of[&from];
                    path.push((from, to, false));
                }
            }
        }
        let mut most = rest[start].clone().min(room[end].clone());
        for (from, to, forward) in &path {
            if !forward {
                most = most.min(sent[&(*from, *to)].clone());
            }
        }
        for (from, to, forward) in path {
            let amount = sent.entry((from, to)).or_insert(Rat::ZERO);
            *amount = match forward {
                true => &*amount + &most,
                false => &*amount - &most,
            };
        }
        rest[start] = &rest[start] - &most;
        room[end] = &room[end] - &most;
    }
}

/// All reachable states of a product, the initial one first.
fn reachable(product: &Product<'_>) -> Vec<Vec<State>> {
    let mut all = vec![product.initial()];
    let mut at = 0;
    while at < all.len() {
        for (_, spread) in choices(product, &all[at].clone()) {
            for (next, _) in spread {
                if !all.contains(&next) {
                    all.push(next);
                }
            }
        }
        at += 1;
    }
    all
}

/// The greatest simulation round by round, and a relation if the initial states are in it; else the number of rounds.
pub fn simulate(
    parts: &[&Lpts],
    right: &Lpts,
    seen: &dyn Fn(Label) -> Label,
) -> Result<Relation, usize> {
    let product = Product::new(parts);
    let left = reachable(&product);
    let number = |s: &Vec<State>| left.iter().position(|l| l == s).unwrap();
    let outs: Vec<_> = left.iter().map(|s| choices(&product, s)).collect();
    let mut related = vec![vec![true; right.states()]; left.len()];
    let matching = |related: &Vec<Vec<bool>>, (label, spread): &(Label, Spread), t: State| {
        right.choices(t).iter().enumerate().find_map(|(at, own)| {
            if own.label != seen(*label) {
                return None;
            }
            let dist = right.dist(own.dist);
            let mine: Vec<Rat> = spread.iter().map(|(_, p)| p.clone()).collect();
            let theirs: Vec<Rat> = dist.probabilities().map(|(_, p)| p).collect();
            let may =
                |i: usize, j: usize| related[number(&spread[i].0)][dist.targets()[j] as usize];
            weigh(&mine, &theirs, &may).map(|flows| (at, flows, mine.len() > 1 && theirs.len() > 1))
        })
    };
    let mut rounds = 0;
    loop {
        rounds += 1;
        let mut next = related.clone();
        for (s, own) in outs.iter().enumerate() {
            for t in 0..right.states() {
                let follows = |c| matching(&related, c, t as State).is_some();
                next[s][t] = related[s][t] && own.iter().all(follows);
            }
        }
        if next == related {
            break;
        }
        related = next;
    }
    if !related[0][right.initial() as usize] {
        return Err(rounds);
    }
    let mut relation = Relation {
        parts: parts.len(),
        ..Relation::default()
    };
    let mut pairs = vec![(0, right.initial())];
    for s in 0..left.len() {
        for t in 0..right.states() as State {
            if related[s][t as usize] && (s, t) != pairs[0] {
                pairs.push((s, t));
            }
        }
    }
    for (s, t) in pairs {
        relation.left.extend(&left[s]);
        relation.right.push(t);
        for choice in &outs[s] {
            let (at, flows, needed) = matching(&related, choice, t).unwrap();
            if needed {
                relation
                    .weights
                    .push((relation.matches.len() as u64, flows));
            }
            relation.matches.push(Match { choice: at as u32 });
        }
    }
    Ok(relation)
}

/// Everything the system can do in so many steps, as a tree.
pub fn unroll(system: &System, depth: usize) -> Option<Counterexample> {
    let parts = system.parts();
    let product = Product::new(&parts);
    let mut builder = LptsBuilder::new("counterexample");
    let mut nodes = vec![(product.initial(), 0)];
    let mut at = 0;
    while at < nodes.len() {
        let (state, deep) = nodes[at].clone();
        if deep < depth {
            for (label, spread) in choices(&product, &state) {
                let mut branches = Vec::new();
                for (next, p) in spread {
                    branches.push((nodes.len() as State, p));
                    nodes.push((next, deep + 1));
                }
                builder.choice(at as State, label, &branches).unwrap();
            }
        }
        at += 1;
        if nodes.len() > 20_000 {
            return None;
        }
    }
    builder.states(nodes.len());
    Some(Counterexample {
        tree: builder.build(),
        states: nodes
            .into_iter()
            .map(|(s, _)| s.into_boxed_slice())
            .collect(),
    })
}

/// The certificate that takes the whole system for one group.
pub fn monolithic(system: &System, relation: Relation) -> Certificate {
    Certificate {
        groups: vec![(0..system.components.len()).collect()],
        assumptions: Vec::new(),
        premises: vec![relation],
    }
}

/// The certificate whose assumption is the composition of all components but the first.
pub fn split(system: &System, specification: &Lpts) -> Option<Certificate> {
    let parts = system.parts();
    let rest = compose("rest", &parts[1..], &SizeLimits::default(), &mut |_| Ok(()))
        .unwrap()
        .lpts;
    let first = simulate(&[parts[0], &rest], specification, &|l| system.observe(l)).ok()?;
    let second = simulate(&parts[1..], &rest, &|l| l).ok()?;
    Some(Certificate {
        groups: vec![vec![0], (1..parts.len()).collect()],
        assumptions: vec![rest],
        premises: vec![first, second],
    })
}

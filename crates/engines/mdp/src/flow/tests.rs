//! Against all subsets and against a flow in rationals.

use suppose_model::mdp::{Dist, DistId, Distributions};
use suppose_number::{Int, Rat};
use suppose_testkit::markov::{flow_exists, hall_holds};
use suppose_testkit::{Rng, for_each_seed};

use super::*;

fn random_dist(rng: &mut Rng, store: &mut Distributions) -> DistId {
    let most = *rng.pick(&[2, 5, 100, 1 << 50, u64::MAX]).unwrap();
    let mut parts: Vec<(u32, u64)> = (0..rng.between(1, 6) as u32)
        .map(|target| (target, rng.next_u64() % most + 1))
        .collect();
    store.insert_weights(&mut parts).unwrap()
}

/// Which states are related.
type Edges = Vec<Vec<bool>>;

fn random_edges(rng: &mut Rng) -> Edges {
    let chance = *rng.pick(&[30, 60, 90]).unwrap();
    let row = |rng: &mut Rng| (0..6).map(|_| rng.percent(chance)).collect();
    (0..6).map(|_| row(rng)).collect()
}

fn has(edges: &Edges, s: u32, t: u32) -> bool {
    edges[s as usize][t as usize]
}

fn check_weights(left: Dist<'_>, right: Dist<'_>, edges: &Edges, flows: &[Flow]) {
    let sum = |flows: Vec<&Flow>| flows.iter().fold(Rat::ZERO, |sum, f| &sum + &f.amount);
    for row in 0..left.len() {
        let sent = flows.iter().filter(|f| f.from as usize == row).collect();
        assert_eq!(sum(sent), left.probability(row));
    }
    for column in 0..right.len() {
        let sent = flows.iter().filter(|f| f.to as usize == column).collect();
        assert_eq!(sum(sent), right.probability(column));
    }
    for flow in flows {
        assert!(flow.amount.is_positive());
        let (s, t) = (
            left.targets()[flow.from as usize],
            right.targets()[flow.to as usize],
        );
        assert!(has(edges, s, t));
    }
}

fn check_witness(left: Dist<'_>, right: Dist<'_>, edges: &Edges, rows: &[u32]) {
    let supply = rows.iter().fold(Rat::ZERO, |sum, row| {
        &sum + &left.probability(*row as usize)
    });
    let reached = (0..right.len()).filter(|column| {
        let t = right.targets()[*column];
        rows.iter()
            .any(|row| has(edges, left.targets()[*row as usize], t))
    });
    let demand = reached.fold(Rat::ZERO, |sum, column| &sum + &right.probability(column));
    assert!(supply > demand);
}

#[test]
fn flows_and_witnesses() {
    for_each_seed(30_000, |rng| {
        let mut store = Distributions::new();
        let (left, right) = (random_dist(rng, &mut store), random_dist(rng, &mut store));
        let (left, right) = (store.get(left), store.get(right));
        let edges = random_edges(rng);
        let states = |s, t| has(&edges, s, t);
        let yes = hall_holds(left, right, &states);
        assert_eq!(flow_exists(left, right, &states), yes);
        match (related(left, right, states), witness(left, right, states)) {
            (Some(flows), None) if yes => check_weights(left, right, &edges, &flows),
            (None, Some(rows)) if !yes => check_witness(left, right, &edges, &rows),
            other => panic!("{other:?} where {yes} was expected"),
        }
    });
}

#[test]
fn repaired_flows_are_flows() {
    for_each_seed(10_000, |rng| {
        let mut store = Distributions::new();
        let (left, right) = (random_dist(rng, &mut store), random_dist(rng, &mut store));
        let (left, right) = (store.get(left), store.get(right));
        let mut edges = vec![vec![true; 6]; 6];
        let mut matcher = Matcher::default();
        assert!(matcher.related(left, right, |_, _| EDGE));
        let Some(mut kept) = matcher.keep() else {
            return;
        };
        loop {
            let (row, column) = (rng.below(left.len()), rng.below(right.len()));
            let (s, t) = (left.targets()[row], right.targets()[column]);
            edges[s as usize][t as usize] = false;
            let edge = |row: usize, column: usize| {
                has(&edges, left.targets()[row], right.targets()[column])
            };
            let repaired = !kept.uses(row, column) || kept.repair(row, column, edge);
            assert_eq!(repaired, hall_holds(left, right, &|s, t| has(&edges, s, t)));
            if !repaired {
                return;
            }
            let used = |row: usize, column: usize| kept.uses(row, column);
            assert!((0..left.len()).all(|r| (0..right.len()).all(|c| !used(r, c) || edge(r, c))));
        }
    });
}

#[test]
fn figure_4_4() {
    let mut store = Distributions::new();
    let left = store.insert_weights(&mut vec![(0, 1), (1, 1)]).unwrap();
    let right = store
        .insert_weights(&mut vec![(0, 1), (1, 1), (2, 1)])
        .unwrap();
    let (left, right) = (store.get(left), store.get(right));
    let flows = related(left, right, |s, t| s == t || s + 1 == t).unwrap();
    let sixths: Vec<_> = flows
        .iter()
        .map(|f| (f.from, f.to, &f.amount * &Rat::new(Int::from(6), Int::ONE)))
        .collect();
    let six = |n: i64| Rat::new(Int::from(n), Int::ONE);
    assert_eq!(
        sixths,
        [
            (0, 0, six(2)),
            (0, 1, six(1)),
            (1, 1, six(1)),
            (1, 2, six(2))
        ]
    );
    // Nothing is related to the third state on the right.
    assert_eq!(witness(left, right, |s, t| s == t), Some(vec![0, 1]));
}

//! The greatest fixpoint of Fig. 4.8 of Komuravelli's thesis, over all pairs, and two ways to relate distributions.

use suppose_model::lts::{Label, State};
use suppose_model::mdp::{Dist, Lpts};
use suppose_number::{Int, Rat};

/// The coarsest strong simulation: for every left state the right states related to it.
///
/// Labels of the left are seen as `seen` says; propositions that the right knows must agree, those unknown to the left are
/// false in it.
pub fn naive_simulation(left: &Lpts, right: &Lpts, seen: &[Label]) -> Vec<Vec<bool>> {
    naive_simulation_by(left, right, seen, hall_holds)
}

/// As [`naive_simulation`], relating distributions in the way given.
pub fn naive_simulation_by(
    left: &Lpts,
    right: &Lpts,
    seen: &[Label],
    related: impl Fn(Dist<'_>, Dist<'_>, &dyn Fn(State, State) -> bool) -> bool,
) -> Vec<Vec<bool>> {
    let see = |label: Label| seen.get(label.index()).copied().unwrap_or(label);
    let agree = |s: usize, t: usize| {
        right
            .propositions()
            .iter()
            .all(|(p, truth)| left.satisfies(s as State, *p).unwrap_or(false) == truth.contains(t))
    };
    let mut all: Vec<Vec<bool>> = (0..left.states())
        .map(|s| (0..right.states()).map(|t| agree(s, t)).collect())
        .collect();
    loop {
        let mut changed = false;
        for s in 0..left.states() {
            for t in 0..right.states() {
                let is_related = |u: State, v: State| all[u as usize][v as usize];
                let stays = left.choices(s as State).iter().all(|a| {
                    right.choices(t as State).iter().any(|b| {
                        see(a.label) == b.label
                            && related(left.dist(a.dist), right.dist(b.dist), &is_related)
                    })
                });
                if all[s][t] && !stays {
                    all[s][t] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return all;
        }
    }
}

/// Lemma 11: no set of states on the left has more probability than all that is related to it.
pub fn hall_holds(left: Dist<'_>, right: Dist<'_>, related: &dyn Fn(State, State) -> bool) -> bool {
    assert!(left.len() < 20, "there are too many subsets");
    let (sum_left, sum_right) = (left.total(), right.total());
    (0u32..1 << left.len()).all(|set| {
        let chosen = |row: &usize| set >> row & 1 == 1;
        let rows: Vec<usize> = (0..left.len()).filter(chosen).collect();
        let mut columns = (0..right.len()).collect::<Vec<_>>();
        columns.retain(|column| {
            let state = right.targets()[*column];
            rows.iter().any(|row| related(left.targets()[*row], state))
        });
        let mass = |dist: Dist<'_>, places: &[usize]| {
            places
                .iter()
                .fold(Int::ZERO, |sum, at| &sum + &dist.weight(*at))
        };
        &mass(left, &rows) * &sum_right <= &mass(right, &columns) * &sum_left
    })
}

/// Can all the probability be sent to related states? Augments along any path, in rationals.
pub fn flow_exists(
    left: Dist<'_>,
    right: Dist<'_>,
    related: &dyn Fn(State, State) -> bool,
) -> bool {
    let mut supply: Vec<Rat> = left.probabilities().map(|(_, p)| p).collect();
    let mut demand: Vec<Rat> = right.probabilities().map(|(_, p)| p).collect();
    let mut flow = vec![vec![Rat::ZERO; right.len()]; left.len()];
    let edge = |row: usize, column: usize| related(left.targets()[row], right.targets()[column]);
    loop {
        let Some(path) = path(&supply, &demand, &flow, &edge) else {
            return supply.iter().all(Rat::is_zero);
        };
        // Rows and columns in turn, a row first and a column last.
        let last = path.len() - 1;
        let mut amount = supply[path[0]].clone().min(demand[path[last]].clone());
        for at in (1..last).step_by(2) {
            amount = amount.min(flow[path[at + 1]][path[at]].clone());
        }
        supply[path[0]] = &supply[path[0]] - &amount;
        demand[path[last]] = &demand[path[last]] - &amount;
        for at in 0..last {
            let (row, column, sign) = match at % 2 {
                0 => (path[at], path[at + 1], &Rat::ONE),
                _ => (path[at + 1], path[at], &-&Rat::ONE),
            };
            flow[row][column] = &flow[row][column] + &(sign * &amount);
        }
    }
}

/// A shortest way from a row that has something to send to a column that wants more.
fn path(
    supply: &[Rat],
    demand: &[Rat],
    flow: &[Vec<Rat>],
    edge: &dyn Fn(usize, usize) -> bool,
) -> Option<Vec<usize>> {
    let starts = (0..supply.len()).filter(|row| !supply[*row].is_zero());
    let mut ways: std::collections::VecDeque<Vec<usize>> = starts.map(|row| vec![row]).collect();
    let mut seen = vec![false; demand.len()];
    while let Some(way) = ways.pop_front() {
        let row = way[way.len() - 1];
        for column in 0..demand.len() {
            if !edge(row, column) || seen[column] {
                continue;
            }
            seen[column] = true;
            let mut longer = way.clone();
            longer.push(column);
            if !demand[column].is_zero() {
                return Some(longer);
            }
            for back in (0..supply.len()).filter(|back| !flow[*back][column].is_zero()) {
                let mut longer = longer.clone();
                longer.push(back);
                ways.push_back(longer);
            }
        }
    }
    None
}

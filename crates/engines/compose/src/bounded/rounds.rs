//! Which labels may be the rounds.

use suppose_model::lts::{Label, Liveness, Network};

/// Sets of labels, those first that make small counters: the labels of each process that the claim speaks of, then those of all of
/// them, then all labels. If the claim may depend on steps that it does not speak of, the counter has to see all steps.
pub(super) fn candidates(network: &Network, claim: &Liveness) -> Vec<Vec<Label>> {
    let spoken = claim.labels();
    let processes = network.processes();
    let alphabet = |c: &usize| network.components[*c].lts.alphabet();
    let speaks_of = |c: &&usize| alphabet(c).iter().any(|l| spoken.binary_search(l).is_ok());
    let about: Vec<usize> = processes.iter().filter(speaks_of).copied().collect();
    let mut sets: Vec<Vec<Label>> = about.iter().map(|c| alphabet(c).to_vec()).collect();
    sets.sort_by_key(Vec::len);
    let union = |of: &[usize]| {
        let mut all: Vec<Label> = of.iter().flat_map(alphabet).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    sets.push(union(&about));
    sets.push(union(&processes));
    if !claim.ignores_foreign_steps() {
        let lts = |c: &usize| &network.components[*c].lts;
        let mut edges = processes.iter().flat_map(|c| lts(c).all_edges());
        sets.clear();
        if edges.all(|e| !e.1.is_tau()) {
            sets.push(union(&processes));
        }
    }
    let mut found: Vec<Vec<Label>> = Vec::new();
    for set in sets {
        if !set.is_empty() && !found.contains(&set) {
            found.push(set);
        }
    }
    found
}

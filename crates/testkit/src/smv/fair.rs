//! Infinite paths that are fair, in a finite graph.

/// A graph whose nodes are visited infinitely often or not.
pub(super) struct FairGraph<'a> {
    /// The successors of each node.
    pub(super) next: &'a [Vec<usize>],
    /// Nodes of each set must be visited infinitely often.
    pub(super) justice: Vec<Vec<bool>>,
    /// If nodes of the first set are visited infinitely often, then those of the second too.
    pub(super) compassion: Vec<(Vec<bool>, Vec<bool>)>,
}

impl FairGraph<'_> {
    /// The nodes from which a fair path leads through `inside` forever.
    pub(super) fn fair(&self, inside: &[bool]) -> Vec<bool> {
        let mut good = vec![false; inside.len()];
        self.collect(inside.to_vec(), &mut good);
        // Whatever reaches a fair component is fair.
        loop {
            let mut changed = false;
            for node in 0..inside.len() {
                if inside[node] && !good[node] && self.next[node].iter().any(|n| good[*n]) {
                    good[node] = true;
                    changed = true;
                }
            }
            if !changed {
                return good;
            }
        }
    }

    /// Marks the nodes of components on which a path can be fair.
    fn collect(&self, inside: Vec<bool>, good: &mut [bool]) {
        for component in components(self.next, &inside) {
            let mut within = vec![false; inside.len()];
            component.iter().for_each(|n| within[*n] = true);
            let goes_on = |n: &usize| self.next[*n].iter().any(|m| within[*m]);
            if !component.iter().any(goes_on) {
                continue;
            }
            let meets = |set: &[bool]| component.iter().any(|n| set[*n]);
            if !self.justice.iter().all(|set| meets(set)) {
                continue;
            }
            let broken = self.compassion.iter();
            let broken: Vec<_> = broken.filter(|(p, q)| meets(p) && !meets(q)).collect();
            if broken.is_empty() {
                component.iter().for_each(|n| good[*n] = true);
                continue;
            }
            // Without the second set, the first must be left behind too.
            for (p, _) in broken {
                component
                    .iter()
                    .filter(|n| p[**n])
                    .for_each(|n| within[*n] = false);
            }
            self.collect(within, good);
        }
    }
}

/// Strongly connected components of the nodes inside, after Kosaraju.
fn components(next: &[Vec<usize>], inside: &[bool]) -> Vec<Vec<usize>> {
    let count = inside.len();
    let mut before = vec![Vec::new(); count];
    for node in (0..count).filter(|n| inside[*n]) {
        for target in next[node].iter().filter(|t| inside[**t]) {
            before[*target].push(node);
        }
    }
    let mut finished = Vec::new();
    let mut seen = vec![false; count];
    for start in (0..count).filter(|n| inside[*n]) {
        walk(start, next, inside, &mut seen, &mut finished);
    }
    let mut seen = vec![false; count];
    let mut all = Vec::new();
    for start in finished.into_iter().rev() {
        let mut component = Vec::new();
        walk(start, &before, inside, &mut seen, &mut component);
        if !component.is_empty() {
            all.push(component);
        }
    }
    all
}

/// Depth first from a node; nodes are listed when they are finished.
fn walk(
    start: usize,
    next: &[Vec<usize>],
    inside: &[bool],
    seen: &mut [bool],
    finished: &mut Vec<usize>,
) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut open = vec![(start, 0)];
    while let Some((node, at)) = open.pop() {
        match next[node].get(at) {
            None => finished.push(node),
            Some(&target) => {
                open.push((node, at + 1));
                if inside[target] && !std::mem::replace(&mut seen[target], true) {
                    open.push((target, 0));
                }
            }
        }
    }
}

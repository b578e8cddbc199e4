//! Fair infinite paths in a finite graph.

/// An outgoing edge. Fairness constraints are sets of `line`s, which several edges may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GraphEdge {
    pub(super) to: usize,
    pub(super) line: usize,
}

/// Fairness constraints over the lines of a path.
#[derive(Clone, Debug, Default)]
pub(super) struct Fair {
    /// Justice: each set infinitely often.
    pub(super) justice: Vec<Vec<bool>>,
    /// Compassion: if the first set infinitely often, then the second too.
    pub(super) compassion: Vec<(Vec<bool>, Vec<bool>)>,
}

/// The nodes with a fair path that stays in `inside` (fair EG).
pub(super) fn fair_nodes(next: &[Vec<GraphEdge>], fair: &Fair, inside: &[bool]) -> Vec<bool> {
    let lines = next.iter().flatten().map(|a| a.line + 1).max().unwrap_or(0);
    let mut search = Search {
        next,
        fair,
        group: vec![0; next.len()],
        banned: vec![false; lines],
        good: vec![false; next.len()],
    };
    let all: Vec<usize> = (0..next.len()).filter(|n| inside[*n]).collect();
    let mut open = vec![all];
    let mut group = 0;
    while let Some(nodes) = open.pop() {
        group += 1;
        nodes.iter().for_each(|n| search.group[*n] = group);
        for component in search.components(&nodes, group) {
            open.extend(search.judge(component, &mut group));
        }
    }
    backwards(next, inside, search.good)
}

/// All nodes inside that reach one of the set without leaving.
pub(super) fn backwards(next: &[Vec<GraphEdge>], inside: &[bool], mut set: Vec<bool>) -> Vec<bool> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); next.len()];
    for (from, arrows) in next.iter().enumerate() {
        for arrow in arrows.iter().filter(|_| inside[from]) {
            before[arrow.to].push(from);
        }
    }
    let mut open: Vec<usize> = (0..next.len()).filter(|n| set[*n]).collect();
    while let Some(node) = open.pop() {
        for from in &before[node] {
            if !std::mem::replace(&mut set[*from], true) {
                open.push(*from);
            }
        }
    }
    set
}

struct Search<'a> {
    next: &'a [Vec<GraphEdge>],
    fair: &'a Fair,
    /// Only edges between nodes of one group count.
    group: Vec<usize>,
    /// Lines that no fair path of the component they are in may use forever.
    banned: Vec<bool>,
    good: Vec<bool>,
}

impl Search<'_> {
    fn arrows(&self, node: usize, group: usize) -> impl Iterator<Item = &GraphEdge> {
        let counts = move |a: &&GraphEdge| self.group[a.to] == group && !self.banned[a.line];
        self.next[node].iter().filter(counts)
    }

    /// Marks a component on which a path can be fair; gives back what is to be examined again with fewer lines.
    fn judge(&mut self, component: Vec<usize>, group: &mut usize) -> Option<Vec<usize>> {
        *group += 1;
        component.iter().for_each(|n| self.group[*n] = *group);
        let mut lines = Vec::new();
        for node in &component {
            lines.extend(self.arrows(*node, *group).map(|a| a.line));
        }
        let meets = |set: &[bool]| lines.iter().any(|l| set[*l]);
        if lines.is_empty() || !self.fair.justice.iter().all(|set| meets(set)) {
            return None;
        }
        let broken = self.fair.compassion.iter();
        let broken: Vec<_> = broken.filter(|(p, q)| meets(p) && !meets(q)).collect();
        if broken.is_empty() {
            component.iter().for_each(|n| self.good[*n] = true);
            return None;
        }
        // Without the second set, the first must be left behind too. A line of a component is in no other.
        for (p, _) in broken {
            for line in lines.iter().filter(|l| p[**l]) {
                self.banned[*line] = true;
            }
        }
        Some(component)
    }

    /// Strongly connected components of the nodes of a group, after Tarjan.
    fn components(&self, nodes: &[usize], group: usize) -> Vec<Vec<usize>> {
        const NEW: usize = usize::MAX;
        let mut number = vec![NEW; self.next.len()];
        let mut low = vec![NEW; self.next.len()];
        let mut on_stack = vec![false; self.next.len()];
        let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0);
        for start in nodes {
            if number[*start] != NEW {
                continue;
            }
            let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
            let mut enter = Some(*start);
            loop {
                if let Some(node) = enter.take() {
                    number[node] = count;
                    low[node] = count;
                    count += 1;
                    stack.push(node);
                    on_stack[node] = true;
                    open.push((node, self.arrows(node, group).map(|a| a.to).collect()));
                }
                let Some((node, targets)) = open.last_mut() else {
                    break;
                };
                let node = *node;
                match targets.pop() {
                    Some(to) if number[to] == NEW => enter = Some(to),
                    Some(to) if on_stack[to] => low[node] = low[node].min(number[to]),
                    Some(_) => {}
                    None => {
                        open.pop();
                        if let Some((parent, _)) = open.last() {
                            low[*parent] = low[*parent].min(low[node]);
                        }
                        if low[node] == number[node] {
                            found.push(unwind(&mut stack, &mut on_stack, node));
                        }
                    }
                }
            }
        }
        found
    }
}

fn unwind(stack: &mut Vec<usize>, on_stack: &mut [bool], to: usize) -> Vec<usize> {
    let mut component = Vec::new();
    while let Some(node) = stack.pop() {
        on_stack[node] = false;
        component.push(node);
        if node == to {
            break;
        }
    }
    component
}

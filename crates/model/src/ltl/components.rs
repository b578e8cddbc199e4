//! The reachable part of an automaton, and its strongly connected components (Tarjan's algorithm, without recursion).

use rustc_hash::FxHashMap;

/// The component of every vertex. Numbers fall along edges: a vertex leads to components of its own number or lower.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// The number of each vertex.
    pub of: Vec<u32>,
    /// The number of components.
    pub count: u32,
}

const NONE: u32 = u32::MAX;

impl Components {
    /// Of the graph in which `successors` appends to its second argument where a vertex leads.
    pub fn of(vertices: usize, mut successors: impl FnMut(u32, &mut Vec<u32>)) -> Components {
        let mut search = Search {
            index: vec![NONE; vertices],
            low: vec![0; vertices],
            of: vec![NONE; vertices],
            open: Vec::new(),
            next: 0,
            count: 0,
        };
        let mut row = Vec::new();
        for root in 0..vertices as u32 {
            if search.index[root as usize] != NONE {
                continue;
            }
            let mut path: Vec<(u32, Vec<u32>)> = Vec::new();
            row.clear();
            successors(root, &mut row);
            search.enter(root);
            path.push((root, row.clone()));
            while let Some((vertex, rest)) = path.last_mut() {
                let vertex = *vertex;
                let Some(target) = rest.pop() else {
                    path.pop();
                    search.leave(vertex, path.last().map(|p| p.0));
                    continue;
                };
                if search.index[target as usize] == NONE {
                    row.clear();
                    successors(target, &mut row);
                    search.enter(target);
                    path.push((target, row.clone()));
                } else if search.of[target as usize] == NONE {
                    let index = search.index[target as usize];
                    let low = &mut search.low[vertex as usize];
                    *low = (*low).min(index);
                }
            }
        }
        Components {
            of: search.of,
            count: search.count,
        }
    }
}

struct Search {
    index: Vec<u32>,
    low: Vec<u32>,
    of: Vec<u32>,
    open: Vec<u32>,
    next: u32,
    count: u32,
}

impl Search {
    fn enter(&mut self, vertex: u32) {
        self.index[vertex as usize] = self.next;
        self.low[vertex as usize] = self.next;
        self.next += 1;
        self.open.push(vertex);
    }

    fn leave(&mut self, vertex: u32, parent: Option<u32>) {
        let low = self.low[vertex as usize];
        if let Some(parent) = parent {
            let of_parent = &mut self.low[parent as usize];
            *of_parent = (*of_parent).min(low);
        }
        if low != self.index[vertex as usize] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.of[member as usize] = self.count;
            if member == vertex {
                break;
            }
        }
        self.count += 1;
    }
}

/// The states that can be reached when each is replaced by `name` of it, in breadth-first order, and their edges, sorted, with the
/// targets numbered in that order.
pub(super) fn reachable<E: Copy + Ord>(
    edges: &[Vec<E>],
    initial: u32,
    name: impl Fn(u32) -> u32,
    target: impl Fn(&mut E) -> &mut u32,
) -> (Vec<u32>, Vec<Vec<E>>) {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut order = vec![name(initial)];
    numbers.insert(order[0], 0);
    let mut rows = Vec::new();
    while rows.len() < order.len() {
        let mut row = edges[order[rows.len()] as usize].clone();
        for edge in &mut row {
            let to = target(edge);
            let named = name(*to);
            let next = order.len() as u32;
            *to = *numbers.entry(named).or_insert(next);
            if *to == next {
                order.push(named);
            }
        }
        row.sort_unstable();
        row.dedup();
        rows.push(row);
    }
    (order, rows)
}

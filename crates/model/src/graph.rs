//! Strongly connected components of graphs (Tarjan 1972, without recursion).
//!
//! ```
//! use suppose_model::graph::Components;
//!
//! let edges: [&[u32]; 3] = [&[1], &[0, 2], &[]];
//! let components = Components::of_lists(3, |v| edges[v as usize]);
//! assert_eq!((components.of[0], components.of[1], components.of[2]), (1, 1, 0));
//! ```

use std::convert::Infallible;

const NONE: u32 = u32::MAX;

/// So many vertices are entered between two calls of `poll`.
const POLL: u32 = 1024;

/// The strongly connected components of a graph. Numbers fall along edges: a vertex leads to components of its own number or lower.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// The number of each vertex's component.
    pub of: Vec<u32>,
    /// The vertices, component by component; in each, the vertex that was entered first is the last.
    pub members: Vec<u32>,
    /// Where each component begins in `members`, and the end.
    pub starts: Vec<u32>,
}

impl Components {
    /// Of the graph in which `next` gives the next successor of a vertex and moves the vertex's cursor, which begins at 0.
    pub fn find<E>(
        vertices: usize,
        mut next: impl FnMut(u32, &mut u32) -> Option<u32>,
        mut poll: impl FnMut() -> Result<(), E>,
    ) -> Result<Components, E> {
        let mut it = Components {
            of: vec![NONE; vertices],
            members: Vec::with_capacity(vertices),
            starts: vec![0],
        };
        let mut index = vec![NONE; vertices];
        let mut low = vec![0; vertices];
        let (mut entered, mut open, mut path) = (0, Vec::new(), Vec::new());
        for root in 0..vertices as u32 {
            if index[root as usize] != NONE {
                continue;
            }
            path.push((root, 0));
            while let Some((vertex, cursor)) = path.last_mut() {
                let vertex = *vertex;
                let v = vertex as usize;
                if index[v] == NONE {
                    if entered % POLL == 0 {
                        poll()?;
                    }
                    (index[v], low[v]) = (entered, entered);
                    entered += 1;
                    open.push(vertex);
                }
                let mut lowest = low[v];
                let down = loop {
                    match next(vertex, cursor) {
                        Some(to) if index[to as usize] == NONE => break Some(to),
                        // A vertex without a component is on the stack.
                        Some(to) if it.of[to as usize] == NONE => {
                            lowest = lowest.min(index[to as usize]);
                        }
                        Some(_) => {}
                        None => break None,
                    }
                };
                low[v] = lowest;
                if let Some(to) = down {
                    path.push((to, 0));
                    continue;
                }
                path.pop();
                if let Some((parent, _)) = path.last() {
                    let parent = *parent as usize;
                    low[parent] = low[parent].min(lowest);
                }
                if lowest == index[v] {
                    it.close(vertex, &mut open);
                }
            }
        }
        Ok(it)
    }

    /// Of the graph in which a vertex leads to the vertices of its list.
    pub fn of_lists<'a>(vertices: usize, list: impl Fn(u32) -> &'a [u32]) -> Components {
        Components::of_edges(vertices, |vertex, edge| list(vertex).get(edge).copied())
    }

    /// Of the graph in which `target` gives where the edge of that number leads from a vertex, if it has so many.
    pub fn of_edges(vertices: usize, target: impl Fn(u32, usize) -> Option<u32>) -> Components {
        let next = |vertex, cursor: &mut u32| {
            let to = target(vertex, *cursor as usize)?;
            *cursor += 1;
            Some(to)
        };
        let found = Components::find(vertices, next, || Ok::<(), Infallible>(()));
        found.unwrap_or_else(|never| match never {})
    }

    fn close(&mut self, root: u32, open: &mut Vec<u32>) {
        let number = self.count() as u32;
        while let Some(member) = open.pop() {
            self.of[member as usize] = number;
            self.members.push(member);
            if member == root {
                break;
            }
        }
        self.starts.push(self.members.len() as u32);
    }

    /// The number of components.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The vertices of a component.
    pub fn members(&self, component: usize) -> &[u32] {
        &self.members[self.starts[component] as usize..self.starts[component + 1] as usize]
    }

    /// The vertices of each component, from the lowest number.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.count()).map(|component| self.members(component))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All graphs of up to three vertices and some of four, beside the definition: two vertices are in one component if each reaches the other.
    #[test]
    fn components_are_the_classes_of_mutual_reachability() {
        for (n, step) in [(1_usize, 1), (2, 1), (3, 1), (4, 37)] {
            for bits in (0u32..1 << (n * n)).step_by(step) {
                let lists: Vec<Vec<u32>> = (0..n)
                    .map(|v| {
                        (0..n as u32)
                            .filter(|w| bits >> (v * n + *w as usize) & 1 == 1)
                            .collect()
                    })
                    .collect();
                let mut reaches = vec![vec![false; n]; n];
                for v in 0..n {
                    reaches[v][v] = true;
                    lists[v].iter().for_each(|w| reaches[v][*w as usize] = true);
                }
                for k in 0..n {
                    for v in 0..n {
                        for w in 0..n {
                            reaches[v][w] |= reaches[v][k] && reaches[k][w];
                        }
                    }
                }
                let found = Components::of_lists(n, |v| &lists[v as usize]);
                for (v, from) in reaches.iter().enumerate() {
                    for (w, &reached) in from.iter().enumerate() {
                        let both = reached && reaches[w][v];
                        assert_eq!(found.of[v] == found.of[w], both);
                        assert!(!reached || found.of[w] <= found.of[v]);
                    }
                }
                for (number, members) in found.iter().enumerate() {
                    assert!(
                        members
                            .iter()
                            .all(|m| found.of[*m as usize] as usize == number)
                    );
                }
                assert_eq!(found.members.len(), n);
            }
        }
    }
}

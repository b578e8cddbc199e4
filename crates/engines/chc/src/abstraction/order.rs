//! Weak topological orders (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993).
//!
//! A total order of the predicates with components in brackets, one inside the other. The *head* of a component is its first
//! member. An edge that does not go forwards leads to the head of a component in which it begins (condition 3.6 of
//! the thesis): so the heads are where loops begin.

use std::collections::BTreeMap;

use suppose_model::graph::Components;

/// The position of each predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    /// The place of each predicate in the order.
    pub(super) place: Vec<usize>,
    /// For each predicate the heads of the components that it is in, from the outermost to the innermost.
    pub(super) heads: Vec<Vec<usize>>,
}

impl Order {
    /// An order for the edges between `count` predicates. Loops begin where they are entered from outside (`entries`, or an edge
    /// from another component), if there is such a place.
    pub(super) fn new(count: usize, edges: &[(usize, usize)], entries: &[usize]) -> Order {
        let mut graph = Graph {
            to: vec![Vec::new(); count],
            from: vec![Vec::new(); count],
            entered: vec![false; count],
        };
        for &(a, b) in edges {
            graph.to[a].push(b);
            graph.from[b].push(a);
        }
        for &entry in entries {
            graph.entered[entry] = true;
        }
        let mut order = Order {
            place: vec![0; count],
            heads: vec![Vec::new(); count],
        };
        let mut next = 0;
        let mut open = vec![Open::Members((0..count).collect(), Vec::new())];
        while let Some(it) = open.pop() {
            let (part, heads) = match it {
                Open::Members(members, heads) => {
                    let parts = graph.components(&members).into_iter();
                    open.extend(parts.map(|part| Open::Component(part, heads.clone())));
                    continue;
                }
                Open::Component(part, heads) => (part, heads),
            };
            let loops = part.len() > 1 || graph.to[part[0]].contains(&part[0]);
            let head = match loops {
                true => graph.head(&part),
                false => part[0],
            };
            order.place[head] = next;
            next += 1;
            let mut around = heads;
            if loops {
                around.push(head);
            }
            order.heads[head].clone_from(&around);
            let inner: Vec<usize> = part.into_iter().filter(|&v| v != head).collect();
            if !inner.is_empty() {
                open.push(Open::Members(inner, around));
            }
        }
        order
    }
}

/// What is not in order yet, with the heads around it.
enum Open {
    /// Members of any components.
    Members(Vec<usize>, Vec<usize>),
    /// One component, all before which are in order.
    Component(Vec<usize>, Vec<usize>),
}

struct Graph {
    to: Vec<Vec<usize>>,
    from: Vec<Vec<usize>>,
    entered: Vec<bool>,
}

impl Graph {
    /// Where a strongly connected part is entered; else its first member.
    fn head(&self, part: &[usize]) -> usize {
        let outside = |v: &&usize| {
            self.entered[**v] || self.from[**v].iter().any(|before| !part.contains(before))
        };
        let entered = part.iter().filter(outside).min();
        entered.or(part.iter().min()).copied().unwrap_or(0)
    }

    /// The strongly connected components of some members: a component comes before those that lead to it.
    fn components(&self, members: &[usize]) -> Vec<Vec<usize>> {
        let place: BTreeMap<usize, u32> = members.iter().copied().zip(0..).collect();
        let inside = |v: &usize| self.to[*v].iter().filter_map(|w| place.get(w).copied());
        let lists: Vec<Vec<u32>> = members.iter().map(|v| inside(v).collect()).collect();
        let found = Components::of_lists(members.len(), |v| &lists[v as usize]);
        let back = |part: &[u32]| part.iter().rev().map(|v| members[*v as usize]).collect();
        found.iter().map(back).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fig. 3.10: an outer loop 1, 2, 3 with an inner loop at 2.
    #[test]
    fn a_nested_loop_has_two_heads() {
        let edges = [(0, 1), (1, 2), (2, 2), (2, 3), (3, 1), (1, 4)];
        let order = Order::new(5, &edges, &[0]);
        assert_eq!(order.heads[1], [1]);
        assert_eq!(order.heads[2], [1, 2]);
        assert_eq!(order.heads[3], [1]);
        assert!(order.heads[0].is_empty() && order.heads[4].is_empty());
        assert!(order.place[0] < order.place[1] && order.place[1] < order.place[2]);
        assert!(order.place[2] < order.place[3] && order.place[3] < order.place[4]);
    }

    /// Condition 3.6 on all graphs of three predicates.
    #[test]
    fn edges_back_lead_to_a_head_around() {
        for graph in 0..1 << 9 {
            let all = (0..9).filter(|bit| graph >> bit & 1 == 1);
            let edges: Vec<(usize, usize)> = all.map(|bit| (bit / 3, bit % 3)).collect();
            let order = Order::new(3, &edges, &[0]);
            let mut places = order.place.clone();
            places.sort_unstable();
            assert_eq!(places, [0, 1, 2], "{edges:?}");
            for &(a, b) in &edges {
                let back = order.place[b] <= order.place[a];
                assert!(!back || order.heads[a].contains(&b), "{edges:?} {order:?}");
            }
        }
    }
}

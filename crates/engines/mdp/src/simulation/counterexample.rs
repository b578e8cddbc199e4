//! From pairs that fell to a tree (Theorem 10 of the thesis, Fig. 4.12; Corollary 2).
//!
//! A node stands for a left state and a set of right states that must not simulate what hangs below it. All right states
//! that a node must rule out share its choices, so a choice of the left occurs at most once at a node, and the tree is reactive if the left is.
//! Why a pair fell is worked out anew from when pairs fell: it needs only pairs that fell before, so the
//! latest fall at a node is later than at its children, and the unfolding ends.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use suppose_control::{Context, Stopped};
use suppose_model::lts::State;
use suppose_model::mdp::{Dist, Tree};
use suppose_number::Int;

use super::local::{Local, range_on};
use super::sketch::{Node, Sketch, Step};
use super::table::Mark;
use crate::flow::{EDGE, Matcher};

/// With this many nodes, sets of several right states are widened so that there are not many more.
const MANY: usize = 20_000;

/// Sets of more targets than that are taken as they come.
const WIDE: usize = 64;

/// A left state and the right states to rule out, ascending.
type Key = (State, Vec<State>);

/// The right states to rule out at each target of a choice.
struct Need {
    choice: usize,
    targets: Vec<Vec<State>>,
}

struct Extract<'a> {
    local: &'a Local<'a>,
    matcher: Matcher,
    keys: Vec<Key>,
    numbers: HashMap<Key, u32, FxBuildHasher>,
    steps: Vec<Vec<Step>>,
}

/// The tree that shows why the initial states are not related.
pub(super) fn extract(local: &Local<'_>, cx: &Context) -> Result<Tree, Stopped> {
    let mut extract = Extract {
        local,
        matcher: Matcher::default(),
        keys: Vec::new(),
        numbers: HashMap::default(),
        steps: Vec::new(),
    };
    extract.number(local.left.initial(), vec![local.right.initial()]);
    let mut next = 0;
    while next < extract.keys.len() {
        cx.check()?;
        let steps = extract.plan(next);
        extract.steps.push(steps);
        next += 1;
    }
    extract.build(cx)
}

impl Extract<'_> {
    fn number(&mut self, state: State, mut rule_out: Vec<State>) -> u32 {
        if self.keys.len() > MANY && rule_out.len() > 1 {
            rule_out = self.widened(state, &rule_out);
        }
        let key = (state, rule_out);
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let number = self.keys.len() as u32;
        self.keys.push(key.clone());
        self.numbers.insert(key, number);
        number
    }

    /// All right states that fell with this left state no later than those: there are few such sets.
    fn widened(&self, state: State, rule_out: &[State]) -> Vec<State> {
        let latest = self.latest(state, rule_out);
        let all = 0..self.local.right.states() as State;
        all.filter(|t| {
            self.fell(state, *t)
                .is_some_and(|time| Some(time) <= latest)
        })
        .collect()
    }

    fn latest(&self, state: State, rule_out: &[State]) -> Option<u32> {
        rule_out.iter().filter_map(|t| self.fell(state, *t)).max()
    }

    /// When the pair fell; 0 if it can be told at a glance.
    fn fell(&self, s: State, t: State) -> Option<u32> {
        match self.local.table.get(s, t) {
            Mark::Fallen(time) => Some(time),
            _ => (!self.local.screen.passes(s, t)).then_some(0),
        }
    }

    /// What a node needs: choices of its state, and what to rule out at their targets.
    fn plan(&mut self, number: usize) -> Vec<Step> {
        let (state, mut rule_out) = self.keys[number].clone();
        rule_out.sort_by_key(|t| self.fell(state, *t));
        let mut needs: Vec<Need> = Vec::new();
        for t in rule_out {
            self.rule_out(state, t, &mut needs);
        }
        let mut steps = Vec::new();
        for need in needs {
            let choice = self.local.left.all_choices()[need.choice];
            let targets = self.local.left.dist(choice.dist).targets();
            let children = targets.iter().zip(need.targets);
            let children = children.map(|(s, set)| self.number(*s, set)).collect();
            steps.push((need.choice, children));
        }
        steps
    }

    /// Adds to the needs of a node for a left state what rules out the right state.
    fn rule_out(&mut self, s: State, t: State, needs: &mut Vec<Need>) {
        let local = self.local;
        if !local.screen.agrees(s, t) {
            return;
        }
        let mut best: Option<(u32, bool, usize)> = None;
        for choice in local.left.choice_range(s) {
            let limit = self.fell(s, t).unwrap_or(0);
            let limit = best.map_or(limit, |b| b.0);
            if let Some(time) = self.fails_from(choice, t, limit) {
                let new = !needs.iter().any(|need| need.choice == choice);
                best = best
                    .min(Some((time, new, choice)))
                    .or(Some((time, new, choice)));
            }
        }
        let Some((time, _, choice)) = best else {
            return;
        };
        let at = needs.iter().position(|need| need.choice == choice);
        let at = at.unwrap_or_else(|| {
            let dist = local.left.dist(local.left.all_choices()[choice].dist);
            let targets = vec![Vec::new(); dist.len()];
            needs.push(Need { choice, targets });
            needs.len() - 1
        });
        self.rule_out_choices(t, time, &mut needs[at]);
    }

    /// The first time, no later than `limit`, when nothing the right state has matches the choice of the left.
    fn fails_from(&mut self, choice: usize, t: State, limit: u32) -> Option<u32> {
        if !self.fails(choice, t, limit) {
            return None;
        }
        let (mut low, mut high) = (0, limit);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.fails(choice, t, middle) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        Some(low)
    }

    /// Does nothing match when only what fell before `time` is not related?
    fn fails(&mut self, choice: usize, t: State, time: u32) -> bool {
        let local = self.local;
        let choice = local.left.all_choices()[choice];
        let (from, upto) = range_on(local.right, t, local.seen, choice);
        let left = local.left.dist(choice.dist);
        (from..upto).all(|with| {
            let right = local.right.dist(local.right.all_choices()[with].dist);
            !self.related_at(left, right, time)
        })
    }

    fn related_at(&mut self, left: Dist<'_>, right: Dist<'_>, time: u32) -> bool {
        let mut matcher = std::mem::take(&mut self.matcher);
        let related = matcher.related(left, right, |row, column| {
            let (s, t) = (left.targets()[row], right.targets()[column]);
            match self.fell(s, t) {
                Some(fell) if fell < time => 0,
                _ => EDGE,
            }
        });
        self.matcher = matcher;
        related
    }

    /// Adds to the needs of one choice what keeps each choice of the right state from matching it.
    fn rule_out_choices(&mut self, t: State, time: u32, need: &mut Need) {
        let local = self.local;
        let choice = local.left.all_choices()[need.choice];
        let (from, upto) = range_on(local.right, t, local.seen, choice);
        let left = local.left.dist(choice.dist);
        for with in from..upto {
            let right = local.right.dist(local.right.all_choices()[with].dist);
            let targets = &need.targets;
            let enough = !self.matcher.related(left, right, |row, column| {
                u8::from(!targets[row].contains(&right.targets()[column]))
            });
            if enough || self.related_at(left, right, time) {
                continue;
            }
            let (rows, columns) = self.cut(left, right, time);
            for row in rows {
                let set = &mut need.targets[row];
                set.extend(columns.iter().map(|c| right.targets()[*c]));
                set.sort_unstable();
                set.dedup();
            }
        }
    }

    /// Places of targets of the left and of the right, not related before that time, whose being unrelated is enough.
    fn cut(&self, left: Dist<'_>, right: Dist<'_>, time: u32) -> (Vec<usize>, Vec<usize>) {
        let (sum_l, sum_r) = (left.total(), right.total());
        let supply = |row: usize| &left.weight(row) * &sum_r;
        let demand = |column: usize| &right.weight(column) * &sum_l;
        let fell = |row: usize, column: usize| {
            let fell = self.fell(left.targets()[row], right.targets()[column]);
            fell.filter(|fell| *fell < time)
        };
        // What the rows together cannot send, if nothing else is cut off: more than is left to receive.
        let cut_off = |rows: &[usize]| -> Vec<usize> {
            let all = 0..right.len();
            all.filter(|column| rows.iter().all(|row| fell(*row, *column).is_some()))
                .collect()
        };
        let surplus = |rows: &[usize], columns: &[usize]| -> Int {
            let supply = rows.iter().fold(Int::ZERO, |sum, row| &sum + &supply(*row));
            let cut = columns.iter().fold(Int::ZERO, |sum, c| &sum + &demand(*c));
            &(&supply + &cut) - &(&sum_l * &sum_r)
        };
        let lacking = self.matcher.lacking(left.len());
        let mut rows: Vec<usize> = lacking.iter().map(|row| *row as usize).collect();
        let single = (0..left.len()).find(|row| surplus(&[*row], &cut_off(&[*row])).is_positive());
        if let Some(single) = single {
            rows = vec![single];
        }
        let tried = if rows.len() <= WIDE {
            rows.clone()
        } else {
            Vec::new()
        };
        for row in tried {
            let rest: Vec<usize> = rows.iter().copied().filter(|r| *r != row).collect();
            if !rest.is_empty() && surplus(&rest, &cut_off(&rest)).is_positive() {
                rows = rest;
            }
        }
        let mut columns = cut_off(&rows);
        // What fell last has the deepest reasons: do without it first.
        columns.sort_by_key(|c| rows.iter().filter_map(|row| fell(*row, *c)).max());
        let mut spare = surplus(&rows, &columns);
        for at in (0..columns.len()).rev() {
            let less = &spare - &demand(columns[at]);
            if less.is_positive() {
                spare = less;
                columns.remove(at);
            }
        }
        (rows, columns)
    }

    fn build(self, cx: &Context) -> Result<Tree, Stopped> {
        let mut order: Vec<u32> = (0..self.keys.len() as u32).collect();
        // Children rule out only what fell earlier, so they come first.
        order.sort_by_key(|number| {
            let (state, rule_out) = &self.keys[*number as usize];
            self.latest(*state, rule_out)
        });
        let states = self.keys.iter().map(|key| key.0);
        let nodes = states.zip(self.steps);
        let mut sketch = Sketch {
            left: self.local.left,
            right: self.local.right,
            seen: self.local.seen,
            screen: &self.local.screen,
            nodes: nodes.map(|(state, steps)| Node { state, steps }).collect(),
        };
        sketch.minimise(cx)?;
        Ok(sketch.build(&order))
    }
}

//! Learning from conflicts, with the antecedents of what is learnt.

use super::{Conflict, HEADER, Kind, Lit, NodeId, Reason, Sat};

/// Buffers kept between conflicts.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(super) antecedents: Vec<NodeId>,
    learnt: Vec<Lit>,
    touched: Vec<usize>,
    stack: Vec<Lit>,
}

impl Sat {
    /// The node of a reason; `lit` is what it implied.
    fn reason_node(&mut self, lit: Lit, reason: Reason) -> NodeId {
        match reason.pair() {
            Some(other) => self.log.plain(Kind::Unate, &[lit, !other]),
            None => self.node_of(reason.0),
        }
    }

    /// Calls `each` with the literals of the reason, all false, except for the one implied.
    fn each_cause(&self, lit: Lit, reason: Reason, mut each: impl FnMut(Lit)) {
        match reason.pair() {
            Some(other) => each(!other),
            None => {
                let from = reason.0 as usize + HEADER;
                for &word in &self.arena[from..from + self.len_of(reason.0)] {
                    if word != lit.0 {
                        each(Lit(word));
                    }
                }
            }
        }
    }

    fn touch(&mut self, var: usize) {
        self.seen[var] = 1;
        self.scratch.touched.push(var);
    }

    fn forget_touched(&mut self) {
        while let Some(var) = self.scratch.touched.pop() {
            self.seen[var] = 0;
        }
    }

    /// Takes a literal of a clause that is resolved. True if it is of the level in question.
    fn take(&mut self, lit: Lit, level: u32) -> bool {
        let var = lit.var();
        if self.seen[var] != 0 {
            return false;
        }
        self.touch(var);
        if self.level[var] == 0 {
            let unit = self.unit[var];
            self.scratch.antecedents.push(unit);
            return false;
        }
        self.bump(var);
        if self.level[var] == level {
            return true;
        }
        self.scratch.learnt.push(lit);
        false
    }

    /// Learns from a conflict: goes back to where the learnt clause implies a literal, and assigns that.
    /// A conflict that needs no decision leaves the empty clause.
    pub(crate) fn resolve(&mut self, conflict: &Conflict) {
        self.conflicts += 1;
        let level = conflict.lits.iter().map(|&l| self.level_of(l)).max();
        let level = level.unwrap_or(0);
        self.backtrack(level);
        if level == 0 {
            let mut antecedents = vec![conflict.node];
            antecedents.extend(conflict.lits.iter().map(|l| self.unit[l.var()]));
            self.empty = Some(self.log.derived(&[], &antecedents));
            return;
        }
        self.scratch.antecedents.clear();
        self.scratch.antecedents.push(conflict.node);
        self.scratch.learnt.clear();
        self.scratch.learnt.push(Lit::NONE);
        let uip = self.first_unique(conflict, level as u32);
        self.scratch.learnt[0] = !uip;
        self.minimise();
        self.learn();
        self.forget_touched();
        self.decay();
    }

    /// Resolves until one literal of the conflict's level is left.
    fn first_unique(&mut self, conflict: &Conflict, level: u32) -> Lit {
        let mut open = 0usize;
        for &lit in &conflict.lits {
            open += usize::from(self.take(lit, level));
        }
        let mut at = self.trail.len();
        loop {
            at -= 1;
            let lit = self.trail[at];
            if self.seen[lit.var()] == 0 {
                continue;
            }
            open -= 1;
            if open == 0 {
                return lit;
            }
            let reason = self.reason[lit.var()];
            let node = self.reason_node(lit, reason);
            self.scratch.antecedents.push(node);
            if let Some(other) = reason.pair() {
                open += usize::from(self.take(!other, level));
            } else {
                self.bump_clause(reason.0);
                let from = reason.0 as usize + HEADER;
                for i in from..from + self.len_of(reason.0) {
                    let cause = Lit(self.arena[i]);
                    if cause != lit {
                        open += usize::from(self.take(cause, level));
                    }
                }
            }
        }
    }

    /// Drops literals that the others imply.
    fn minimise(&mut self) {
        let mut learnt = std::mem::take(&mut self.scratch.learnt);
        let mut kept = 1;
        for i in 1..learnt.len() {
            let lit = learnt[i];
            if !self.is_redundant(lit) {
                learnt[kept] = lit;
                kept += 1;
            }
        }
        learnt.truncate(kept);
        self.scratch.learnt = learnt;
    }

    /// Does every path of reasons from the literal end in literals already taken? What was found out on a way
    /// that failed is forgotten, so that each antecedent logged is used.
    fn is_redundant(&mut self, lit: Lit) -> bool {
        if self.reason[lit.var()] == Reason::DECISION {
            return false;
        }
        let touched = self.scratch.touched.len();
        let logged = self.scratch.antecedents.len();
        let mut stack = std::mem::take(&mut self.scratch.stack);
        stack.clear();
        stack.push(lit);
        let mut redundant = true;
        let mut causes = Vec::new();
        'walk: while let Some(lit) = stack.pop() {
            let reason = self.reason[lit.var()];
            let node = self.reason_node(!lit, reason);
            self.scratch.antecedents.push(node);
            causes.clear();
            self.each_cause(!lit, reason, |cause| causes.push(cause));
            for &cause in &causes {
                let var = cause.var();
                if self.seen[var] != 0 {
                    continue;
                }
                if self.level[var] == 0 {
                    self.touch(var);
                    let unit = self.unit[var];
                    self.scratch.antecedents.push(unit);
                } else if self.reason[var] == Reason::DECISION {
                    redundant = false;
                    break 'walk;
                } else {
                    self.touch(var);
                    stack.push(cause);
                }
            }
        }
        if !redundant {
            for var in self.scratch.touched.drain(touched..) {
                self.seen[var] = 0;
            }
            self.scratch.antecedents.truncate(logged);
        }
        self.scratch.stack = stack;
        redundant
    }

    fn learn(&mut self) {
        let mut learnt = std::mem::take(&mut self.scratch.learnt);
        let antecedents = std::mem::take(&mut self.scratch.antecedents);
        let node = self.log.derived(&learnt, &antecedents);
        self.scratch.antecedents = antecedents;
        let highest = (1..learnt.len()).max_by_key(|&i| self.level_of(learnt[i]));
        match highest {
            None => {
                self.backtrack(0);
                self.enqueue(learnt[0], Reason::DECISION);
                self.unit[learnt[0].var()] = node;
            }
            Some(second) => {
                learnt.swap(1, second);
                let level = self.level_of(learnt[1]);
                self.backtrack(level);
                let at = self.alloc(&learnt, node, true);
                self.enqueue(learnt[0], Reason::clause(at));
            }
        }
        self.scratch.learnt = learnt;
    }

    /// Given a decision that turned out false: the decisions that imply its negation, and the nodes which
    /// say so.
    pub(crate) fn why_false(&mut self, decision: Lit) -> (Vec<Lit>, Vec<NodeId>) {
        self.scratch.antecedents.clear();
        let mut decisions = Vec::new();
        self.touch(decision.var());
        for at in (0..self.trail.len()).rev() {
            let lit = self.trail[at];
            let var = lit.var();
            if self.seen[var] == 0 {
                continue;
            }
            let reason = self.reason[var];
            if self.level[var] == 0 {
                let unit = self.unit[var];
                self.scratch.antecedents.push(unit);
            } else if reason == Reason::DECISION {
                decisions.push(lit);
            } else {
                let node = self.reason_node(lit, reason);
                self.scratch.antecedents.push(node);
                let mut causes = std::mem::take(&mut self.scratch.stack);
                causes.clear();
                self.each_cause(lit, reason, |cause| causes.push(cause));
                for cause in &causes {
                    if self.seen[cause.var()] == 0 {
                        self.touch(cause.var());
                    }
                }
                self.scratch.stack = causes;
            }
        }
        self.forget_touched();
        (decisions, self.scratch.antecedents.clone())
    }
}

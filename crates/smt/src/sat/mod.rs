//! Propositional search: clauses, assignment, unit propagation.
//!
//! The search is our own rather than a library's because everything the engines ask for is read
//! off it: antecedents of learnt clauses, theory lemmas with their factors, and cores, tens of thousands of times
//! a second on small queries. Public solvers keep their antecedents to themselves.
//!
//! Clauses lie in one array of words ([`Sat::arena`]), watched by two of their literals; the watch lists
//! carry a blocking literal. What makes a clause true is kept in the [`Log`].

mod analyze;
mod heap;
mod lit;
mod log;

pub(crate) use lit::Lit;
pub(crate) use log::{Kind, Log, NodeId};

/// A clause, by its place in the arena.
pub(crate) type ClauseRef = u32;

/// Why a literal was assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reason(u32);

impl Reason {
    pub(crate) const DECISION: Reason = Reason(u32::MAX);
    const PAIR: u32 = 1 << 31;

    fn clause(at: ClauseRef) -> Reason {
        Reason(at)
    }

    /// The other literal, which is true, implies it: both are bounds of one linear form.
    pub(crate) fn implied_by(other: Lit) -> Reason {
        Reason(other.0 | Self::PAIR)
    }

    fn pair(self) -> Option<Lit> {
        (self != Self::DECISION && self.0 & Self::PAIR != 0).then_some(Lit(self.0 & !Self::PAIR))
    }
}

/// A clause that is false now.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    pub(crate) lits: Vec<Lit>,
    pub(crate) node: NodeId,
}

#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: ClauseRef,
    blocker: Lit,
}

// Header of a clause: length and flags, node, and for learnt clauses the activity (the bits of an `f32`).
const HEADER: usize = 3;
const LEARNT: u32 = 1 << 31;
const DEAD: u32 = 1 << 30;
const LENGTH: u32 = DEAD - 1;

/// So many words of the log are kept at most for what was learnt.
const LOG: usize = 1 << 25;

/// The state of the search.
#[derive(Debug)]
pub(crate) struct Sat {
    arena: Vec<u32>,
    wasted: usize,
    learnts: Vec<ClauseRef>,
    max_learnts: usize,
    watches: Vec<Vec<Watch>>,
    /// By literal: 1 if true, -1 if false, 0 if not assigned.
    values: Vec<i8>,
    level: Vec<u32>,
    reason: Vec<Reason>,
    /// The node of a variable assigned at level 0.
    unit: Vec<NodeId>,
    pub(crate) phase: Vec<bool>,
    pub(crate) activity: Vec<f64>,
    increment: f64,
    /// Variables to decide on by activity, and which ones come back when they lose their value: none unless
    /// [`Sat::rank`] was called.
    heap: heap::Heap,
    ranked: Vec<bool>,
    clause_increment: f32,
    seen: Vec<u8>,
    pub(crate) trail: Vec<Lit>,
    limits: Vec<u32>,
    head: usize,
    /// The shortest the trail has been since [`Sat::take_undone`].
    undone: usize,
    pub(crate) log: Log,
    /// The log is compacted when it has grown to this size, at least `log_least`.
    compacted: usize,
    log_least: usize,
    /// The empty clause, once it is derived.
    pub(crate) empty: Option<NodeId>,
    pub(crate) conflicts: u64,
    pub(crate) propagations: u64,
    scratch: analyze::Scratch,
}

impl Default for Sat {
    fn default() -> Self {
        Sat {
            arena: Vec::new(),
            wasted: 0,
            learnts: Vec::new(),
            max_learnts: 4000,
            watches: Vec::new(),
            values: Vec::new(),
            level: Vec::new(),
            reason: Vec::new(),
            unit: Vec::new(),
            phase: Vec::new(),
            activity: Vec::new(),
            increment: 1.0,
            heap: heap::Heap::default(),
            ranked: Vec::new(),
            clause_increment: 1.0,
            seen: Vec::new(),
            trail: Vec::new(),
            limits: Vec::new(),
            head: 0,
            undone: usize::MAX,
            log: Log::default(),
            compacted: 1 << 20,
            log_least: 1 << 20,
            empty: None,
            conflicts: 0,
            propagations: 0,
            scratch: analyze::Scratch::default(),
        }
    }
}

impl Sat {
    pub(crate) fn new_var(&mut self) -> u32 {
        let var = self.level.len() as u32;
        self.watches.push(Vec::new());
        self.watches.push(Vec::new());
        self.values.extend([0, 0]);
        self.level.push(0);
        self.reason.push(Reason::DECISION);
        self.unit.push(NodeId::MAX);
        self.phase.push(false);
        self.activity.push(0.0);
        self.seen.push(0);
        var
    }

    /// Some(true) if true, Some(false) if false.
    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        match self.values[lit.index()] {
            0 => None,
            v => Some(v > 0),
        }
    }

    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        self.values[lit.index()] > 0
    }

    pub(crate) fn is_false(&self, lit: Lit) -> bool {
        self.values[lit.index()] < 0
    }

    pub(crate) fn level(&self) -> usize {
        self.limits.len()
    }

    pub(crate) fn level_of(&self, lit: Lit) -> usize {
        self.level[lit.var()] as usize
    }

    /// Assigned whatever is assumed?
    pub(crate) fn is_fixed(&self, lit: Lit) -> bool {
        self.values[lit.index()] != 0 && self.level[lit.var()] == 0
    }

    fn len_of(&self, at: ClauseRef) -> usize {
        (self.arena[at as usize] & LENGTH) as usize
    }

    fn lit(&self, at: ClauseRef, i: usize) -> Lit {
        Lit(self.arena[at as usize + HEADER + i])
    }

    fn node_of(&self, at: ClauseRef) -> NodeId {
        self.arena[at as usize + 1]
    }

    fn lits_of(&self, at: ClauseRef) -> impl Iterator<Item = Lit> + '_ {
        let from = at as usize + HEADER;
        self.arena[from..from + self.len_of(at)]
            .iter()
            .map(|&w| Lit(w))
    }

    /// Makes a literal true that is not assigned.
    pub(crate) fn enqueue(&mut self, lit: Lit, reason: Reason) {
        debug_assert_eq!(self.values[lit.index()], 0);
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        let var = lit.var();
        self.level[var] = self.limits.len() as u32;
        self.reason[var] = reason;
        self.trail.push(lit);
        if self.limits.is_empty() {
            self.fix(lit, reason);
        }
    }

    /// Logs why a literal holds at level 0: its reason may then be forgotten.
    fn fix(&mut self, lit: Lit, reason: Reason) {
        let mut antecedents = std::mem::take(&mut self.scratch.antecedents);
        antecedents.clear();
        if let Some(other) = reason.pair() {
            antecedents.push(self.log.plain(Kind::Unate, &[lit, !other]));
            antecedents.push(self.unit[other.var()]);
        } else if reason != Reason::DECISION {
            antecedents.push(self.node_of(reason.0));
            antecedents.extend(
                self.lits_of(reason.0)
                    .filter(|&l| l != lit)
                    .map(|l| self.unit[l.var()]),
            );
        } else {
            // The caller sets the node.
            self.scratch.antecedents = antecedents;
            return;
        }
        self.unit[lit.var()] = self.log.derived(&[lit], &antecedents);
        self.reason[lit.var()] = Reason::DECISION;
        self.scratch.antecedents = antecedents;
    }

    /// At level 0: the literal holds because of that node, a clause of which all other literals are false.
    fn enqueue_unit(&mut self, lit: Lit, node: NodeId) {
        debug_assert!(self.limits.is_empty());
        let node = if self.log.lits(node).count() == 1 {
            node
        } else {
            let mut antecedents = vec![node];
            let others = self.log.lits(node).filter(|&l| l != lit);
            antecedents.extend(others.map(|l| self.unit[l.var()]));
            self.log.derived(&[lit], &antecedents)
        };
        self.enqueue(lit, Reason::DECISION);
        self.unit[lit.var()] = node;
    }

    fn alloc(&mut self, lits: &[Lit], node: NodeId, learnt: bool) -> ClauseRef {
        let at = self.arena.len() as u32;
        let flags = if learnt { LEARNT } else { 0 };
        self.arena.push(lits.len() as u32 | flags);
        self.arena.push(node);
        self.arena.push(self.clause_increment.to_bits());
        self.arena.extend(lits.iter().map(|l| l.0));
        self.attach(at);
        if learnt {
            self.learnts.push(at);
        }
        at
    }

    fn attach(&mut self, at: ClauseRef) {
        let (a, b) = (self.lit(at, 0), self.lit(at, 1));
        self.watches[a.index()].push(Watch {
            clause: at,
            blocker: b,
        });
        self.watches[b.index()].push(Watch {
            clause: at,
            blocker: a,
        });
    }

    /// At level 0: adds a clause that was given. Literals are distinct and none is the negation of
    /// another.
    pub(crate) fn add_input(&mut self, lits: &mut [Lit]) {
        debug_assert!(self.limits.is_empty());
        if self.empty.is_some() {
            return;
        }
        let node = self.log.plain(Kind::Input, lits);
        lits.sort_by_key(|&l| -i32::from(self.values[l.index()]));
        match lits {
            [] => self.empty = Some(node),
            [first, ..] if self.is_false(*first) => {
                let mut antecedents = vec![node];
                antecedents.extend(lits.iter().map(|l| self.unit[l.var()]));
                self.empty = Some(self.log.derived(&[], &antecedents));
            }
            [only] => {
                if self.value(*only).is_none() {
                    self.enqueue_unit(*only, node);
                }
            }
            [first, second, ..] if self.is_false(*second) => {
                if self.value(*first).is_none() {
                    self.enqueue_unit(*first, node);
                }
            }
            _ => {
                self.alloc(lits, node, false);
            }
        }
    }

    /// Adds a lemma of which one literal, the last of `lits`, is not assigned and all others are
    /// false, and propagates that one. The current level must be the highest among the others.
    pub(crate) fn add_lemma(&mut self, mut lits: Vec<Lit>, node: NodeId) {
        let conclusion = lits.len() - 1;
        if self.limits.is_empty() {
            self.enqueue_unit(lits[conclusion], node);
            return;
        }
        lits.swap(0, conclusion);
        if let Some(second) = (1..lits.len()).max_by_key(|&i| self.level_of(lits[i])) {
            lits.swap(1, second);
            let at = self.alloc(&lits, node, true);
            self.enqueue(lits[0], Reason::clause(at));
        } else {
            self.backtrack(0);
            self.enqueue_unit(lits[0], node);
        }
    }

    /// A new level that begins with a literal, if there is one.
    pub(crate) fn decide(&mut self, lit: Option<Lit>) {
        self.limits.push(self.trail.len() as u32);
        if let Some(lit) = lit {
            self.enqueue(lit, Reason::DECISION);
        }
    }

    /// Undoes all levels above the given one.
    pub(crate) fn backtrack(&mut self, level: usize) {
        if self.limits.len() <= level {
            return;
        }
        let keep = self.limits[level] as usize;
        for i in (keep..self.trail.len()).rev() {
            let lit = self.trail[i];
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phase[lit.var()] = lit.positive();
            if self.ranked.get(lit.var()) == Some(&true) {
                self.heap.insert(lit.var(), &self.activity);
            }
        }
        self.trail.truncate(keep);
        self.limits.truncate(level);
        self.head = self.head.min(keep);
        self.undone = self.undone.min(keep);
    }

    /// How much of the trail is as it was when this was last asked.
    pub(crate) fn take_undone(&mut self) -> usize {
        std::mem::replace(&mut self.undone, usize::MAX)
    }

    /// Unit propagation to the end, or to a clause that is false.
    pub(crate) fn propagate(&mut self) -> Option<Conflict> {
        while self.head < self.trail.len() {
            let lit = self.trail[self.head];
            self.head += 1;
            if let Some(at) = self.propagate_lit(!lit) {
                self.head = self.trail.len();
                return Some(Conflict {
                    lits: self.lits_of(at).collect(),
                    node: self.node_of(at),
                });
            }
        }
        None
    }

    fn propagate_lit(&mut self, falsified: Lit) -> Option<ClauseRef> {
        let mut list = std::mem::take(&mut self.watches[falsified.index()]);
        let (mut read, mut write) = (0, 0);
        let mut conflict = None;
        self.propagations += list.len() as u64;
        'watches: while read < list.len() {
            let watch = list[read];
            read += 1;
            if self.values[watch.blocker.index()] > 0 {
                list[write] = watch;
                write += 1;
                continue;
            }
            let base = watch.clause as usize + HEADER;
            let len = (self.arena[watch.clause as usize] & LENGTH) as usize;
            if self.arena[base] == falsified.0 {
                self.arena.swap(base, base + 1);
            }
            let first = Lit(self.arena[base]);
            let kept = Watch {
                clause: watch.clause,
                blocker: first,
            };
            let value = self.values[first.index()];
            if value <= 0 {
                for k in base + 2..base + len {
                    let other = Lit(self.arena[k]);
                    if self.values[other.index()] >= 0 {
                        self.arena.swap(base + 1, k);
                        self.watches[other.index()].push(kept);
                        continue 'watches;
                    }
                }
            }
            list[write] = kept;
            write += 1;
            if value < 0 {
                conflict = Some(watch.clause);
                list.copy_within(read.., write);
                write += list.len() - read;
                break;
            }
            if value == 0 {
                self.enqueue(first, Reason::clause(watch.clause));
            }
        }
        list.truncate(write);
        self.watches[falsified.index()] = list;
        conflict
    }

    pub(crate) fn bump(&mut self, var: usize) {
        self.activity[var] += self.increment;
        if self.activity[var] > 1e100 {
            for activity in &mut self.activity {
                *activity *= 1e-100;
            }
            self.increment *= 1e-100;
        }
        self.heap.grown(var, &self.activity);
    }

    /// From now on [`Sat::most_active`] chooses among these variables as well.
    pub(crate) fn rank(&mut self, var: usize) {
        if self.ranked.len() <= var {
            self.ranked.resize(var + 1, false);
        }
        self.ranked[var] = true;
        self.heap.insert(var, &self.activity);
    }

    /// Forgets what was ranked.
    pub(crate) fn unrank(&mut self) {
        self.ranked.clear();
        self.heap.clear();
    }

    /// The most active of the ranked variables that have no value, with the sign it had last.
    pub(crate) fn most_active(&mut self) -> Option<Lit> {
        while let Some(var) = self.heap.pop(&self.activity) {
            if self.values[Lit::new(var, true).index()] == 0 {
                return Some(Lit::new(var, self.phase[var as usize]));
            }
        }
        None
    }

    fn bump_clause(&mut self, at: ClauseRef) {
        if self.arena[at as usize] & LEARNT == 0 {
            return;
        }
        let slot = at as usize + 2;
        let activity = f32::from_bits(self.arena[slot]) + self.clause_increment;
        self.arena[slot] = activity.to_bits();
        if activity > 1e20 {
            for &learnt in &self.learnts {
                let slot = learnt as usize + 2;
                self.arena[slot] = (f32::from_bits(self.arena[slot]) * 1e-20).to_bits();
            }
            self.clause_increment *= 1e-20;
        }
    }

    fn decay(&mut self) {
        self.increment /= 0.95;
        self.clause_increment /= 0.999;
    }

    /// Forgets and compacts all the time.
    pub(crate) fn hurry(&mut self) {
        self.max_learnts = 4;
        self.log_least = 0;
        self.compacted = 0;
    }

    /// At level 0 between queries: forgets half of the learnt clauses if there are many, the least used first,
    /// and what the log keeps for nothing.
    pub(crate) fn tidy(&mut self) {
        debug_assert!(self.limits.is_empty());
        if self.learnts.len() > self.max_learnts {
            self.reduce();
            self.max_learnts += self.max_learnts / 20;
        }
        if self.log.size() > self.compacted {
            self.compact();
        }
        if self.log.size() > LOG {
            // What was learnt has too long a history: begin a new one.
            self.reduce_to(0);
            self.compact();
        }
    }

    /// Is it time to [`Sat::tidy`], though a query runs?
    pub(crate) fn is_untidy(&self) -> bool {
        self.learnts.len() > 2 * self.max_learnts || self.log.size() > 2 * LOG
    }

    fn reduce(&mut self) {
        self.reduce_to(self.learnts.len() / 2);
    }

    /// Nothing above level 0 is assigned, and level 0 needs no reasons, so no clause is in use.
    fn reduce_to(&mut self, keep: usize) {
        let activity = |sat: &Sat, at: ClauseRef| f32::from_bits(sat.arena[at as usize + 2]);
        let mut learnts = std::mem::take(&mut self.learnts);
        learnts.sort_by(|&a, &b| activity(self, b).total_cmp(&activity(self, a)));
        for (i, &at) in learnts.iter().enumerate() {
            if i >= keep && (keep == 0 || self.len_of(at) > 2) {
                self.arena[at as usize] |= DEAD;
                self.wasted += HEADER + self.len_of(at);
            }
        }
        learnts.retain(|&at| self.arena[at as usize] & DEAD == 0);
        self.learnts = learnts;
        self.collect();
    }

    /// Moves the living clauses together and builds the watch lists again.
    fn collect(&mut self) {
        let old = std::mem::take(&mut self.arena);
        self.learnts.clear();
        for list in &mut self.watches {
            list.clear();
        }
        let mut at = 0;
        while at < old.len() {
            let len = HEADER + (old[at] & LENGTH) as usize;
            let satisfied = old[at + HEADER..at + len]
                .iter()
                .any(|&w| self.values[w as usize] > 0);
            if old[at] & DEAD == 0 && !satisfied {
                let new = self.arena.len() as u32;
                self.arena.extend_from_slice(&old[at..at + len]);
                self.front_unassigned(new);
                self.attach(new);
                if old[at] & LEARNT != 0 {
                    self.learnts.push(new);
                }
            }
            at += len;
        }
        self.wasted = 0;
    }

    /// Literals that are false at level 0 must not be watched.
    fn front_unassigned(&mut self, at: ClauseRef) {
        let base = at as usize + HEADER;
        let end = base + self.len_of(at);
        let mut front = base;
        for i in base..end {
            if front < base + 2 && self.values[self.arena[i] as usize] == 0 {
                self.arena.swap(front, i);
                front += 1;
            }
        }
        debug_assert_eq!(front, base + 2, "units are propagated");
    }

    fn compact(&mut self) {
        let mut live: Vec<NodeId> = self.empty.into_iter().collect();
        live.extend(self.trail.iter().map(|l| self.unit[l.var()]));
        let mut at = 0;
        while at < self.arena.len() {
            live.push(self.arena[at + 1]);
            at += HEADER + (self.arena[at] & LENGTH) as usize;
        }
        let map = self.log.compact(live.into_iter());
        self.empty = self.empty.map(|node| map[node as usize]);
        for i in 0..self.trail.len() {
            let var = self.trail[i].var();
            self.unit[var] = map[self.unit[var] as usize];
        }
        let mut at = 0;
        while at < self.arena.len() {
            self.arena[at + 1] = map[self.arena[at + 1] as usize];
            at += HEADER + (self.arena[at] & LENGTH) as usize;
        }
        self.compacted = (2 * self.log.size()).max(self.log_least);
    }
}

//! Dynamic variable order: sifting (Rudell) of whole blocks.
//!
//! A swap of two neighbouring levels rewrites nodes in place, so edges from above and from outside stay what they are. While sifting,
//! every node carries the number of edges and handles to it, so that what dies in a swap is freed at once and the size is exact.

use fixedbitset::FixedBitSet;

use super::store::{Edge, Halt, NONE, Store, node_of};

/// A block may let the whole grow by so much on its way.
const GROWTH: f64 = 1.2;
/// So many blocks are moved, the largest first.
const BLOCKS: usize = 1000;

struct Sifter<'a> {
    store: &'a mut Store,
    /// Edges and handles to every node.
    users: Vec<u32>,
    /// First level and number of levels of every block, in the order of the levels.
    blocks: Vec<(u32, u32)>,
    /// For every variable those that occur with it in some function.
    meets: Vec<FixedBitSet>,
    affected: Vec<u32>,
    dead: Vec<usize>,
    /// Buckets and nodes looked at since the context was asked last.
    looked: usize,
}

/// So much is looked at between two questions whether to stop: about what operations do between two.
const LOOKS: usize = 16_384;

impl Store {
    /// Looks for a better order: for what handles refer to, right after collecting garbage, or for all nodes that there are. All nodes
    /// stay then, and so does what is known of them.
    pub(super) fn sift(&mut self, all: bool) -> Result<(), Halt> {
        self.reorderings += 1;
        for var in 0..self.tables.len() as u32 {
            self.shrink(var);
        }
        let mut users = self.users();
        let meets = match all {
            true => vec![all_ones(self.tables.len()); self.tables.len()],
            false => self.meetings(&users),
        };
        if all {
            users.iter_mut().for_each(|count| *count += 1);
        }
        let blocks = self.blocks();
        let mut sifter = Sifter {
            store: self,
            users,
            blocks,
            meets,
            affected: Vec::new(),
            dead: Vec::new(),
            looked: 0,
        };
        let done = sifter.run();
        match all {
            true => self.cache.forget_cofactors(),
            false => self.cache.clear(),
        }
        done
    }

    fn users(&self) -> Vec<u32> {
        let mut users = self.held.clone();
        for var in 0..self.tables.len() as u32 {
            for number in self.nodes_of(var) {
                let node = self.nodes[number as usize];
                users[node_of(node.high)] += 1;
                users[node_of(node.low)] += 1;
            }
        }
        users
    }

    /// Which variables occur together. Every function is below one that nothing else refers to.
    fn meetings(&self, users: &[u32]) -> Vec<FixedBitSet> {
        let vars = self.tables.len();
        let mut meets = vec![FixedBitSet::with_capacity(vars); vars];
        // In which round a node was looked at last.
        let mut seen = vec![0u32; self.nodes.len()];
        let mut stack: Vec<usize> = Vec::new();
        let mut support = FixedBitSet::with_capacity(vars);
        let mut round = 0;
        for (top, held) in self.held.iter().enumerate().skip(1) {
            if *held == 0 || users[top] != *held {
                continue;
            }
            round += 1;
            support.clear();
            stack.push(top);
            while let Some(number) = stack.pop() {
                if number == 0 || std::mem::replace(&mut seen[number], round) == round {
                    continue;
                }
                let node = self.nodes[number];
                support.insert(node.var as usize);
                stack.extend([node_of(node.high), node_of(node.low)]);
            }
            for var in support.ones() {
                meets[var].union_with(&support);
            }
        }
        meets
    }

    fn blocks(&self) -> Vec<(u32, u32)> {
        let mut blocks: Vec<(u32, u32)> = Vec::new();
        let mut last = None;
        for (level, var) in self.var_at.iter().enumerate() {
            let block = self.block_of[*var as usize];
            match blocks.last_mut() {
                Some((_, size)) if last == Some(block) => *size += 1,
                _ => blocks.push((level as u32, 1)),
            }
            last = Some(block);
        }
        blocks
    }
}

fn all_ones(count: usize) -> FixedBitSet {
    let mut all = FixedBitSet::with_capacity(count);
    all.insert_range(..);
    all
}

impl Sifter<'_> {
    fn run(&mut self) -> Result<(), Halt> {
        // Blocks are known by their first variable while they move.
        let weight = |it: &Self, (first, size): (u32, u32)| -> usize {
            let vars = (first..first + size).map(|l| it.store.var_at[l as usize]);
            vars.map(|v| it.store.tables[v as usize].count).sum()
        };
        let mut heads: Vec<(usize, u32)> = self
            .blocks
            .iter()
            .map(|b| (weight(self, *b), self.store.var_at[b.0 as usize]))
            .collect();
        heads.sort_by_key(|(weight, var)| (std::cmp::Reverse(*weight), *var));
        for (_, head) in heads.into_iter().take(BLOCKS) {
            self.store.cx.check()?;
            self.place(head);
            for _ in 0..std::mem::take(&mut self.looked) / LOOKS {
                self.store.cx.check()?;
            }
        }
        Ok(())
    }

    fn find(&self, head: u32) -> usize {
        let level = self.store.level_of[head as usize];
        self.blocks.partition_point(|(first, _)| *first <= level) - 1
    }

    /// Moves a block through all places, first to the nearer end, and leaves it at the best.
    fn place(&mut self, head: u32) {
        let start = self.find(head);
        let last = self.blocks.len() - 1;
        let (mut best, mut best_at) = (self.store.live(), start);
        let limit = (best as f64 * GROWTH) as usize + 16;
        let mut at = start;
        let ways = if start <= last / 2 {
            [false, true]
        } else {
            [true, false]
        };
        for down in ways {
            loop {
                let next = match down {
                    true if at < last => at + 1,
                    false if at > 0 => at - 1,
                    _ => break,
                };
                if down && self.store.live().saturating_sub(self.below(at)) >= best {
                    break;
                }
                self.exchange(at.min(next));
                at = next;
                let size = self.store.live();
                if size < best {
                    (best, best_at) = (size, at);
                }
                if size > limit {
                    break;
                }
            }
        }
        while at != best_at {
            let next = if at < best_at { at + 1 } else { at - 1 };
            self.exchange(at.min(next));
            at = next;
        }
    }

    /// How many nodes there are below a block. A block that goes down can make the whole smaller by no more: each node above
    /// still stands for a function of its own.
    fn below(&self, at: usize) -> usize {
        let (first, size) = self.blocks[at];
        let vars = &self.store.var_at[(first + size) as usize..];
        vars.iter()
            .map(|v| self.store.tables[*v as usize].count)
            .sum()
    }

    /// Exchanges two neighbouring blocks: every level of the lower one goes up through the upper one.
    fn exchange(&mut self, upper: usize) {
        let (first, above) = self.blocks[upper];
        let (_, below) = self.blocks[upper + 1];
        for moved in 0..below {
            let from = first + above + moved;
            for level in (first + moved..from).rev() {
                self.swap(level);
            }
        }
        self.blocks[upper] = (first, below);
        self.blocks[upper + 1] = (first + below, above);
    }

    /// Exchanges the variables of a level and the next.
    fn swap(&mut self, level: u32) {
        let (x, y) = (
            self.store.var_at[level as usize],
            self.store.var_at[level as usize + 1],
        );
        self.store.var_at.swap(level as usize, level as usize + 1);
        self.store.level_of.swap(x as usize, y as usize);
        if !self.meet(x, y) {
            return;
        }
        let mut affected = std::mem::take(&mut self.affected);
        self.looked += self.store.tables[x as usize].buckets.len();
        self.take_affected(x, y, &mut affected);
        self.looked += affected.len() * 8;
        for number in affected.drain(..) {
            self.rewrite(number, x, y);
        }
        self.affected = affected;
    }

    /// Takes the nodes of `x` that have a child on `y` out of their table.
    fn take_affected(&mut self, x: u32, y: u32, affected: &mut Vec<u32>) {
        for bucket in 0..self.store.tables[x as usize].buckets.len() {
            let mut at = self.store.tables[x as usize].buckets[bucket];
            let mut kept = NONE;
            while at != NONE {
                let next = self.store.nodes[at as usize].next;
                if self.touches(at, y) {
                    affected.push(at);
                } else {
                    match kept {
                        NONE => self.store.tables[x as usize].buckets[bucket] = at,
                        before => self.store.nodes[before as usize].next = at,
                    }
                    kept = at;
                }
                at = next;
            }
            match kept {
                NONE => self.store.tables[x as usize].buckets[bucket] = NONE,
                last => self.store.nodes[last as usize].next = NONE,
            }
        }
        self.store.tables[x as usize].count -= affected.len();
        self.store.shrink(x);
    }

    /// Is there a function that depends on both?
    fn meet(&self, x: u32, y: u32) -> bool {
        self.meets[x as usize].contains(y as usize)
    }

    fn touches(&self, number: u32, var: u32) -> bool {
        let node = self.store.nodes[number as usize];
        let of = |edge: Edge| self.store.nodes[node_of(edge)].var == var;
        of(node.high) || of(node.low)
    }

    /// The cofactors of a child by `y`.
    fn split(&self, edge: Edge, y: u32) -> (Edge, Edge) {
        let node = self.store.nodes[node_of(edge)];
        match node.var == y {
            true => (node.high ^ (edge & 1), node.low ^ (edge & 1)),
            false => (edge, edge),
        }
    }

    /// A node on `x` above `y` becomes a node on `y` above `x`, in its place.
    fn rewrite(&mut self, number: u32, x: u32, y: u32) {
        let node = self.store.nodes[number as usize];
        let (f11, f10) = self.split(node.high, y);
        let (f01, f00) = self.split(node.low, y);
        let high = self.make(x, f11, f01);
        let low = self.make(x, f10, f00);
        self.users[node_of(high)] += 1;
        self.users[node_of(low)] += 1;
        let it = &mut self.store.nodes[number as usize];
        (it.var, it.high, it.low) = (y, high, low);
        self.store.link(number);
        self.drop_user(node.high);
        self.drop_user(node.low);
    }

    /// As [`Store::make`], counting users of children of new nodes.
    fn make(&mut self, var: u32, high: Edge, low: Edge) -> Edge {
        if high == low {
            return high;
        }
        let sign = high & 1;
        let (high, low) = (high ^ sign, low ^ sign);
        if let Some(found) = self.store.find(var, high, low) {
            return found << 1 | sign;
        }
        let number = self.store.insert(var, high, low);
        if number as usize >= self.users.len() {
            self.users.resize(number as usize + 1, 0);
        }
        self.users[number as usize] = 0;
        self.users[node_of(high)] += 1;
        self.users[node_of(low)] += 1;
        number << 1 | sign
    }

    /// One user less; what has none left is freed with all that only it used.
    fn drop_user(&mut self, edge: Edge) {
        let number = node_of(edge);
        self.users[number] -= 1;
        if self.users[number] > 0 || number == 0 {
            return;
        }
        let mut dead = std::mem::take(&mut self.dead);
        dead.push(number);
        while let Some(number) = dead.pop() {
            let node = self.store.nodes[number];
            self.store.unlink(number as u32);
            self.store.release(number as u32);
            for child in [node_of(node.high), node_of(node.low)] {
                self.users[child] -= 1;
                if self.users[child] == 0 && child != 0 {
                    dead.push(child);
                }
            }
        }
        self.dead = dead;
    }
}

//! Dynamic variable order: sifting (Rudell) of whole blocks.
//!
//! A swap of two neighbouring levels rewrites nodes in place, so edges from above and from outside stay what they are. While sifting,
//! every node carries the number of edges and handles to it, so that what dies in a swap is freed at once and the size is exact.

use super::store::{Edge, Halt, Store, node_of};

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
}

impl Store {
    /// Looks for a better order. To be called right after collecting garbage.
    pub(super) fn sift(&mut self) -> Result<(), Halt> {
        self.reorderings += 1;
        let users = self.users();
        let blocks = self.blocks();
        let mut sifter = Sifter {
            store: self,
            users,
            blocks,
        };
        let done = sifter.run();
        self.cache.clear();
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
        let affected: Vec<u32> = self
            .store
            .nodes_of(x)
            .into_iter()
            .filter(|n| self.touches(*n, y))
            .collect();
        self.store.var_at.swap(level as usize, level as usize + 1);
        self.store.level_of.swap(x as usize, y as usize);
        for number in &affected {
            self.store.unlink(*number);
        }
        for number in affected {
            self.rewrite(number, x, y);
        }
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
        let mut stack = vec![node_of(edge)];
        while let Some(number) = stack.pop() {
            self.users[number] -= 1;
            if self.users[number] > 0 || number == 0 {
                continue;
            }
            let node = self.store.nodes[number];
            self.store.unlink(number as u32);
            self.store.release(number as u32);
            stack.extend([node_of(node.high), node_of(node.low)]);
        }
    }
}

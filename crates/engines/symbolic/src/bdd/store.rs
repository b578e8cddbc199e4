//! Nodes, their unique tables, and garbage.

use fixedbitset::FixedBitSet;
use suppose_control::{Context, Stopped};

use super::cache::{Cache, MOST_NODES};

/// A function: a node, and whether it is to be negated (the lowest bit).
pub(super) type Edge = u32;
pub(super) const TRUE: Edge = 0;
pub(super) const FALSE: Edge = 1;
/// The number of no node, and the level below all variables.
pub(super) const NONE: u32 = u32::MAX;

pub(super) fn node_of(edge: Edge) -> usize {
    (edge >> 1) as usize
}

pub(super) fn is_constant(edge: Edge) -> bool {
    edge <= FALSE
}

/// `if var then high else low`. The edge `high` is never negated: so every function has one form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) var: u32,
    pub(super) high: Edge,
    pub(super) low: Edge,
    /// The next node of the same bucket.
    pub(super) next: u32,
}

/// The nodes of one variable, by their children.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) buckets: Vec<u32>,
    pub(super) count: usize,
}

impl Table {
    fn new() -> Self {
        Table {
            buckets: vec![NONE; 16],
            count: 0,
        }
    }

    fn bucket(&self, high: Edge, low: Edge) -> usize {
        let mixed = (u64::from(high) << 32 | u64::from(low)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.buckets.len() - 1)
    }
}

/// With fewer nodes there is nothing to tidy up.
const FIRST_TIDYING: usize = 1 << 11;
/// With fewer nodes another order does not pay.
const FIRST_REORDERING: usize = 1 << 13;
/// And then not before there are so many times the nodes that an order left.
const UNTIL_REORDERING: usize = 3;

/// So many steps are done between two questions whether to stop.
const TICKS: u32 = 4_096;

/// Why an operation did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// It was told to stop.
    Stopped(Stopped),
    /// It made so many nodes that collecting garbage, and perhaps reordering, comes first; then it is
    /// to be run again.
    Tidy,
}

impl From<Stopped> for Halt {
    fn from(why: Stopped) -> Self {
        Halt::Stopped(why)
    }
}

pub(super) type Made = Result<Edge, Halt>;

/// Everything that the functions of one manager share.
pub(super) struct Store {
    pub(super) nodes: Vec<Node>,
    /// How many handles outside refer to a node.
    pub(super) held: Vec<u32>,
    free: Vec<u32>,
    pub(super) tables: Vec<Table>,
    /// The level of every variable, and the variable of every level.
    pub(super) level_of: Vec<u32>,
    pub(super) var_at: Vec<u32>,
    /// Variables of one block stay together when the order changes: the block of every variable.
    pub(super) block_of: Vec<u32>,
    pub(super) cache: Cache,
    pub(super) cx: Context,
    ticks: u32,
    weight: u32,
    /// More nodes than this: time to tidy up.
    pub(super) tidy_at: usize,
    /// More live nodes than this after collecting: time to reorder.
    pub(super) reorder_at: usize,
    /// More nodes than this are too many.
    pub(super) ceiling: usize,
    pub(super) reorders: bool,
    pub(super) reorderings: u64,
    /// How many renamings were made.
    pub(super) renamings: u32,
    pub(super) most: usize,
    /// In which walk a node was met last, and the number of the latest walk.
    met: Vec<u32>,
    walks: u32,
}

impl Store {
    pub(super) fn new(cx: Context) -> Self {
        let top = Node {
            var: NONE,
            high: TRUE,
            low: TRUE,
            next: NONE,
        };
        Store {
            nodes: vec![top],
            held: vec![1],
            free: Vec::new(),
            tables: Vec::new(),
            level_of: Vec::new(),
            var_at: Vec::new(),
            block_of: Vec::new(),
            cache: Cache::new(),
            cx,
            ticks: 0,
            weight: 1,
            tidy_at: FIRST_TIDYING,
            reorder_at: FIRST_REORDERING,
            ceiling: usize::MAX,
            reorders: true,
            reorderings: 0,
            renamings: 0,
            most: 0,
            met: Vec::new(),
            walks: 0,
        }
    }

    /// Visits all nodes below some edges, each once.
    pub(super) fn walk(&mut self, edges: impl Iterator<Item = Edge>, mut visit: impl FnMut(&Node)) {
        if self.met.len() < self.nodes.len() {
            self.met.resize(self.nodes.len(), 0);
        }
        self.walks = self.walks.wrapping_add(1);
        if self.walks == 0 {
            self.met.fill(0);
            self.walks = 1;
        }
        self.met[0] = self.walks;
        let mut stack: Vec<usize> = edges.map(node_of).collect();
        while let Some(number) = stack.pop() {
            if std::mem::replace(&mut self.met[number], self.walks) != self.walks {
                let node = &self.nodes[number];
                visit(node);
                stack.extend([node_of(node.high), node_of(node.low)]);
            }
        }
    }

    /// A new variable below all others, in that block.
    pub(super) fn add_var(&mut self, block: u32) -> u32 {
        let var = self.tables.len() as u32;
        self.tables.push(Table::new());
        self.level_of.push(var);
        self.var_at.push(var);
        self.block_of.push(block);
        var
    }

    /// How many nodes there are, dead ones that were not collected yet included.
    pub(super) fn live(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// The level of the variable on top; below all for constants.
    pub(super) fn level(&self, edge: Edge) -> u32 {
        match self.nodes[node_of(edge)].var {
            NONE => NONE,
            var => self.level_of[var as usize],
        }
    }

    /// The cofactors by the variable at `level`, which is not below that of the edge.
    pub(super) fn cofactors(&self, edge: Edge, level: u32) -> (Edge, Edge) {
        if self.level(edge) != level {
            return (edge, edge);
        }
        let node = self.nodes[node_of(edge)];
        let sign = edge & 1;
        (node.high ^ sign, node.low ^ sign)
    }

    /// Counts a step; now and then looks whether to stop. With many nodes a step counts for more, as it takes longer: what it looks at
    /// is seldom near the processor.
    pub(super) fn tick(&mut self) -> Result<(), Halt> {
        self.ticks += self.weight;
        if self.ticks >= TICKS {
            self.ticks = 0;
            self.weight = 1 + (self.live() >> 16) as u32;
            self.cx.check()?;
        }
        Ok(())
    }

    /// The function "if the variable at `level` then `high` else `low`"; both are below that level.
    pub(super) fn make(&mut self, level: u32, high: Edge, low: Edge) -> Made {
        if high == low {
            return Ok(high);
        }
        let sign = high & 1;
        let (high, low) = (high ^ sign, low ^ sign);
        let var = self.var_at[level as usize];
        if let Some(found) = self.find(var, high, low) {
            return Ok(found << 1 | sign);
        }
        if self.live() >= self.tidy_at {
            return Err(Halt::Tidy);
        }
        if self.nodes.len() == self.nodes.capacity() && self.free.is_empty() {
            if self.nodes.len() * 2 >= MOST_NODES {
                return Err(Stopped::Memory.into());
            }
            self.cx.reserve((self.nodes.len() * 24) as u64)?;
        }
        Ok(self.insert(var, high, low) << 1 | sign)
    }

    pub(super) fn find(&self, var: u32, high: Edge, low: Edge) -> Option<u32> {
        let table = &self.tables[var as usize];
        let mut at = table.buckets[table.bucket(high, low)];
        while at != NONE {
            let node = &self.nodes[at as usize];
            if node.high == high && node.low == low {
                return Some(at);
            }
            at = node.next;
        }
        None
    }

    /// A new node; the caller knows that there is none like it.
    pub(super) fn insert(&mut self, var: u32, high: Edge, low: Edge) -> u32 {
        let node = Node {
            var,
            high,
            low,
            next: NONE,
        };
        let number = match self.free.pop() {
            Some(number) => {
                self.nodes[number as usize] = node;
                number
            }
            None => {
                self.nodes.push(node);
                self.held.push(0);
                self.nodes.len() as u32 - 1
            }
        };
        self.most = self.most.max(self.live());
        self.link(number);
        number
    }

    /// Puts a node into the table of its variable.
    pub(super) fn link(&mut self, number: u32) {
        let Node { var, high, low, .. } = self.nodes[number as usize];
        let table = &mut self.tables[var as usize];
        let bucket = table.bucket(high, low);
        self.nodes[number as usize].next = table.buckets[bucket];
        table.buckets[bucket] = number;
        table.count += 1;
        if table.count > 2 * table.buckets.len() {
            self.resize(var);
        }
    }

    /// Takes a node out of the table of its variable.
    pub(super) fn unlink(&mut self, number: u32) {
        let Node {
            var,
            high,
            low,
            next,
        } = self.nodes[number as usize];
        let table = &mut self.tables[var as usize];
        let bucket = table.bucket(high, low);
        table.count -= 1;
        if table.buckets[bucket] == number {
            table.buckets[bucket] = next;
            return;
        }
        let mut at = table.buckets[bucket];
        while self.nodes[at as usize].next != number {
            at = self.nodes[at as usize].next;
        }
        self.nodes[at as usize].next = next;
    }

    /// A node that nothing refers to any more, already unlinked.
    pub(super) fn release(&mut self, number: u32) {
        self.free.push(number);
    }

    fn resize(&mut self, var: u32) {
        let size = self.tables[var as usize].buckets.len() * 4;
        self.rehash(var, size);
    }

    /// A table with far more places than nodes takes time to go through.
    pub(super) fn shrink(&mut self, var: u32) {
        let table = &self.tables[var as usize];
        let size = table.count.next_power_of_two().max(16);
        if table.buckets.len() > 4 * size {
            self.rehash(var, size);
        }
    }

    fn rehash(&mut self, var: u32, size: usize) {
        let numbers = self.nodes_of(var);
        let table = &mut self.tables[var as usize];
        table.buckets.clear();
        table.buckets.resize(size, NONE);
        for number in numbers {
            let Node { high, low, .. } = self.nodes[number as usize];
            let table = &mut self.tables[var as usize];
            let bucket = table.bucket(high, low);
            self.nodes[number as usize].next = table.buckets[bucket];
            table.buckets[bucket] = number;
        }
    }

    /// The nodes of a variable.
    pub(super) fn nodes_of(&self, var: u32) -> Vec<u32> {
        let table = &self.tables[var as usize];
        let mut numbers = Vec::with_capacity(table.count);
        for bucket in &table.buckets {
            let mut at = *bucket;
            while at != NONE {
                numbers.push(at);
                at = self.nodes[at as usize].next;
            }
        }
        numbers
    }

    /// Frees what no handle reaches.
    pub(super) fn collect(&mut self) {
        let mut reached = FixedBitSet::with_capacity(self.nodes.len());
        reached.insert(0);
        let mut stack: Vec<u32> = Vec::new();
        for (number, held) in self.held.iter().enumerate().skip(1) {
            if *held > 0 {
                stack.push(number as u32);
            }
        }
        while let Some(number) = stack.pop() {
            if !reached.put(number as usize) {
                let node = self.nodes[number as usize];
                stack.extend([node.high >> 1, node.low >> 1]);
            }
        }
        for var in 0..self.tables.len() {
            self.sweep(var, &reached);
        }
        self.cache.retain(|edge| reached.contains(node_of(edge)));
    }

    /// Takes the nodes of a variable that were not reached out of its table, and frees them.
    fn sweep(&mut self, var: usize, reached: &FixedBitSet) {
        for bucket in 0..self.tables[var].buckets.len() {
            let mut at = std::mem::replace(&mut self.tables[var].buckets[bucket], NONE);
            while at != NONE {
                let next = self.nodes[at as usize].next;
                if reached.contains(at as usize) {
                    self.nodes[at as usize].next = self.tables[var].buckets[bucket];
                    self.tables[var].buckets[bucket] = at;
                } else {
                    self.tables[var].count -= 1;
                    self.free.push(at);
                }
                at = next;
            }
        }
    }

    /// Collects garbage, reorders if that did not help, and sets the next marks.
    pub(super) fn tidy(&mut self) -> Result<(), Halt> {
        self.collect();
        if self.reorders && self.live() > self.reorder_at {
            self.sift(false)?;
            self.reorder_at = (self.live() * UNTIL_REORDERING).max(FIRST_REORDERING);
        }
        if self.live() > self.ceiling {
            return Err(Stopped::Superseded.into());
        }
        self.cache.fit(self.live());
        // Collecting goes through the cache too, which never shrinks: with few nodes and a large cache it is put off.
        let least = self.cache.len().max(FIRST_TIDYING);
        self.tidy_at = (self.live() * 3).max(least);
        Ok(())
    }

    /// In the middle of an operation that makes many nodes: looks for an order that suits all of them, and loses no result.
    pub(super) fn reorder_all(&mut self) -> Result<(), Halt> {
        if self.reorders && self.live() > self.reorder_at * 4 {
            self.sift(true)?;
            self.reorder_at = self.live() * UNTIL_REORDERING;
        }
        self.cache.fit(self.live());
        Ok(())
    }

    /// Before an operation: a good moment to tidy up.
    pub(super) fn enter(&mut self) -> Result<(), Halt> {
        let live = self.live();
        if live * 2 > self.tidy_at || (self.reorders && live > self.reorder_at * 2) {
            self.tidy()?;
        }
        Ok(())
    }
}

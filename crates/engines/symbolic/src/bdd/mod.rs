//! Binary decision diagrams with complement edges and dynamic variable order.
//!
//! A [`Bdds`] owns the nodes; a [`Bdd`] is a handle that keeps its function alive. Operations look at the [`Context`] they were
//! given, so that any of them can be stopped. Garbage is collected, and the order of the variables improved, when the
//! nodes have doubled; an operation that runs into that mark is begun again afterwards, so nothing inside an operation needs
//! to be protected.
//!
//! Why not a library: the ones in Rust either have no dynamic reordering or cannot be stopped inside an operation, and both are what the engine needs most.

mod cache;
mod ops;
mod reorder;
mod store;

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_number::Int;

use store::{Edge, FALSE, Halt, Made, Store, TRUE, is_constant, node_of};

/// A variable, by its number.
pub type Var = u32;

/// A place for functions over common variables.
#[derive(Clone)]
pub struct Bdds {
    store: Rc<RefCell<Store>>,
}

/// A function. Equal functions of one [`Bdds`] are equal handles.
pub struct Bdd {
    edge: Edge,
    store: Rc<RefCell<Store>>,
}

/// Other variables in place of some; made by [`Bdds::renaming`].
#[derive(Clone, Debug)]
pub struct Renaming {
    map: Rc<[Var]>,
    number: u32,
}

impl Clone for Bdd {
    fn clone(&self) -> Self {
        self.store.borrow_mut().held[node_of(self.edge)] += 1;
        Bdd {
            edge: self.edge,
            store: Rc::clone(&self.store),
        }
    }
}

impl Drop for Bdd {
    fn drop(&mut self) {
        self.store.borrow_mut().held[node_of(self.edge)] -= 1;
    }
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Self) -> bool {
        self.edge == other.edge && Rc::ptr_eq(&self.store, &other.store)
    }
}

impl Eq for Bdd {}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdd({}, {} nodes)", self.edge, self.size())
    }
}

impl fmt::Debug for Bdds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let store = self.store.borrow();
        write!(
            f,
            "Bdds({} variables, {} nodes)",
            store.tables.len(),
            store.live()
        )
    }
}

impl Bdds {
    /// No variables yet.
    pub fn new(cx: Context) -> Self {
        Bdds {
            store: Rc::new(RefCell::new(Store::new(cx))),
        }
    }

    /// From now on an operation ends as superseded when there are more nodes than that, those included that it makes on its way.
    pub fn set_most(&self, nodes: Option<usize>) {
        self.store.borrow_mut().ceiling = nodes.unwrap_or(usize::MAX);
    }

    /// From now on under that context.
    pub fn set_context(&self, cx: Context) {
        self.store.borrow_mut().cx = cx;
    }

    /// Shall the order of the variables change when nodes have doubled? It does unless told otherwise.
    pub fn set_reordering(&self, on: bool) {
        self.store.borrow_mut().reorders = on;
    }

    /// A new variable below all others. Variables with the same block number, made one after another, stay together.
    pub fn var(&self, block: u32) -> Var {
        self.store.borrow_mut().add_var(block)
    }

    /// How many variables.
    pub fn vars(&self) -> usize {
        self.store.borrow().tables.len()
    }

    fn handle(&self, edge: Edge) -> Bdd {
        handle(&self.store, edge)
    }

    /// True or false.
    pub fn constant(&self, value: bool) -> Bdd {
        self.handle(if value { TRUE } else { FALSE })
    }

    /// The variable itself.
    pub fn literal(&self, var: Var, value: bool) -> Result<Bdd, Stopped> {
        run(&self.store, |s| {
            let level = s.level_of[var as usize];
            Ok(s.make(level, TRUE, FALSE)? ^ u32::from(!value))
        })
    }

    /// The conjunction of variables: the set to quantify over.
    pub fn cube(&self, vars: &[Var]) -> Result<Bdd, Stopped> {
        run(&self.store, |s| s.cube(vars))
    }

    /// The conjunction of variables and negated variables.
    pub fn minterm(&self, literals: &[(Var, bool)]) -> Result<Bdd, Stopped> {
        run(&self.store, |s| {
            let mut levels: Vec<(u32, bool)> = literals
                .iter()
                .map(|(v, value)| (s.level_of[*v as usize], *value))
                .collect();
            levels.sort_unstable();
            levels.dedup();
            let mut made = TRUE;
            for pair in levels.iter().rev() {
                let (high, low) = if pair.1 { (made, FALSE) } else { (FALSE, made) };
                made = s.make(pair.0, high, low)?;
            }
            Ok(made)
        })
    }

    /// Each first variable is to become the second.
    pub fn renaming(&self, pairs: &[(Var, Var)]) -> Renaming {
        let mut map: Vec<Var> = (0..self.vars() as u32).collect();
        for (from, to) in pairs {
            map[*from as usize] = *to;
        }
        // Results of renamings are remembered under this number, so it is never used twice.
        let mut store = self.store.borrow_mut();
        store.renamings += 1;
        Renaming {
            map: map.into(),
            number: store.renamings,
        }
    }

    /// The variables from the top down.
    pub fn order(&self) -> Vec<Var> {
        self.store.borrow().var_at.clone()
    }

    /// How many nodes are in use now, after collecting garbage.
    pub fn live(&self) -> usize {
        let mut store = self.store.borrow_mut();
        store.collect();
        store.live()
    }

    /// The most nodes there were at once, garbage included, since [`Bdds::restart_peak`] or ever.
    pub fn peak(&self) -> usize {
        self.store.borrow().most
    }

    /// Collects garbage, and counts the most nodes from now on.
    pub fn restart_peak(&self) {
        let mut store = self.store.borrow_mut();
        store.collect();
        store.most = store.live();
    }

    /// How often the order was looked over.
    pub fn reorderings(&self) -> u64 {
        self.store.borrow().reorderings
    }

    /// Looks for a better order now.
    pub fn reorder(&self) -> Result<(), Stopped> {
        let mut store = self.store.borrow_mut();
        store.collect();
        match store.sift(false) {
            Err(Halt::Stopped(why)) => Err(why),
            _ => Ok(()),
        }
    }

    /// How many nodes the functions have together, shared ones once.
    pub fn shared_size<'a>(&self, functions: impl IntoIterator<Item = &'a Bdd>) -> usize {
        let mut store = self.store.borrow_mut();
        size(&mut store, functions.into_iter().map(|f| f.edge))
    }
}

fn handle(store: &Rc<RefCell<Store>>, edge: Edge) -> Bdd {
    store.borrow_mut().held[node_of(edge)] += 1;
    Bdd {
        edge,
        store: Rc::clone(store),
    }
}

/// Runs an operation, again after tidying up if it made too many nodes.
fn run(store: &Rc<RefCell<Store>>, operation: impl Fn(&mut Store) -> Made) -> Result<Bdd, Stopped> {
    let edge = {
        let mut store = store.borrow_mut();
        let done = store.enter().and_then(|()| {
            let mut halts = 0;
            loop {
                match operation(&mut store) {
                    Err(Halt::Tidy) => {
                        if store.live() > store.ceiling {
                            return Err(Stopped::Superseded.into());
                        }
                        // It comes back with more room, whatever was freed: so it ends.
                        let before = store.tidy_at;
                        match halts {
                            0 => store.tidy()?,
                            _ => store.reorder_all()?,
                        }
                        halts += 1;
                        store.tidy_at = store.tidy_at.max(before * 2);
                    }
                    done => break done,
                }
            }
        });
        match done {
            Ok(edge) => edge,
            Err(Halt::Stopped(why)) => return Err(why),
            // Only `make` asks for it, and the loop above answers.
            Err(Halt::Tidy) => return Err(Stopped::Memory),
        }
    };
    Ok(handle(store, edge))
}

fn size(store: &mut Store, edges: impl Iterator<Item = Edge>) -> usize {
    // The constant is a node as well.
    let mut size = 1;
    store.walk(edges, |_| size += 1);
    size
}

impl Bdd {
    fn run(&self, operation: impl Fn(&mut Store) -> Made) -> Result<Bdd, Stopped> {
        run(&self.store, operation)
    }

    /// Always true?
    pub fn is_true(&self) -> bool {
        self.edge == TRUE
    }

    /// Never true?
    pub fn is_false(&self) -> bool {
        self.edge == FALSE
    }

    /// Not.
    pub fn not(&self) -> Bdd {
        handle(&self.store, self.edge ^ 1)
    }

    /// Both.
    pub fn and(&self, other: &Bdd) -> Result<Bdd, Stopped> {
        self.run(|s| s.and(self.edge, other.edge))
    }

    /// At least one.
    pub fn or(&self, other: &Bdd) -> Result<Bdd, Stopped> {
        self.run(|s| s.or(self.edge, other.edge))
    }

    /// This and not the other.
    pub fn minus(&self, other: &Bdd) -> Result<Bdd, Stopped> {
        self.run(|s| s.and(self.edge, other.edge ^ 1))
    }

    /// Exactly one.
    pub fn xor(&self, other: &Bdd) -> Result<Bdd, Stopped> {
        self.run(|s| s.xor(self.edge, other.edge))
    }

    /// Both or none.
    pub fn iff(&self, other: &Bdd) -> Result<Bdd, Stopped> {
        self.run(|s| Ok(s.xor(self.edge, other.edge)? ^ 1))
    }

    /// This implies the other.
    pub fn implies(&self, other: &Bdd) -> Result<Bdd, Stopped> {
        self.run(|s| s.or(self.edge ^ 1, other.edge))
    }

    /// If this then one else the other.
    pub fn ite(&self, then: &Bdd, otherwise: &Bdd) -> Result<Bdd, Stopped> {
        self.run(|s| s.ite(self.edge, then.edge, otherwise.edge))
    }

    /// For some values of the variables of the cube.
    pub fn exists(&self, cube: &Bdd) -> Result<Bdd, Stopped> {
        self.run(|s| s.exists(self.edge, cube.edge))
    }

    /// For all values of the variables of the cube.
    pub fn forall(&self, cube: &Bdd) -> Result<Bdd, Stopped> {
        self.run(|s| Ok(s.exists(self.edge ^ 1, cube.edge)? ^ 1))
    }

    /// For some values of the variables of the cube both are true: an image in one step.
    pub fn and_exists(&self, other: &Bdd, cube: &Bdd) -> Result<Bdd, Stopped> {
        self.run(|s| s.and_exists(self.edge, other.edge, cube.edge))
    }

    /// A function that agrees with this one where `care` is true, often a smaller one (the generalised cofactor). If `care` is
    /// never true, this function.
    pub fn constrain(&self, care: &Bdd) -> Result<Bdd, Stopped> {
        match care.is_false() {
            true => Ok(self.clone()),
            false => self.run(|s| s.constrain(self.edge, care.edge)),
        }
    }

    /// As [`Bdd::constrain`], without variables that this function does not have.
    pub fn restrict(&self, care: &Bdd) -> Result<Bdd, Stopped> {
        match care.is_false() {
            true => Ok(self.clone()),
            false => self.run(|s| s.restrict(self.edge, care.edge)),
        }
    }

    /// Other variables in place of some. No two variables of the function may become the same.
    pub fn rename(&self, renaming: &Renaming) -> Result<Bdd, Stopped> {
        self.run(|s| s.rename(self.edge, &renaming.map, renaming.number))
    }

    /// Does it imply the other everywhere?
    pub fn is_within(&self, other: &Bdd) -> Result<bool, Stopped> {
        Ok(self.minus(other)?.is_false())
    }

    /// Is it true of some assignment together with the other?
    pub fn meets(&self, other: &Bdd) -> Result<bool, Stopped> {
        Ok(!self.and(other)?.is_false())
    }

    /// Its value under an assignment.
    pub fn eval(&self, value: impl Fn(Var) -> bool) -> bool {
        let store = self.store.borrow();
        let mut at = self.edge;
        while !is_constant(at) {
            let node = store.nodes[node_of(at)];
            let next = if value(node.var) { node.high } else { node.low };
            at = next ^ (at & 1);
        }
        at == TRUE
    }

    /// Some assignment that makes it true, of the variables that matter on one path; none if there is none.
    pub fn path(&self) -> Option<Vec<(Var, bool)>> {
        self.store.borrow().path(self.edge)
    }

    /// The variables it depends on, ascending.
    pub fn support(&self) -> Vec<Var> {
        let mut store = self.store.borrow_mut();
        let mut vars = fixedbitset::FixedBitSet::with_capacity(store.tables.len());
        store.walk(std::iter::once(self.edge), |node| {
            vars.insert(node.var as usize)
        });
        vars.ones().map(|v| v as Var).collect()
    }

    /// Its decisions (variable, where to go if it is true, where if not), parts before wholes, and where to begin: 0 is false,
    /// 1 true and `n + 2` decision `n`.
    pub fn nodes(&self) -> (Vec<(Var, u32, u32)>, u32) {
        let store = self.store.borrow();
        let mut numbers: FxHashMap<Edge, u32> = FxHashMap::from_iter([(FALSE, 0), (TRUE, 1)]);
        let mut nodes = Vec::new();
        let mut stack = vec![self.edge];
        while let Some(&edge) = stack.last() {
            if numbers.contains_key(&edge) {
                stack.pop();
                continue;
            }
            let node = store.nodes[node_of(edge)];
            let (high, low) = (node.high ^ (edge & 1), node.low ^ (edge & 1));
            match (numbers.get(&high), numbers.get(&low)) {
                (Some(high), Some(low)) => {
                    nodes.push((node.var, *high, *low));
                    numbers.insert(edge, nodes.len() as u32 + 1);
                    stack.pop();
                }
                _ => stack.extend([high, low]),
            }
        }
        let root = numbers.get(&self.edge).copied().unwrap_or(0);
        (nodes, root)
    }

    /// How many nodes it has.
    pub fn size(&self) -> usize {
        size(&mut self.store.borrow_mut(), std::iter::once(self.edge))
    }

    /// How many assignments of these variables make it true. It must not depend on others.
    pub fn count(&self, vars: &[Var]) -> Int {
        let store = self.store.borrow();
        let mut levels: Vec<u32> = vars.iter().map(|v| store.level_of[*v as usize]).collect();
        levels.sort_unstable();
        let mut counter = Counter {
            store: &store,
            levels,
            known: FxHashMap::default(),
        };
        let from = counter.rank(self.edge);
        &counter.count(self.edge) * &power(from)
    }
}

/// Two to that power.
fn power(exponent: usize) -> Int {
    let mut result = Int::ONE;
    for _ in 0..exponent / 32 {
        result = &result * &Int::from(1i64 << 32);
    }
    &result * &Int::from(1i64 << (exponent % 32))
}

struct Counter<'a> {
    store: &'a Store,
    levels: Vec<u32>,
    known: FxHashMap<Edge, Int>,
}

impl Counter<'_> {
    /// How many of the variables are above that edge.
    fn rank(&self, edge: Edge) -> usize {
        let level = self.store.level(edge);
        self.levels.partition_point(|l| *l < level)
    }

    /// Assignments of the variables at its level and below.
    fn count(&mut self, edge: Edge) -> Int {
        match edge {
            TRUE => return Int::ONE,
            FALSE => return Int::ZERO,
            _ => {}
        }
        if let Some(known) = self.known.get(&edge) {
            return known.clone();
        }
        let here = self.rank(edge) + 1;
        let (high, low) = self.store.cofactors(edge, self.store.level(edge));
        let mut sum = Int::ZERO;
        for child in [high, low] {
            let skipped = self.rank(child).saturating_sub(here);
            sum = &sum + &(&self.count(child) * &power(skipped));
        }
        self.known.insert(edge, sum.clone());
        sum
    }
}

#[cfg(test)]
mod tests;

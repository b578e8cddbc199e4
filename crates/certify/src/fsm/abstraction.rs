//! Abstractions, written out state by state.

use rustc_hash::FxHashMap;
use suppose_aig::{Lit, SatResult, Solver};
use suppose_model::fsm::{
    Cluster, Connective, ExprId, Fairness, Formula, FormulaId, Formulas, Quantifier, Question,
    System, VarId,
};

use super::explicit_graph::{CtlChecker, ExplicitGraph};
use super::fair::GraphEdge;
use super::frames::Frames;
use super::linear::{self, Cores, Refused};
use super::proof::set_of;
use super::{Accepted, CheckLimits, Refusal, flaw};

/// The number of a class in each cluster.
type Vector = Box<[u32]>;

/// Accepts clusters if the property holds of the abstraction they make, and so of the system.
pub(super) fn check(
    mut frames: Frames<'_>,
    question: &Question,
    clusters: &[Cluster],
    limits: &CheckLimits,
) -> Result<Accepted, Refusal> {
    let system = frames.system();
    let atoms = match question {
        Question::Invariant(expr) => vec![*expr],
        Question::Ltl(formula) => system.formulas.atoms(*formula),
        Question::Ctl(formula) => {
            universal(&system.formulas, *formula)?;
            system.formulas.atoms(*formula)
        }
        _ => return flaw("the property asks for a number"),
    };
    let owner = owners(system, clusters)?;
    let touched = touched(system, &atoms, &owner)?;
    let mut classes = [Vec::new(), Vec::new()];
    for (frame, classes) in classes.iter_mut().enumerate() {
        for cluster in clusters {
            let lits = cluster.classes.iter();
            let within = |var: VarId| cluster.vars.contains(&var);
            let lits = lits.map(|set| set_of(&mut frames, set, frame, within));
            classes.push(lits.collect::<Result<Vec<Lit>, Refusal>>()?);
        }
    }
    let [now, after] = classes;
    let mut writer = Writer::new(frames, now, after, limits);
    writer.check_partition()?;
    writer.explore()?;
    writer.fairness()?;
    for (expr, clusters) in atoms.iter().zip(&touched) {
        writer.atom(*expr, clusters)?;
    }
    let (states, edges) = (writer.vectors.len(), writer.lines.len());
    match decide(&writer.graph, system, question, limits)? {
        true => Ok(Accepted::Abstraction { states, edges }),
        false => flaw("the property does not hold of the abstraction"),
    }
}

fn decide(
    graph: &ExplicitGraph,
    system: &System,
    question: &Question,
    limits: &CheckLimits,
) -> Result<bool, Refusal> {
    let foreign = "the formula is none of its logic";
    match question {
        Question::Invariant(expr) => {
            let set = graph.on_states.get(expr);
            Ok(set.is_some_and(|set| set.iter().all(|holds| *holds)))
        }
        Question::Ctl(formula) => {
            let holds = CtlChecker::new(graph).holds(&system.formulas, *formula);
            holds.or_else(|_| flaw(foreign))
        }
        Question::Ltl(formula) => {
            let (cores, top) = match Cores::of(&system.formulas, *formula) {
                Ok(cores) => cores,
                Err(Refused::Foreign) => return flaw(foreign),
                Err(Refused::TooLarge) => return too_large("the formula has too many parts"),
            };
            match linear::holds(graph, &cores, top, limits.edges.saturating_mul(10)) {
                Ok(Some(holds)) => Ok(holds),
                Ok(None) => too_large("the formula makes too many pairs with the abstraction"),
                Err(_) => flaw(foreign),
            }
        }
        _ => flaw("the property asks for a number"),
    }
}

fn too_large<T>(why: &str) -> Result<T, Refusal> {
    Err(Refusal::TooLarge(why.to_owned()))
}

/// Every quantifier, in negation normal form, is over all paths.
fn universal(formulas: &Formulas, formula: FormulaId) -> Result<(), Refusal> {
    let wrong = "an abstraction proves only what is said of all paths";
    // The polarities in which each formula occurs.
    let mut signs: FxHashMap<FormulaId, [bool; 2]> = FxHashMap::default();
    signs.insert(formula, [true, false]);
    for it in formulas.within(formula).into_iter().rev() {
        let [positive, negative] = signs.get(&it).copied().unwrap_or_default();
        let mut pass = |part: FormulaId, to: [bool; 2]| {
            let sign = signs.entry(part).or_default();
            *sign = [sign[0] | to[0], sign[1] | to[1]];
        };
        let over_all_paths = |quantifier: Quantifier| match quantifier == Quantifier::All {
            true if negative => flaw(wrong),
            false if positive => flaw(wrong),
            _ => Ok(()),
        };
        let (same, other, any) = ([positive, negative], [negative, positive], [true, true]);
        match formulas.node(it) {
            Formula::Atom(_) => {}
            Formula::Not(a) => pass(*a, other),
            Formula::And(all) | Formula::Or(all) => all.iter().for_each(|a| pass(*a, same)),
            Formula::Connective(Connective::Implies, a, b) => {
                pass(*a, other);
                pass(*b, same);
            }
            Formula::Connective(_, a, b) => {
                pass(*a, any);
                pass(*b, any);
            }
            Formula::Branch(quantifier, .., a) => {
                over_all_paths(*quantifier)?;
                pass(*a, same);
            }
            Formula::BranchUntil(quantifier, _, a, b) => {
                over_all_paths(*quantifier)?;
                pass(*a, same);
                pass(*b, same);
            }
            Formula::Linear(..) | Formula::LinearPair(..) => {
                return flaw("the formula is none of its logic");
            }
        }
    }
    Ok(())
}

/// The cluster of each variable.
fn owners(system: &System, clusters: &[Cluster]) -> Result<FxHashMap<VarId, usize>, Refusal> {
    let mut owner = FxHashMap::default();
    for (number, cluster) in clusters.iter().enumerate() {
        for var in &cluster.vars {
            if var.index() >= system.variables.len() || system.is_input(*var) {
                return flaw("a cluster has a variable that is no part of the state");
            }
            if owner.insert(*var, number).is_some() {
                return flaw("a variable is in two clusters");
            }
        }
    }
    Ok(owner)
}

/// The clusters that each atom mentions.
fn touched(
    system: &System,
    atoms: &[ExprId],
    owner: &FxHashMap<VarId, usize>,
) -> Result<Vec<Vec<usize>>, Refusal> {
    let mut all = Vec::new();
    for atom in atoms {
        let support = system.exprs.support(*atom);
        let mut clusters = Vec::new();
        for var in &support.current {
            match owner.get(var) {
                Some(cluster) => clusters.push(*cluster),
                None => return flaw("the property speaks of a variable that is in no cluster"),
            }
        }
        if !support.next.is_empty() {
            return flaw("the property speaks of next values, which an abstraction has not");
        }
        clusters.sort_unstable();
        clusters.dedup();
        all.push(clusters);
    }
    Ok(all)
}

/// Writes the abstraction out.
struct Writer<'a, 'l> {
    frames: Frames<'a>,
    limits: &'l CheckLimits,
    /// The wires of the classes of each cluster, in the first and the second frame.
    now: Vec<Vec<Lit>>,
    after: Vec<Vec<Lit>>,
    /// Knows that the first frame is a state.
    states: Solver,
    /// Knows that there is a step between the two frames, which are states.
    steps: Solver,
    vectors: Vec<Vector>,
    numbers: FxHashMap<Vector, usize>,
    /// Where each line begins and ends.
    lines: Vec<(usize, usize)>,
    graph: ExplicitGraph,
}

impl<'a, 'l> Writer<'a, 'l> {
    fn new(
        mut frames: Frames<'a>,
        now: Vec<Vec<Lit>>,
        after: Vec<Vec<Lit>>,
        limits: &'l CheckLimits,
    ) -> Self {
        let (state, next, step) = (frames.state(0), frames.state(1), frames.step(0));
        let mut states = limits.solver();
        states.add(frames.circuit(), &[state]);
        let mut steps = limits.solver();
        for lit in [state, next, step] {
            steps.add(frames.circuit(), &[lit]);
        }
        // All classes must have a truth in every answer.
        for (solver, classes) in [(&mut states, &now), (&mut steps, &after)] {
            for lit in classes.iter().flatten() {
                solver.add(frames.circuit(), &[*lit, !*lit]);
            }
        }
        Writer {
            frames,
            limits,
            now,
            after,
            states,
            steps,
            vectors: Vec::new(),
            numbers: FxHashMap::default(),
            lines: Vec::new(),
            graph: ExplicitGraph::default(),
        }
    }

    /// Every valuation is in exactly one class of every cluster.
    fn check_partition(&mut self) -> Result<(), Refusal> {
        let valid = self.frames.valid(0);
        let mut solver = self.limits.solver();
        for (number, classes) in self.now.clone().into_iter().enumerate() {
            let c = self.frames.circuit_mut();
            let (mut any, mut two) = (Lit::FALSE, Lit::FALSE);
            for class in classes {
                let again = c.and(any, class);
                two = c.or(two, again);
                any = c.or(any, class);
            }
            for (bad, why) in [(!any, "no class"), (two, "two classes")] {
                if solver.solve(self.frames.circuit(), &[valid, bad])? == SatResult::Sat {
                    return flaw(format!("a valuation is in {why} of cluster {number}"));
                }
            }
        }
        Ok(())
    }

    fn number(&mut self, vector: Vector) -> Result<usize, Refusal> {
        let fresh = self.vectors.len();
        let number = *self.numbers.entry(vector.clone()).or_insert(fresh);
        if number == fresh {
            self.vectors.push(vector);
            if self.vectors.len() > self.limits.states {
                let most = self.limits.states;
                return too_large(&format!("the abstraction has more than {most} states"));
            }
        }
        Ok(number)
    }

    /// All initial vectors, and all that steps lead to.
    fn explore(&mut self) -> Result<(), Refusal> {
        let init = self.frames.init(0);
        for vector in self.vectors_where(true, &[init])? {
            let number = self.number(vector)?;
            self.graph.initial.push(number);
        }
        while self.graph.next.len() < self.vectors.len() {
            self.limits.poll()?;
            let from = self.graph.next.len();
            let here = self.wires(&self.now, &self.vectors[from]);
            let mut arrows = Vec::new();
            for vector in self.vectors_where(false, &here)? {
                let to = self.number(vector)?;
                let line = self.lines.len();
                arrows.push(GraphEdge { to, line });
                self.lines.push((from, to));
                if self.lines.len() > self.limits.edges {
                    let most = self.limits.edges;
                    return too_large(&format!("the abstraction has more than {most} steps"));
                }
            }
            self.graph.next.push(arrows);
        }
        Ok(())
    }

    fn wires(&self, classes: &[Vec<Lit>], vector: &[u32]) -> Vec<Lit> {
        let pairs = classes.iter().zip(vector);
        pairs.map(|(lits, class)| lits[*class as usize]).collect()
    }

    /// All vectors of states of the first frame (or, of steps, of the second) under assumptions.
    fn vectors_where(&mut self, first: bool, assumed: &[Lit]) -> Result<Vec<Vector>, Refusal> {
        // What was found is shut out only as long as this wire is true.
        let guard = self.frames.circuit_mut().input();
        let classes = if first { &self.now } else { &self.after };
        let solver = if first {
            &mut self.states
        } else {
            &mut self.steps
        };
        let circuit = self.frames.circuit();
        let mut all = vec![guard];
        all.extend_from_slice(assumed);
        let mut found = Vec::new();
        while solver.solve(circuit, &all)? == SatResult::Sat {
            let mut vector = Vec::new();
            let mut other = vec![!guard];
            let model = |lit: &Lit| solver.value(*lit) == Some(true);
            for lits in classes {
                let Some(class) = lits.iter().position(model) else {
                    return flaw("a state is in no class");
                };
                vector.push(class as u32);
            }
            other.extend(
                classes
                    .iter()
                    .zip(&vector)
                    .map(|(lits, c)| !lits[*c as usize]),
            );
            solver.add(circuit, &other);
            found.push(vector.into_boxed_slice());
            if found.len() > self.limits.edges {
                return too_large("a state of the abstraction has too many steps");
            }
        }
        solver.add(circuit, &[!guard]);
        Ok(found)
    }

    /// Which lines fulfil which constraints.
    fn fairness(&mut self) -> Result<(), Refusal> {
        let system = self.frames.system();
        for fairness in &system.fairness {
            match fairness {
                Fairness::Justice(e) => {
                    let set = self.lines_where(*e, true)?;
                    self.graph.fair.justice.push(set);
                }
                Fairness::Compassion(p, q) => {
                    let never = self.lines_where(*p, false)?;
                    let always = never.into_iter().map(|some| !some).collect();
                    let some = self.lines_where(*q, true)?;
                    self.graph.fair.compassion.push((always, some));
                }
            }
        }
        Ok(())
    }

    /// The lines along which some step has that truth.
    fn lines_where(&mut self, expr: ExprId, truth: bool) -> Result<Vec<bool>, Refusal> {
        let holds = self.frames.truth(expr, 0).when(truth);
        let mut found = Vec::with_capacity(self.lines.len());
        for (from, to) in self.lines.clone() {
            let mut all = self.wires(&self.now, &self.vectors[from]);
            all.extend(self.wires(&self.after, &self.vectors[to]));
            all.push(holds);
            let answer = self.steps.solve(self.frames.circuit(), &all)?;
            found.push(answer == SatResult::Sat);
        }
        Ok(found)
    }

    /// The truth of an atom in every vector; it must be the same in all states of it.
    fn atom(&mut self, expr: ExprId, clusters: &[usize]) -> Result<(), Refusal> {
        let holds = self.frames.truth(expr, 0);
        let mut known: FxHashMap<Vec<u32>, bool> = FxHashMap::default();
        let mut on_states = Vec::with_capacity(self.vectors.len());
        for vector in &self.vectors {
            let key: Vec<u32> = clusters.iter().map(|c| vector[*c]).collect();
            let truth = match known.get(&key) {
                Some(truth) => *truth,
                None => {
                    let wires = clusters.iter().zip(&key);
                    let wires = wires.map(|(c, class)| self.now[*c][*class as usize]);
                    let mut all: Vec<Lit> = wires.collect();
                    let mut can = |lit: Lit| {
                        all.push(lit);
                        let answer = self.states.solve(self.frames.circuit(), &all);
                        all.pop();
                        Ok::<bool, Refusal>(answer? == SatResult::Sat)
                    };
                    let (yes, no) = (can(holds)?, can(!holds)?);
                    if yes && no {
                        return flaw("an atom of the property is true and false within one class");
                    }
                    known.insert(key, yes);
                    yes
                }
            };
            on_states.push(truth);
        }
        let on_lines = self
            .lines
            .iter()
            .map(|(from, _)| on_states[*from])
            .collect();
        self.graph.on_lines.insert(expr, on_lines);
        self.graph.on_states.insert(expr, on_states);
        Ok(())
    }
}

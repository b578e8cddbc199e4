//! Least consistent assumptions as questions to a solver (Figs. 5.4, 5.5 and 5.7 of the thesis).
//!
//! The samples that must be simulated are folded: their nodes are put into `k` classes, each node into one ([`Folding::Partition`]) or with
//! some probability into each, depending on where its parent is ([`Folding::Stochastic`]). That the fold simulates a sample it must
//! not simulate is excluded by a reason: `unlike(n, i)` says that class `i` does not simulate node `n`; then
//! some transition of `n` is matched by no transition of a member of `i`; that two distributions do not match is shown by a set
//! of targets of the first that has more probability than all that may simulate some of them (Lemma 11).
//! Samples are trees, so such reasons are well-founded, and it is enough to say what each implies: the thesis says it in both directions. All clauses stay true
//! when samples are added; only a larger `k` needs a new solver.

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::chc::{Lin, Sort, TermId, Terms, Var};
use suppose_model::mdp::{Lpts, LptsBuilder, State};
use suppose_number::Rat;
use suppose_smt::{SatResult, Solver};

use super::samples::{Forest, Negative, Transition, transition};

/// How samples are folded into an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Folding {
    /// By a partition of their nodes. The learner ends if the system conforms.
    #[default]
    Partition,
    /// By a stochastic partition: fewer states, where probabilities help.
    Stochastic,
}

/// The question for one number of classes.
pub(super) struct Encoding {
    folding: Folding,
    classes: usize,
    terms: Terms,
    solver: Solver,
    /// For nodes of the forest and classes: is it in it?
    inside: Vec<Vec<TermId>>,
    /// Of a stochastic partition, for a node, a class of its parent and a class: the probability. None is 0.
    shares: Vec<Vec<Vec<Option<Var>>>>,
    /// Transitions of the forest that were encoded.
    folded: Vec<Transition>,
    negatives: Vec<Excluded>,
    /// For a node of a negative sample and a node of the forest: the first is simulated by no class of the second.
    apart: FxHashMap<(usize, u32, u32), TermId>,
}

/// A negative sample that was encoded.
struct Excluded {
    /// For nodes and classes.
    unlike: Vec<Vec<TermId>>,
    /// Transitions, with a formula for each class: the class has nothing that matches.
    transitions: Vec<(Transition, Vec<TermId>)>,
}

impl Encoding {
    /// No samples yet.
    pub fn new(folding: Folding, classes: usize) -> Self {
        let terms = Terms::default();
        let root = (0..classes).map(|class| terms.constant(class == 0));
        Encoding {
            folding,
            classes,
            inside: vec![root.collect()],
            shares: vec![Vec::new()],
            terms,
            solver: Solver::new(),
            folded: Vec::new(),
            negatives: Vec::new(),
            apart: FxHashMap::default(),
        }
    }

    /// Says all that is new of the samples, then asks. An assumption with these actions, if there is one of this size.
    pub fn solve(
        &mut self,
        forest: &Forest,
        negatives: &[Negative],
        alphabet: &[suppose_model::lts::Label],
        cx: &Context,
    ) -> Result<Option<Lpts>, Stopped> {
        for node in self.inside.len()..forest.len() {
            match self.folding {
                Folding::Partition => self.node_of_partition(node),
                Folding::Stochastic => self.node_of_stochastic(node, forest.parents[node] as usize),
            }
        }
        for at in self.folded.len()..forest.transitions.len() {
            let new = forest.transitions[at].clone();
            for number in 0..self.negatives.len() {
                for other in 0..self.negatives[number].transitions.len() {
                    self.pair(number, other, &new);
                }
                cx.check()?;
            }
            self.folded.push(new);
        }
        for negative in &negatives[self.negatives.len()..] {
            self.exclude(negative);
            cx.check()?;
        }
        let outcome = self.solver.check(&mut self.terms, &[], cx)?;
        Ok((outcome == SatResult::Sat).then(|| match self.folding {
            Folding::Partition => self.quotient(forest, alphabet),
            Folding::Stochastic => self.stochastic_quotient(forest, alphabet),
        }))
    }

    fn assert(&mut self, formula: TermId) {
        self.solver.assert(&mut self.terms, formula);
    }

    /// All of the premises imply one of the conclusions.
    fn clause(&mut self, premises: &[TermId], conclusions: &[TermId]) {
        let mut parts = conclusions.to_vec();
        for premise in premises {
            parts.push(self.terms.not(*premise));
        }
        let formula = self.terms.or(parts);
        self.assert(formula);
    }

    fn bool(&mut self, name: &str) -> TermId {
        let var = self.terms.fresh(name, Sort::Bool);
        self.terms.var(var)
    }

    /// A number that is not negative.
    fn share(&mut self, name: &str) -> Var {
        let var = self.terms.fresh(name, Sort::Real);
        let formula = self.terms.le(Lin::var(var).neg());
        self.assert(formula);
        var
    }

    fn node_of_partition(&mut self, node: usize) {
        let row: Vec<TermId> = (0..self.classes).map(|_| self.bool("in")).collect();
        self.clause(&[], &row);
        for (at, one) in row.iter().enumerate() {
            for other in &row[at + 1..] {
                let not = self.terms.not(*other);
                self.clause(&[*one], &[not]);
            }
        }
        // Classes are numbered as they occur, so that no two models differ in names only.
        for (before, inside) in row.iter().skip(1).enumerate() {
            let earlier: Vec<TermId> = (0..node).map(|n| self.inside[n][before]).collect();
            self.clause(&[*inside], &earlier);
        }
        self.inside.push(row);
        self.shares.push(Vec::new());
    }

    /// With some probability in each class, for every class its parent is in (Definition 14).
    fn node_of_stochastic(&mut self, node: usize, parent: usize) {
        debug_assert!(parent < node);
        let row: Vec<TermId> = (0..self.classes).map(|_| self.bool("in")).collect();
        let mut shares = Vec::new();
        for from in 0..self.classes {
            let above = self.inside[parent][from];
            if above == Terms::FALSE {
                shares.push(vec![None; self.classes]);
                continue;
            }
            let mut sum = Lin::constant(-1);
            let mut here = Vec::new();
            for inside in &row {
                let share = self.share("share");
                let none = self.terms.le(Lin::var(share));
                self.clause(&[], &[none, *inside]);
                self.clause(&[], &[none, above]);
                sum = sum.add(&Lin::var(share));
                here.push(Some(share));
            }
            let whole = self.terms.eq(sum);
            self.clause(&[above], &[whole]);
            shares.push(here);
        }
        self.inside.push(row);
        self.shares.push(shares);
    }

    /// The sample must not be simulated.
    fn exclude(&mut self, tree: &Negative) {
        let mut excluded = Excluded {
            unlike: Vec::new(),
            transitions: Vec::new(),
        };
        for node in 0..tree.states() as State {
            let numbers = tree.choice_range(node);
            let unlike: Vec<TermId> = (0..self.classes)
                .map(|_| match numbers.is_empty() {
                    true => Terms::FALSE,
                    false => self.bool("unlike"),
                })
                .collect();
            let mut open = vec![Vec::new(); self.classes];
            for number in numbers {
                let missing: Vec<TermId> =
                    (0..self.classes).map(|_| self.bool("missing")).collect();
                for (class, formula) in missing.iter().enumerate() {
                    open[class].push(*formula);
                }
                let it = transition(tree, number, node);
                excluded.transitions.push((it, missing));
            }
            for class in 0..self.classes {
                self.clause(&[unlike[class]], &open[class]);
            }
            excluded.unlike.push(unlike);
        }
        let root = excluded.unlike[0][0];
        self.assert(root);
        self.negatives.push(excluded);
        let number = self.negatives.len() - 1;
        for other in 0..self.negatives[number].transitions.len() {
            for at in 0..self.folded.len() {
                let folded = self.folded[at].clone();
                self.pair(number, other, &folded);
            }
        }
    }

    /// Where a transition of a negative sample is missing in a class, no member may match it with that transition.
    fn pair(&mut self, negative: usize, other: usize, folded: &Transition) {
        let (excluded, missing) = self.negatives[negative].transitions[other].clone();
        if excluded.label != folded.label {
            return;
        }
        match self.folding {
            Folding::Partition => {
                let unmatched = self.unmatched(negative, &excluded, folded);
                for (class, missing) in missing.into_iter().enumerate() {
                    let inside = self.inside[folded.source as usize][class];
                    self.clause(&[missing, inside], &[unmatched]);
                }
            }
            Folding::Stochastic => {
                for (class, missing) in missing.into_iter().enumerate() {
                    let inside = self.inside[folded.source as usize][class];
                    if inside != Terms::FALSE {
                        let unmatched = self.unmatched_share(negative, &excluded, folded, class);
                        self.clause(&[missing, inside], &[unmatched]);
                    }
                }
            }
        }
    }

    /// The node of a negative sample is simulated by no class of the node of the forest.
    fn apart(&mut self, negative: usize, excluded: u32, folded: u32) -> TermId {
        let key = (negative, excluded, folded);
        if let Some(formula) = self.apart.get(&key) {
            return *formula;
        }
        let unlike = self.negatives[negative].unlike[excluded as usize].clone();
        let formula = match unlike[0] == Terms::FALSE {
            true => Terms::FALSE,
            false => self.bool("apart"),
        };
        for (class, unlike) in unlike.into_iter().enumerate() {
            let inside = self.inside[folded as usize][class];
            self.clause(&[formula, inside], &[unlike]);
        }
        self.apart.insert(key, formula);
        formula
    }

    /// A formula that implies that the fold of the second does not match the first.
    fn unmatched(&mut self, negative: usize, left: &Transition, right: &Transition) -> TermId {
        if left.targets.len() == 1 || right.targets.len() == 1 {
            // The weight function is forced: some pair must be apart.
            let mut pairs = Vec::new();
            for (from, _) in &left.targets {
                for (to, _) in &right.targets {
                    pairs.push(self.apart(negative, *from, *to));
                }
            }
            return self.terms.or(pairs);
        }
        let unmatched = self.bool("unmatched");
        let (chosen, mut balance) = self.chosen(left);
        let total = right.total();
        for (to, weight) in &right.targets {
            let taken = self.share("taken");
            let full = Lin::var(taken).scale(&total).neg().plus(weight.clone());
            let full = self.terms.le(full);
            for ((from, _), chosen) in left.targets.iter().zip(&chosen) {
                let apart = self.apart(negative, *from, *to);
                self.clause(&[*chosen], &[apart, full]);
            }
            balance = balance.add(&Lin::var(taken));
        }
        let more = self.terms.lt(balance);
        self.clause(&[unmatched], &[more]);
        unmatched
    }

    /// Chooses some targets. The form is at least minus their probability.
    fn chosen(&mut self, left: &Transition) -> (Vec<TermId>, Lin) {
        let total = left.total();
        let mut balance = Lin::constant(0);
        let mut chosen = Vec::new();
        for (_, weight) in &left.targets {
            let (is, amount) = (self.bool("chosen"), self.share("amount"));
            let bound = Lin::var(amount).scale(&total).plus(-weight);
            let bound = self.terms.le(bound);
            self.assert(bound);
            let none = self.terms.le(Lin::var(amount));
            self.clause(&[], &[is, none]);
            balance = balance.sub(&Lin::var(amount));
            chosen.push(is);
        }
        (chosen, balance)
    }

    /// As [`Encoding::unmatched`] for a stochastic partition, in the given class of the source.
    fn unmatched_share(
        &mut self,
        negative: usize,
        left: &Transition,
        right: &Transition,
        class: usize,
    ) -> TermId {
        let unmatched = self.bool("unmatched");
        let (chosen, mut balance) = self.chosen(left);
        let total = right.total();
        for to in 0..self.classes {
            let mut image = Lin::constant(0);
            for (node, weight) in &right.targets {
                if let Some(share) = self.shares[*node as usize][class][to] {
                    image = image.add_scaled(&Lin::var(share), weight);
                }
            }
            let taken = self.share("taken");
            let full = image.sub(&Lin::var(taken).scale(&total));
            let full = self.terms.le(full);
            for ((from, _), chosen) in left.targets.iter().zip(&chosen) {
                let unlike = self.negatives[negative].unlike[*from as usize][to];
                self.clause(&[*chosen], &[unlike, full]);
            }
            balance = balance.add(&Lin::var(taken));
        }
        let more = self.terms.lt(balance);
        self.clause(&[unmatched], &[more]);
        unmatched
    }

    /// The fold that the model describes.
    fn quotient(&self, forest: &Forest, alphabet: &[suppose_model::lts::Label]) -> Lpts {
        let model = self.solver.model();
        let truth = |formula: TermId| match self.terms.node(formula) {
            suppose_model::chc::Node::Const(truth) => *truth,
            suppose_model::chc::Node::Var(var) => model.truth(*var),
            _ => false,
        };
        let class_of = |node: u32| {
            let row = &self.inside[node as usize];
            row.iter().position(|f| truth(*f)).unwrap_or(0) as State
        };
        let mut builder = LptsBuilder::new("assumption");
        builder.extend_alphabet(alphabet.iter().copied());
        for it in &forest.transitions {
            let image = it.targets.iter().map(|(n, w)| (class_of(*n), w.clone()));
            let dist = builder.store().insert_ints(&mut image.collect());
            if let Some(dist) = dist {
                builder.choice_of(class_of(it.source), it.label, dist);
            }
        }
        builder.build()
    }

    /// The fold that the model describes: a node is in a class if it has some probability there (Definition 15).
    fn stochastic_quotient(&self, forest: &Forest, alphabet: &[suppose_model::lts::Label]) -> Lpts {
        let model = self.solver.model();
        let share = |node: u32, from: usize, to: usize| -> Rat {
            let var = self.shares[node as usize][from][to];
            var.map_or(Rat::ZERO, |var| model.number(var))
        };
        let mut member = vec![vec![false; self.classes]; forest.len()];
        member[0][0] = true;
        for node in 1..forest.len() {
            let above = member[forest.parents[node] as usize].clone();
            for from in (0..self.classes).filter(|c| above[*c]) {
                for (to, member) in member[node].iter_mut().enumerate() {
                    *member |= share(node as u32, from, to).is_positive();
                }
            }
        }
        let mut builder = LptsBuilder::new("assumption");
        builder.extend_alphabet(alphabet.iter().copied());
        for it in &forest.transitions {
            let total = it.total();
            for class in (0..self.classes).filter(|c| member[it.source as usize][*c]) {
                let mut image = Vec::new();
                for (node, weight) in &it.targets {
                    let weight = Rat::new(weight.clone(), total.clone());
                    for to in 0..self.classes {
                        image.push((to as State, &share(*node, class, to) * &weight));
                    }
                }
                if let Ok(dist) = builder.store().insert_probabilities(&image) {
                    builder.choice_of(class as State, it.label, dist);
                }
            }
        }
        builder.build()
    }
}

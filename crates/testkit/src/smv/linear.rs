//! LTL with past on the graph of a system: every step of a run is paired with guesses for what is promised of the rest and
//! remembered of the beginning, and pairs that fit together are linked.

use rustc_hash::FxHashMap;
use suppose_model::fsm::{
    Bound, Connective, ExprId, Formula, FormulaId, Linear, LinearPair, Stopped,
};

use super::fair::FairGraph;
use super::oracle::Oracle;

/// Formulas of few operators; parts come before wholes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Core {
    Atom(ExprId),
    Not(usize),
    And(usize, usize),
    Next(usize),
    Until(usize, usize),
    Yesterday(usize),
    Since(usize, usize),
}

#[derive(Default)]
struct Cores {
    all: Vec<Core>,
    known: FxHashMap<Core, usize>,
}

impl Cores {
    fn add(&mut self, core: Core) -> usize {
        if let Some(found) = self.known.get(&core) {
            return *found;
        }
        self.all.push(core);
        self.known.insert(core, self.all.len() - 1);
        self.all.len() - 1
    }

    fn not(&mut self, a: usize) -> usize {
        self.add(Core::Not(a))
    }

    fn or(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.not(a), self.not(b));
        let both = self.add(Core::And(a, b));
        self.not(both)
    }

    fn truth(&mut self, a: usize) -> usize {
        let other = self.not(a);
        self.or(a, other)
    }

    fn linear(&mut self, op: Linear, bound: Option<Bound>, a: usize) -> usize {
        if let Some(bound) = bound {
            return self.bounded(op, bound, a);
        }
        let truth = self.truth(a);
        match op {
            Linear::Next => self.add(Core::Next(a)),
            Linear::Finally => self.add(Core::Until(truth, a)),
            Linear::Yesterday => self.add(Core::Yesterday(a)),
            Linear::Once => self.add(Core::Since(truth, a)),
            Linear::Globally => self.dual(Linear::Finally, a),
            Linear::WeakYesterday => self.dual(Linear::Yesterday, a),
            Linear::Historically => self.dual(Linear::Once, a),
        }
    }

    fn dual(&mut self, op: Linear, a: usize) -> usize {
        let other = self.not(a);
        let inner = self.linear(op, None, other);
        self.not(inner)
    }

    /// Steps one by one: `F [1, 2] p` is `X (p | X p)`, and `H [1, 2] p` is `Y (p & Y p)`, as in NuSMV.
    fn bounded(&mut self, op: Linear, bound: Bound, a: usize) -> usize {
        let future = matches!(op, Linear::Finally | Linear::Globally);
        let every = matches!(op, Linear::Globally | Linear::Historically);
        let step = |cores: &mut Cores, it| match future {
            true => cores.add(Core::Next(it)),
            false => cores.add(Core::Yesterday(it)),
        };
        let mut found = a;
        for _ in bound.low..bound.high {
            let later = step(self, found);
            found = match every {
                true => self.add(Core::And(a, later)),
                false => self.or(a, later),
            };
        }
        for _ in 0..bound.low {
            found = step(self, found);
        }
        found
    }

    fn pair(&mut self, op: LinearPair, a: usize, b: usize) -> usize {
        match op {
            LinearPair::Until => self.add(Core::Until(a, b)),
            LinearPair::Since => self.add(Core::Since(a, b)),
            LinearPair::Releases => self.dual_pair(LinearPair::Until, a, b),
            LinearPair::Triggered => self.dual_pair(LinearPair::Since, a, b),
        }
    }

    fn dual_pair(&mut self, op: LinearPair, a: usize, b: usize) -> usize {
        let (a, b) = (self.not(a), self.not(b));
        let inner = self.pair(op, a, b);
        self.not(inner)
    }

    fn connective(&mut self, op: Connective, a: usize, b: usize) -> usize {
        let (no_a, no_b) = (self.not(a), self.not(b));
        match op {
            Connective::Implies => self.or(no_a, b),
            Connective::Xor => {
                let (x, y) = (self.add(Core::And(a, no_b)), self.add(Core::And(no_a, b)));
                self.or(x, y)
            }
            Connective::Iff => {
                let different = self.connective(Connective::Xor, a, b);
                self.not(different)
            }
        }
    }
}

fn core(oracle: &Oracle<'_>, formula: FormulaId) -> (Cores, usize) {
    let mut cores = Cores::default();
    let mut known: FxHashMap<FormulaId, usize> = FxHashMap::default();
    let formulas = &oracle.system.formulas;
    for it in formulas.within(formula) {
        let made = match formulas.node(it) {
            Formula::Atom(expr) => cores.add(Core::Atom(*expr)),
            Formula::Not(a) => cores.not(known[a]),
            Formula::And(all) => {
                let mut parts = all.iter().map(|f| known[f]);
                let first = parts.next().expect("an operand");
                parts.fold(first, |a, b| cores.add(Core::And(a, b)))
            }
            Formula::Or(all) => {
                let mut parts = all.iter().map(|f| known[f]);
                let first = parts.next().expect("an operand");
                parts.fold(first, |a, b| cores.or(a, b))
            }
            Formula::Connective(op, a, b) => cores.connective(*op, known[a], known[b]),
            Formula::Linear(op, bound, a) => cores.linear(*op, *bound, known[a]),
            Formula::LinearPair(op, a, b) => cores.pair(*op, known[a], known[b]),
            Formula::Branch(..) | Formula::BranchUntil(..) => {
                panic!("an operator of CTL in a formula of LTL")
            }
        };
        known.insert(it, made);
    }
    (cores, known[&formula])
}

/// A step of the system with the truth of every formula there, and the guesses.
struct Pair {
    line: usize,
    truth: Vec<bool>,
    guesses: Vec<bool>,
}

/// Does a formula hold on all fair runs from initial states?
pub(super) fn holds(oracle: &mut Oracle<'_>, formula: FormulaId) -> Result<bool, Stopped> {
    let (cores, top) = core(oracle, formula);
    let cores = cores.all;
    let guessed: Vec<usize> = (0..cores.len())
        .filter(|i| !matches!(cores[*i], Core::Atom(_) | Core::Not(_) | Core::And(..)))
        .collect();
    // Every step with all guesses, linked with every step that follows with all guesses.
    let links: usize = oracle.follow.iter().map(Vec::len).sum();
    if guessed.len() > 12 || links << (2 * guessed.len()) > 1 << 25 {
        return Err(Stopped::Limit);
    }
    let mut atoms: FxHashMap<usize, Vec<bool>> = FxHashMap::default();
    for (i, core) in cores.iter().enumerate() {
        if let Core::Atom(expr) = core {
            atoms.insert(i, oracle.on_lines(*expr)?);
        }
    }
    let mut pairs = Vec::new();
    let mut of_line = vec![Vec::new(); oracle.lines.len()];
    for (line, here) in of_line.iter_mut().enumerate() {
        for bits in 0..1u32 << guessed.len() {
            let guesses: Vec<bool> = (0..guessed.len()).map(|i| bits >> i & 1 == 1).collect();
            let truth = truth(&cores, &guessed, &guesses, |i| atoms[&i][line]);
            here.push(pairs.len());
            pairs.push(Pair {
                line,
                truth,
                guesses,
            });
        }
    }
    let mut next = vec![Vec::new(); pairs.len()];
    for (i, from) in pairs.iter().enumerate() {
        for line in &oracle.follow[from.line] {
            let fits = |to: &&usize| follows(&cores, &guessed, from, &pairs[**to]);
            next[i].extend(of_line[*line].iter().filter(fits));
        }
    }
    Ok(!refuted(oracle, &cores, &guessed, top, &pairs, &next))
}

/// The truth of every formula, from atoms and guesses.
fn truth(
    cores: &[Core],
    guessed: &[usize],
    guesses: &[bool],
    atom: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let mut truth: Vec<bool> = Vec::new();
    for (i, core) in cores.iter().enumerate() {
        let guess = guessed.iter().position(|g| *g == i).map(|at| guesses[at]);
        let guess = guess.unwrap_or_default();
        truth.push(match *core {
            Core::Atom(_) => atom(i),
            Core::Not(a) => !truth[a],
            Core::And(a, b) => truth[a] && truth[b],
            Core::Next(_) | Core::Yesterday(_) => guess,
            // The guess is about the whole formula one step on, or one step back.
            Core::Until(a, b) | Core::Since(a, b) => truth[b] || (truth[a] && guess),
        });
    }
    truth
}

/// Do the guesses of two steps in a row fit?
fn follows(cores: &[Core], guessed: &[usize], from: &Pair, to: &Pair) -> bool {
    guessed.iter().enumerate().all(|(at, i)| match cores[*i] {
        Core::Next(a) => from.guesses[at] == to.truth[a],
        Core::Until(..) => from.guesses[at] == to.truth[*i],
        Core::Yesterday(a) => to.guesses[at] == from.truth[a],
        _ => to.guesses[at] == from.truth[*i],
    })
}

/// Is there a fair run that begins where nothing is remembered, on which the formula is false?
fn refuted(
    oracle: &Oracle<'_>,
    cores: &[Core],
    guessed: &[usize],
    top: usize,
    pairs: &[Pair],
    next: &[Vec<usize>],
) -> bool {
    let on_pairs = |set: &[bool]| pairs.iter().map(|p| set[p.line]).collect::<Vec<bool>>();
    let fairness = oracle.fairness();
    let mut justice: Vec<Vec<bool>> = fairness.justice.iter().map(|j| on_pairs(j)).collect();
    for (i, core) in cores.iter().enumerate() {
        // What is promised comes.
        if let Core::Until(_, b) = core {
            justice.push(pairs.iter().map(|p| p.truth[*b] || !p.truth[i]).collect());
        }
    }
    let compassion = fairness.compassion.iter();
    let compassion = compassion
        .map(|(p, q)| (on_pairs(p), on_pairs(q)))
        .collect();
    let graph = FairGraph {
        next,
        justice,
        compassion,
    };
    let fair = graph.fair(&vec![true; pairs.len()]);
    pairs.iter().zip(fair).any(|(pair, fair)| {
        let from = oracle.lines[pair.line].from;
        let forgets = guessed.iter().zip(&pair.guesses).all(|(i, guess)| {
            let past = matches!(cores[*i], Core::Yesterday(_) | Core::Since(..));
            !past || !guess
        });
        fair && forgets && !pair.truth[top] && oracle.graph.initial.contains(&from)
    })
}

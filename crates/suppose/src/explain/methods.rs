//! Words of the methods, and what evidence consists of.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        word: "assume-guarantee reasoning",
        also: &["assume-guarantee", "compositional"],
        text: "Proving a property of a system without composing all of it: one part satisfies the property under an assumption, \
            the rest guarantees the assumption.",
        see: &["assumption", "premise", "split"],
        page: Some("docs/engines.md"),
    },
    Entry {
        word: "premise",
        also: &["guarantee"],
        text: "One step of a compositional proof: these components, under these assumptions, guarantee this. Each comes with a simulation relation \
            that is checked in one pass.",
        see: &["assumption", "certificate"],
        page: Some("docs/certificates.md"),
    },
    Entry {
        word: "abstraction",
        also: &["class", "classes", "cluster"],
        text: "A coarser model in which several states are one (a class). What holds of it holds of the model; what is violated may be spurious.",
        see: &["spurious", "refinement"],
        page: Some("docs/engines.md"),
    },
    Entry {
        word: "spurious",
        also: &[],
        text: "A counterexample of an abstraction that is no run of the model. It shows where to refine; it is never reported as a violation.",
        see: &["abstraction", "round"],
        page: Some("docs/engines.md"),
    },
    Entry {
        word: "round",
        also: &["rounds"],
        text: "One attempt with one assumption or abstraction: it proves the claim, yields a real counterexample, or is refined.",
        see: &["refinement", "spurious"],
        page: Some("docs/engines.md"),
    },
    Entry {
        word: "counterexample-guided abstraction refinement",
        also: &["refinement loop"],
        text: "Start with a coarse abstraction, and use each spurious counterexample to split the classes that made it possible.",
        see: &["spurious", "cegar", "agar"],
        page: Some("docs/engines.md"),
    },
    Entry {
        word: "learning",
        also: &["L*", "TTT", "observation table", "learner"],
        text: "Finding a deterministic automaton by asking whether words belong to it and whether a conjecture is right.",
        see: &["learn"],
        page: Some("docs/engines.md"),
    },
    Entry {
        word: "slice",
        also: &["slices"],
        text: "A share of the work that auto gives to one engine before it looks at the others. It is counted in steps, not in time.",
        see: &["auto"],
        page: Some("docs/engines.md"),
    },
    Entry {
        word: "exhaustive search",
        also: &["search of all states"],
        text: "Looking at every reachable state. It proves a claim without leaving a certificate; small searches are repeated by the checker.",
        see: &["evidence", "search"],
        page: Some("docs/cli.md#evidence"),
    },
    Entry {
        word: "partial-order reduction",
        also: &["reduction"],
        text: "Of steps of different processes whose order makes no difference, only one order is explored. --no-reduction turns it off.",
        see: &["search", "symmetry"],
        page: Some("docs/engines.md#how-programs-are-searched"),
    },
    Entry {
        word: "symmetry",
        also: &["exchangeable processes"],
        text: "Processes that begin alike and only differ in their number can be exchanged: one stored state stands for all that come \
            of it by exchanging them. --no-symmetry turns it off.",
        see: &["partial-order reduction", "view"],
        page: Some("docs/parts.md"),
    },
    Entry {
        word: "view",
        also: &["views", "joins"],
        text: "What two processes can be in together with the shared variables. Views that are closed under the steps of both, and of the others, \
            are a proof.",
        see: &["local", "interference"],
        page: Some("docs/parts.md"),
    },
    Entry {
        word: "interference",
        also: &["relies on"],
        text: "What the other processes may do to the shared state: the assumption of a proof by views.",
        see: &["view", "assumption"],
        page: Some("docs/parts.md"),
    },
    Entry {
        word: "lasso",
        also: &["loop", "cycle", "repeating"],
        text: "An infinite run written finitely: some steps, then a cycle that repeats for ever.",
        see: &["liveness", "counterexample"],
        page: Some("docs/liveness.md"),
    },
    Entry {
        word: "tree",
        also: &["node"],
        text: "A counterexample of a probabilistic system: what it does with which probabilities, cut to what the specification cannot simulate or \
            what breaks the bound.",
        see: &["conformance", "counterexample"],
        page: Some("docs/report.md"),
    },
    Entry {
        word: "derivation",
        also: &["derivations"],
        text: "How a query follows from the clauses: facts with values, each with the clause and the earlier facts it follows from. For C programs a tree of calls.",
        see: &["queries", "counterexample"],
        page: Some("docs/report.md"),
    },
    Entry {
        word: "lemma",
        also: &["lemmas"],
        text: "A formula that is true of all derivations up to some depth.",
        see: &["work", "definition"],
        page: Some("docs/engines.md#horn-clauses"),
    },
    Entry {
        word: "loop invariant",
        also: &["loop invariants", "function summary"],
        text: "A condition that is true whenever a loop begins a new round; a summary relates the arguments of a function to its result.",
        see: &["definition", "inductive invariant"],
        page: Some("docs/c.md"),
    },
    Entry {
        word: "inductive invariant",
        also: &[],
        text: "A set of states that contains the initial ones, is not left by any step, and has no bad state. That is checked without \
            exploring anything.",
        see: &["invariant", "k-induction"],
        page: Some("docs/certificates.md"),
    },
    Entry {
        word: "k-induction",
        also: &[],
        text: "A proof that the claim is true in the first k states of every run, and after any k states in which it is true.",
        see: &["induction", "inductive invariant"],
        page: Some("docs/engines.md#smv-models"),
    },
    Entry {
        word: "strong simulation",
        also: &["simulation relation", "simulation"],
        text: "A relation between the states of two systems: whatever the first can do from a state, the second can do from a related one, to related \
            states with the same probabilities. It is the certificate of conformance.",
        see: &["conformance", "premise"],
        page: Some("docs/certificates.md"),
    },
    Entry {
        word: "ranking",
        also: &["rankings"],
        text: "Numbers of states that never grow and shrink where the claim wants progress: they prove claims about infinite runs.",
        see: &["liveness", "certificate"],
        page: Some("docs/liveness.md"),
    },
];

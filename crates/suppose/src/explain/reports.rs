//! What the lines of a report are called.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        word: "engine",
        also: &["engines"],
        text: "The method that gave the verdict, and why it was chosen. --engine names another one; without it, auto chooses.",
        see: &["auto"],
        page: Some("docs/engines.md"),
    },
    Entry {
        word: "split",
        also: &["group", "groups"],
        text: "The components in groups, in the order in which the rule uses them: A | B, C is the group of A and the group of \
            B and C. The property is checked on the first group; each assumption is about the groups after it.",
        see: &["assume-guarantee reasoning", "assumption", "premise"],
        page: Some("docs/engines.md#splits-and-orders"),
    },
    Entry {
        word: "explored",
        also: &["states", "transitions"],
        text: "How many states and transitions the engine visited, all rounds together; \"at most N at once\" is the largest system \
            it looked at. It measures effort, not the size of the model.",
        see: &["monolithic", "round"],
        page: Some("docs/report.md"),
    },
    Entry {
        word: "refinement",
        also: &["refinements", "refinement history"],
        text: "How often the assumption or abstraction was too coarse and was made finer, and how large it was in the end. On \
            PROMELA programs by --engine local: what was exposed, attempt by attempt.",
        see: &["round", "abstraction", "spurious"],
        page: Some("docs/report.md"),
    },
    Entry {
        word: "time",
        also: &["elapsed"],
        text: "Wall-clock time: of one claim, or on the last line of the whole run with reading and checking evidence.",
        see: &["memory"],
        page: None,
    },
    Entry {
        word: "assumption",
        also: &["assumptions"],
        text: "What one part of a system may rely on from the rest: an automaton over the labels they share. If the property \
            holds of the first part under the assumption, and the rest guarantees the assumption, the property holds of the \
            whole system. For SMV: the values that a proof distinguishes. For programs by --engine local: what each process relies on of the others.",
        see: &[
            "premise",
            "assume-guarantee reasoning",
            "so far",
            "interference",
        ],
        page: Some("docs/engines.md"),
    },
    Entry {
        word: "so far",
        also: &["not final", "what is required so far"],
        text: "A requirement that was not finished within the limits. The process satisfies it, which was checked; whether the \
            property holds with it is not known.",
        see: &["assumption", "quotient"],
        page: Some("docs/cli.md#the-smallest-assumption"),
    },
    Entry {
        word: "certificate",
        also: &["certificates"],
        text: "The evidence that a claim holds, and what became of it: accepted, or why it was not checked. \
            --certificate FILE keeps it, and `suppose certify` checks the file again without any engine.",
        see: &["evidence", "premise", "replay", "accepted"],
        page: Some("docs/certificates.md"),
    },
    Entry {
        word: "replay",
        also: &["replayed"],
        text: "Whether a counterexample is a run of your model: it was executed step by step by the plain definition of the \
            language's meaning, which the engines do not use.",
        see: &["counterexample", "accepted"],
        page: Some("docs/certificates.md"),
    },
    Entry {
        word: "evidence",
        also: &["recheck", "statements"],
        text: "What a verdict rests on. Certificates and counterexamples are evidence that can be kept. A search of all states leaves \
            none; the line then says whether the search was repeated by the checker (--recheck forces it). `statements`: no \
            statement of the program can fail, which was checked one by one.",
        see: &["certificate", "counterexample", "exhaustive search"],
        page: Some("docs/cli.md#evidence"),
    },
    Entry {
        word: "accepted",
        also: &["not checked"],
        text: "The independent checker agrees with the evidence. `not checked` gives the reason why it did not look, for example \
            --no-certify.",
        see: &["certificate", "certificate rejected"],
        page: Some("docs/certificates.md"),
    },
    Entry {
        word: "counterexample",
        also: &["counterexamples"],
        text: "A run of the model that violates the claim: numbered steps with the source line, who takes part, and what changes. \
            Of probabilistic systems a tree, of Horn clauses a derivation, of C programs the calls.",
        see: &["replay", "lasso", "tree", "derivation"],
        page: Some("docs/report.md"),
    },
    Entry {
        word: "messages",
        also: &["message chart"],
        text: "The counterexample as a message sequence chart: a column for each process, an arrow for each message.",
        see: &["counterexample"],
        page: Some("docs/report.md"),
    },
    Entry {
        word: "property",
        also: &["properties"],
        text: "What the model is to satisfy, as you wrote it.",
        see: &["claim", "safety", "liveness"],
        page: None,
    },
    Entry {
        word: "written at",
        also: &[],
        text: "The line at which the claim is written.",
        see: &["claim"],
        page: None,
    },
    Entry {
        word: "reason",
        also: &[],
        text: "Why there is no verdict.",
        see: &["unknown"],
        page: None,
    },
    Entry {
        word: "known",
        also: &["bound"],
        text: "What is certain although there is no verdict, for example that no derivation up to some depth violates the claim.",
        see: &["unknown", "derivation"],
        page: Some("docs/report.md"),
    },
    Entry {
        word: "scope",
        also: &[],
        text: "What a verdict is about where that is not obvious: runs of a C program up to the first signed overflow, or any number of \
            processes of a PROMELA program.",
        see: &["holds", "integers"],
        page: Some("docs/c.md"),
    },
    Entry {
        word: "integers",
        also: &[],
        text: "Whether the integers of a C program are those of the machine (with overflow) or mathematical ones. --integers and \
            --wrap choose.",
        see: &["scope"],
        page: Some("docs/c.md"),
    },
    Entry {
        word: "definition",
        also: &["definitions", "model of the predicates"],
        text: "A formula for a predicate of Horn clauses that makes every clause true. For a C program it is a loop invariant or \
            the summary of a function. true: and false: list the predicates with these definitions.",
        see: &["horn clauses", "loop invariant", "candidate"],
        page: Some("docs/report.md"),
    },
    Entry {
        word: "candidate",
        also: &["candidates so far"],
        text: "A formula that an engine had for a predicate when it was stopped. It proves nothing yet.",
        see: &["definition"],
        page: None,
    },
    Entry {
        word: "confirmed",
        also: &["confirms"],
        text: "How many clauses other solvers proved true with our definitions, when --certify-with asks them. The verdict does not depend \
            on it, except that a refuted clause rejects the evidence.",
        see: &["definition"],
        page: Some("docs/cli.md#evidence"),
    },
    Entry {
        word: "work",
        also: &["questions"],
        text: "What the Horn engine did: questions to its solver, depth of derivations reached, goals (proof obligations), lemmas \
            (true of all derivations up to some depth) and facts (true of what can be derived).",
        see: &["lemma", "recmc"],
        page: Some("docs/report.md"),
    },
    Entry {
        word: "search",
        also: &[],
        text: "How the states of a program were searched (breadth-first or depth-first, which reductions), how deep, and how much memory \
            the states took.",
        see: &["partial-order reduction", "symmetry"],
        page: Some("docs/engines.md#how-programs-are-searched"),
    },
    Entry {
        word: "fairness",
        also: &["fair", "weak fairness", "fair choice"],
        text: "Which infinite runs count. Weak fairness (PROMELA, --fair): what can always take a step takes one some time. Fair choice \
            (FSP): what is possible infinitely often happens infinitely often. SMV: states that FAIRNESS names recur.",
        see: &["liveness", "lasso"],
        page: Some("docs/liveness.md"),
    },
    Entry {
        word: "proof",
        also: &[],
        text: "The size of the proof that was checked: nodes of an inductive invariant, the k of k-induction, or views.",
        see: &["inductive invariant", "k-induction", "view"],
        page: Some("docs/certificates.md"),
    },
    Entry {
        word: "BDDs",
        also: &["BDD", "nodes", "binary decision diagram"],
        text: "Sets of states and the transition relation of an SMV model as graphs of decisions on bits. The line says how many \
            nodes they had at most.",
        see: &["bdd"],
        page: Some("docs/engines.md#smv-models"),
    },
    Entry {
        word: "left out",
        also: &["cone of influence"],
        text: "Variables of an SMV model that the property does not depend on, directly or through others. They cannot change the verdict.",
        see: &["abstraction"],
        page: Some("docs/engines.md#smv-models"),
    },
    Entry {
        word: "counting",
        also: &["k-liveness"],
        text: "How often what would violate a claim about liveness can still happen, counted once a round. Rounds are actions that happen again and again.",
        see: &["minimisation"],
        page: Some("docs/engines.md#liveness-in-parts"),
    },
    Entry {
        word: "minimisation",
        also: &["minimised"],
        text: "Which parts of the network were minimised before they were composed, and to how many states.",
        see: &["minimise"],
        page: Some("docs/engines.md#how-minimise-works"),
    },
    Entry {
        word: "result",
        also: &[],
        text: "The number that was asked for: the steps of an SMV COMPUTE, or a probability or reward.",
        see: &["probability"],
        page: None,
    },
    Entry {
        word: "why it holds",
        also: &["premises"],
        text: "The premises of the proof, in order, each with the assumptions it uses.",
        see: &["premise", "certificate"],
        page: Some("docs/certificates.md"),
    },
    Entry {
        word: "system",
        also: &["program", "clauses"],
        text: "The model as it was read: its name and its sizes.",
        see: &["component"],
        page: None,
    },
    Entry {
        word: "warning",
        also: &["warnings"],
        text: "Something about the model or the call that you should know although the verdicts are valid.",
        see: &["verdict"],
        page: None,
    },
];

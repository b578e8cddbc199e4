//! The engines: when each is good. What each does is said by the lists of engines.

use super::Entry;

const PAGE: Option<&str> = Some("docs/engines.md");

const fn engine(word: &'static str, text: &'static str, see: &'static [&'static str]) -> Entry {
    Entry {
        word,
        also: &[],
        text,
        see,
        page: PAGE,
    }
}

pub(super) const ENTRIES: &[Entry] = &[
    engine(
        "auto",
        "Chooses: several engines get slices of the work, the report names the one that answered and says why. The same model \
            gets the same engine every time, except where engines race on Horn clauses.",
        &["engine", "slice"],
    ),
    engine(
        "monolithic",
        "Good for up to a few million states and for shallow bugs; bad where many loosely coupled components multiply their \
            states.",
        &["agar", "minimise", "partial-order reduction"],
    ),
    engine(
        "agar",
        "Good where few labels matter to the property; bad where the property mentions every component, for then every class is split.",
        &["assumption", "abstraction", "learn"],
    ),
    engine(
        "agar-n",
        "A chain of assumptions, one after each group, so that no step composes more than a group and an assumption.",
        &["agar", "split"],
    ),
    engine(
        "learn",
        "Good where a small deterministic assumption is enough, as for mutual exclusion among many; bad where the interface is wide.",
        &["assumption", "agar", "learning"],
    ),
    engine(
        "minimise",
        "Good for deadlock of rings, chains and stars; bad where every component is connected with every other.",
        &["deadlock", "minimisation"],
    ),
    engine(
        "quotient",
        "Shows what a property requires of one process; good where that process has many states and a narrow interface.",
        &["assumption", "so far"],
    ),
    engine(
        "local",
        "Proves programs of many processes whose global states are too many. It cannot prove claims that need three \
            processes at once; then it is unknown, never a wrong verdict.",
        &["view", "interference"],
    ),
    engine(
        "bdd",
        "Decides every property of an SMV model, also where there are very many states with a regular structure.",
        &["BDDs", "cegar", "induction"],
    ),
    engine(
        "cegar",
        "Good where the property depends on a small part of the model.",
        &[
            "abstraction",
            "spurious",
            "counterexample-guided abstraction refinement",
        ],
    ),
    engine(
        "induction",
        "Good for claims that follow from a few steps at a time, whatever the number of states.",
        &["k-induction"],
    ),
    engine(
        "recmc",
        "Good for recursive programs and loops that need relations between variables.",
        &["lemma", "definition", "gpdr"],
    ),
    engine(
        "gpdr",
        "The simpler relative of recmc, without under-approximations; to compare with.",
        &["recmc"],
    ),
    engine(
        "bmc",
        "Good for finding violations that need few steps. It proves a claim only where there are no deeper derivations.",
        &["derivation"],
    ),
    engine(
        "smt",
        "For small probabilistic systems; exact, and slow.",
        &["strong simulation", "conformance"],
    ),
];

//! What models are made of, and what is claimed of them.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        word: "claim",
        also: &["claims", "question"],
        text: "One question about a model: a property, freedom from deadlock, conformance to a specification. Every claim gets a \
            verdict of its own.",
        see: &["property", "deadlock", "conformance"],
        page: Some("docs/architecture.md"),
    },
    Entry {
        word: "component",
        also: &["components", "process", "processes"],
        text: "A part of a system that runs beside the others and shares labels, variables or channels with them.",
        see: &["label", "composition"],
        page: None,
    },
    Entry {
        word: "environment",
        also: &[],
        text: "What stands for the outside of a process: its shared variables and channels as components of the network, or all components other than \
            the one in question.",
        see: &["component", "decomposed"],
        page: Some("docs/promela.md"),
    },
    Entry {
        word: "label",
        also: &["labels", "action", "alphabet"],
        text: "The name of a step. Components that have a label in their alphabet take steps with it together. An alphabet may have \
            labels that are on no transition: these are blocked.",
        see: &["component", "composition"],
        page: Some("docs/fsp.md"),
    },
    Entry {
        word: "composition",
        also: &["product", "whole composition"],
        text: "All components running together. Its states are combinations of theirs, which is why there are so many.",
        see: &["component", "monolithic"],
        page: None,
    },
    Entry {
        word: "decomposed",
        also: &["decomposition"],
        text: "A PROMELA program as a network: a component for each process, with those for the shared state, so that compositional engines apply.",
        see: &["environment"],
        page: Some("docs/promela.md"),
    },
    Entry {
        word: "deadlock",
        also: &["no-deadlock"],
        text: "A state without a step. For FSP, states in which a process has ended by STOP count, those after END do not. For PROMELA see end-states.",
        see: &["end-states", "minimise"],
        page: None,
    },
    Entry {
        word: "assertions",
        also: &["assertion", "assert"],
        text: "The claim that no assert statement fails and no step has an error (division by zero, an index out of range).",
        see: &["claim"],
        page: Some("docs/promela.md"),
    },
    Entry {
        word: "end-states",
        also: &["end states", "end state", "invalid end state"],
        text: "The claim that a PROMELA program stops only where every process is at its end or at an end label.",
        see: &["deadlock"],
        page: Some("docs/promela.md"),
    },
    Entry {
        word: "acceptance",
        also: &["accept", "acceptance cycle"],
        text: "The claim that no run passes an accept label again and again.",
        see: &["liveness", "lasso"],
        page: Some("docs/liveness.md"),
    },
    Entry {
        word: "progress",
        also: &["non-progress"],
        text: "The claim that every infinite run does something useful again and again: passes a progress label (PROMELA, --progress), or \
            takes one of the actions of a progress property (FSP).",
        see: &["liveness", "fairness"],
        page: Some("docs/liveness.md"),
    },
    Entry {
        word: "safety",
        also: &["safety property"],
        text: "Says that something bad never happens. A finite run shows a violation.",
        see: &["liveness", "counterexample"],
        page: None,
    },
    Entry {
        word: "liveness",
        also: &["liveness property"],
        text: "Says that something good happens some time, or again and again. Only an infinite run shows a violation.",
        see: &["safety", "lasso", "fairness"],
        page: Some("docs/liveness.md"),
    },
    Entry {
        word: "invariant",
        also: &["INVARSPEC", "invariants"],
        text: "A condition that is true in all reachable states.",
        see: &["inductive invariant", "safety"],
        page: Some("docs/smv.md"),
    },
    Entry {
        word: "LTL",
        also: &["linear temporal logic", "never claim"],
        text: "Formulas about single runs: [] always, <> eventually, U until, X next. A never claim is an automaton of the runs that must not be.",
        see: &["CTL", "liveness"],
        page: Some("docs/promela.md"),
    },
    Entry {
        word: "CTL",
        also: &["ACTL"],
        text: "Formulas about the tree of all runs: A for all, E for some, with F, G, X and U. ACTL has only A.",
        see: &["LTL"],
        page: Some("docs/smv.md"),
    },
    Entry {
        word: "queries",
        also: &["query"],
        text: "The claim that no query of the Horn clauses can be derived: the clauses are satisfiable.",
        see: &["horn clauses", "derivation"],
        page: Some("docs/horn.md"),
    },
    Entry {
        word: "horn clauses",
        also: &["CHC", "constrained Horn clauses"],
        text: "Implications whose premises and conclusion are unknown predicates with constraints. Loops and functions of a C program become \
            predicates.",
        see: &["definition", "derivation"],
        page: Some("docs/horn.md"),
    },
    Entry {
        word: "no-overflow",
        also: &["overflow", "signed overflow"],
        text: "The claim that no signed arithmetic of a C program leaves the range of its type, which C leaves undefined.",
        see: &["integers", "scope"],
        page: Some("docs/c.md"),
    },
    Entry {
        word: "conformance",
        also: &["specification", "conforms"],
        text: "The claim that a probabilistic system does nothing that its specification cannot simulate, with the same probabilities.",
        see: &["strong simulation", "tree"],
        page: Some("docs/prism.md"),
    },
    Entry {
        word: "probability",
        also: &["probabilities", "reward", "P", "R"],
        text: "P properties bound or ask for the probability of a path, R properties for an expected reward. Values are exact fractions.",
        see: &["result"],
        page: Some("docs/prism.md"),
    },
    Entry {
        word: "fluent",
        also: &["fluents"],
        text: "In FSP a condition that actions switch on and off, for use in LTL formulas.",
        see: &["LTL"],
        page: Some("docs/fsp.md"),
    },
];

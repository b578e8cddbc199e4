//! Which option means something where: the one declaration of it.
//!
//! Every option of a command that reads a model has a row here for each set of languages (and engines) it is meant
//! for. What is not declared is refused, never ignored; a test compares the rows with the definitions of the command line, and
//! another one runs every option on every kind of model.

use suppose_frontends::Language::{
    self, Aut, C, Drn, Fsp, Json, Lpts, LptsJson, Prism, Promela, SmtLib, Smv, Tra,
};

use super::EngineName::{
    self, Agar, AgarN, Auto, Bdd, Bmc, Cegar, Gpdr, Induction, Learn, Monolithic, Quotient, Recmc,
    Smt,
};

/// What a command reads.
pub struct CommandScope {
    /// Its name.
    pub command: &'static str,
    /// The languages it reads.
    pub languages: &'static [Language],
}

/// Where an option means something.
pub struct OptionScope {
    /// Its long name, without dashes.
    pub option: &'static str,
    /// In these commands.
    pub commands: &'static [&'static str],
    /// For these languages.
    pub languages: &'static [Language],
    /// With these engines; none for whatever engine.
    pub engines: &'static [EngineName],
    /// Together with this option only.
    pub with: Option<&'static str>,
}

/// What an engine decides.
pub struct EngineScope {
    /// The engine.
    pub engine: EngineName,
    /// In these commands.
    pub commands: &'static [&'static str],
    /// For these languages.
    pub languages: &'static [Language],
}

const ANY: &[Language] = &Language::ALL;
const NETWORK: &[Language] = &[Fsp, Aut, Json];
const HORN: &[Language] = &[SmtLib, C];
const STATES: &[Language] = &[Tra, Drn, Lpts, LptsJson];
const MARKOV: &[Language] = &[Prism, Tra, Drn, Lpts, LptsJson];
/// Made of components, or taken apart into some.
const PARTS: &[Language] = &[Fsp, Aut, Json, Promela];
const COMPONENTS: &[Language] = &[Fsp, Aut, Json, Promela, Prism, Tra, Drn, Lpts, LptsJson];
const NOT_HORN: &[Language] = &[
    Fsp, Aut, Json, Promela, Prism, Tra, Drn, Lpts, LptsJson, Smv,
];

const CHECK: &[&str] = &["check", "report"];
const DECIDE: &[&str] = &["check", "report", "assume"];
const EVERY: &[&str] = &[
    "check", "report", "assume", "certify", "convert", "draw", "simulate", "spin",
];
const JUDGE: &[&str] = &["check", "report", "assume", "certify"];

/// The commands that read models.
pub const COMMANDS: &[CommandScope] = &[
    reads("check", ANY),
    reads("report", ANY),
    reads("assume", COMPONENTS),
    reads("certify", ANY),
    reads("convert", ANY),
    reads("draw", COMPONENTS),
    reads("simulate", NOT_HORN),
    reads("spin", &[Promela]),
];

/// The engines.
pub const ENGINES: &[EngineScope] = &[
    decides(Auto, DECIDE, ANY),
    decides(Monolithic, CHECK, COMPONENTS),
    decides(Quotient, DECIDE, PARTS),
    decides(Agar, DECIDE, COMPONENTS),
    decides(Learn, DECIDE, COMPONENTS),
    decides(Bdd, CHECK, &[Smv]),
    decides(Cegar, CHECK, &[Smv]),
    decides(Cegar, DECIDE, MARKOV),
    decides(AgarN, DECIDE, MARKOV),
    decides(Smt, CHECK, MARKOV),
    decides(Recmc, CHECK, HORN),
    decides(Gpdr, CHECK, HORN),
    decides(Bmc, CHECK, HORN),
    decides(Induction, CHECK, &[SmtLib, C, Smv]),
];

/// The options.
pub const OPTIONS: &[OptionScope] = &[
    // How results look, and limits.
    meant("quiet", EVERY, ANY),
    meant("format", EVERY, ANY),
    meant("colour", EVERY, ANY),
    meant("timeout", EVERY, ANY),
    meant("memory", EVERY, ANY),
    // How a model is read.
    meant("language", EVERY, ANY),
    meant("property-file", EVERY, &[Aut, Promela]),
    meant("property-file", JUDGE, MARKOV),
    meant("property-file", &["simulate"], MARKOV).with("counterexample"),
    meant("system", EVERY, &[Fsp]),
    meant("set", EVERY, &[Fsp, Promela, C, Prism]),
    meant("integers", EVERY, &[C]),
    meant("wrap", EVERY, &[C]),
    meant("data-model", EVERY, &[C]),
    meant("spec", JUDGE, MARKOV),
    meant("spec", &["simulate"], MARKOV).with("counterexample"),
    meant("spec", &["convert", "draw"], MARKOV).with("component"),
    meant("const", EVERY, &[Prism]),
    meant(
        "group",
        &["check", "report", "assume", "certify", "draw", "simulate"],
        &[Prism],
    ),
    meant("group", &["convert"], &[Prism]).with("component"),
    meant(
        "reads",
        &["check", "report", "assume", "certify", "draw", "simulate"],
        &[Prism],
    ),
    meant("reads", &["convert"], &[Prism]).with("component"),
    meant(
        "acts",
        &["check", "report", "assume", "certify", "draw", "simulate"],
        &[Prism],
    ),
    meant("acts", &["convert"], &[Prism]).with("component"),
    meant("unmentioned", EVERY, MARKOV).with("spec"),
    meant("dialect", EVERY, &[Smv]),
    // What is asked.
    meant("property", DECIDE, ANY),
    meant("property", &["draw"], PARTS),
    meant("property", &["simulate"], NOT_HORN).with("counterexample"),
    meant("property", &["spin"], &[Promela]),
    meant("deadlock", CHECK, NOT_HORN),
    meant("no-deadlock", CHECK, NOT_HORN),
    // Who decides it, and how.
    meant("engine", DECIDE, ANY),
    meant("component", DECIDE, PARTS).by(&[Auto, Quotient]),
    meant("component", &["convert", "draw"], COMPONENTS),
    meant("component", &["spin"], &[Promela]),
    meant("in-turn", DECIDE, PARTS).by(&[Auto, Quotient]),
    meant("schedule", &["assume"], PARTS).by(&[Auto, Quotient]),
    meant("merging", &["assume"], PARTS).by(&[Auto, Quotient]),
    meant("environment", &["assume"], PARTS).by(&[Auto, Quotient]),
    meant("split", DECIDE, PARTS).by(&[Auto, Agar, Learn]),
    meant("split", DECIDE, MARKOV).by(&[Auto, Agar, AgarN, Learn]),
    meant("learner", CHECK, PARTS).by(&[Auto, Learn]),
    meant("alphabet", CHECK, PARTS).by(&[Auto, Agar, Learn]),
    meant("splitting", CHECK, PARTS).by(&[Auto, Agar]),
    meant("restart", CHECK, PARTS).by(&[Auto, Agar]),
    meant("order", CHECK, &[Promela]),
    meant("no-reduction", CHECK, &[Promela]),
    meant("first", CHECK, &[Promela]),
    meant("compaction", CHECK, &[Promela]),
    meant("abstraction", CHECK, HORN).by(&[Auto, Recmc]),
    meant("bounds", CHECK, HORN)
        .by(&[Auto, Recmc])
        .with("abstraction"),
    meant("query-order", CHECK, HORN).by(&[Auto, Recmc, Gpdr]),
    meant("solver", CHECK, HORN).by(&[Auto, Recmc, Gpdr]),
    meant("no-must-summaries", CHECK, HORN).by(&[Auto, Recmc]),
    meant("values", CHECK, HORN).by(&[Auto, Recmc]),
    meant("no-simplification", CHECK, HORN),
    meant("no-invariants", CHECK, HORN).by(&[Auto, Recmc]),
    meant("concretise", CHECK, HORN).by(&[Auto, Recmc]),
    meant("partition", CHECK, MARKOV).by(&[Learn]),
    meant("far", CHECK, &[Smv]).by(&[Auto, Cegar]),
    meant("spurious", CHECK, &[Smv]).by(&[Auto, Cegar]),
    meant("separation", CHECK, &[Smv]).by(&[Auto, Cegar]),
    meant("early", CHECK, &[Smv]).by(&[Auto, Cegar]),
    // Evidence and output.
    meant("certificate", CHECK, ANY),
    meant("no-certify", CHECK, ANY),
    meant("recheck", CHECK, &[Promela, Smv]),
    meant("trail", CHECK, &[Promela]),
    meant("certify-with", CHECK, HORN),
    meant("definitions", CHECK, HORN),
    meant("witness", CHECK, &[C]),
    meant("report", CHECK, ANY),
    meant("full", CHECK, ANY),
    meant("trace", CHECK, &[Smv]),
    meant("smtlib", CHECK, &[Smv]),
    meant("aiger", CHECK, &[Smv]),
    meant("output", &["report"], ANY),
    meant("output", &["assume", "draw"], COMPONENTS),
    meant("output", &["spin"], &[Promela]),
    meant("composition", &["draw"], COMPONENTS),
    meant("minimise", &["convert"], PARTS),
    meant("premises", &["convert"], PARTS),
    meant("steps", &["simulate"], NOT_HORN),
    meant("seed", &["simulate"], NOT_HORN),
    meant("interactive", &["simulate"], NOT_HORN),
    meant("counterexample", &["simulate"], NOT_HORN),
    meant("threshold", &["spin"], &[Promela]),
    meant("always", &["spin"], &[Promela]),
];

/// Options whose value is the name of a file that is written.
pub const WRITTEN: &[&str] = &[
    "certificate",
    "trail",
    "definitions",
    "witness",
    "report",
    "smtlib",
    "aiger",
    "output",
];

/// Options whose value is the name of a file that is read.
pub const READ: &[&str] = &["property-file", "spec", "acts", "premises"];

/// Languages as users call them, for messages: the largest groups first.
pub const GROUPS: &[(&[Language], &str)] = &[
    (NETWORK, "networks (FSP, Aldebaran, JSON)"),
    (&[Fsp], "FSP models"),
    (&[Aut], "Aldebaran files"),
    (&[Json], "networks in JSON"),
    (&[Promela], "PROMELA programs"),
    (HORN, "Horn clauses and C programs"),
    (&[SmtLib], "Horn clauses"),
    (&[C], "C programs"),
    (MARKOV, "probabilistic systems"),
    (&[Prism], "PRISM models"),
    (STATES, "explicit-state probabilistic systems"),
    (&[Smv], "SMV models"),
];

const fn reads(command: &'static str, languages: &'static [Language]) -> CommandScope {
    CommandScope { command, languages }
}

const fn decides(
    engine: EngineName,
    commands: &'static [&'static str],
    languages: &'static [Language],
) -> EngineScope {
    EngineScope {
        engine,
        commands,
        languages,
    }
}

const fn meant(
    option: &'static str,
    commands: &'static [&'static str],
    languages: &'static [Language],
) -> OptionScope {
    OptionScope {
        option,
        commands,
        languages,
        engines: &[],
        with: None,
    }
}

impl OptionScope {
    const fn by(mut self, engines: &'static [EngineName]) -> Self {
        self.engines = engines;
        self
    }

    const fn with(mut self, option: &'static str) -> Self {
        self.with = Some(option);
        self
    }
}

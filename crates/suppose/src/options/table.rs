//! Which option is for which command, language and engine.
//!
//! Every option of a command that reads a model has a row here for each set of languages (and engines) it is meant
//! for. What is not declared is refused, never ignored; a test compares the rows with the definitions of the command line, and
//! another one runs every option on every kind of model.

use suppose_frontends::Language::{
    self, Aut, C, Drn, Fsp, Json, Lpts, LptsJson, Prism, Promela, SmtLib, Smv, Tra,
};
use suppose_mdp::portfolio as mdp;
use suppose_symbolic::portfolio as symbolic;

use suppose_chc::portfolio as chc;
use suppose_compose::portfolio as compose;
use suppose_control::EngineInfo;
use suppose_explicit::portfolio as explicit;
use suppose_local::portfolio as local;

/// What a command reads.
pub struct CommandScope {
    /// Its name.
    pub command: &'static str,
    /// The languages it reads.
    pub languages: &'static [Language],
}

/// What an option is for.
pub struct OptionScope {
    /// Its long name, without dashes.
    pub option: &'static str,
    /// In these commands.
    pub commands: &'static [&'static str],
    /// For these languages.
    pub languages: &'static [Language],
    /// Together with this option only.
    pub with: Option<&'static str>,
}

/// The engines on models in some languages.
pub struct EngineScope {
    /// The languages.
    pub languages: &'static [Language],
    /// The lists of the crates with engines on such models; of several engines of one name the first counts.
    lists: &'static [&'static [EngineInfo]],
}

const ANY: &[Language] = &Language::ALL;
const NETWORK: &[Language] = &[Fsp, Aut, Json];
const HORN: &[Language] = &[SmtLib, C];
const STATES: &[Language] = &[Tra, Drn, Lpts, LptsJson];
const MARKOV: &[Language] = &[Prism, Tra, Drn, Lpts, LptsJson];
/// Made of components, or decomposed into some.
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

/// The engines. Parts of a PROMELA program are a network.
pub const ENGINES: &[EngineScope] = &[
    decide(NETWORK, &[compose::ENGINES]),
    decide(
        &[Promela],
        &[explicit::ENGINES, local::ENGINES, compose::ON_PROGRAMS],
    ),
    decide(&[Smv], &[symbolic::ENGINES]),
    decide(MARKOV, &[mdp::ENGINES]),
    decide(HORN, &[chc::ENGINES]),
];

/// The options.
pub const OPTIONS: &[OptionScope] = &[
    // How results look, and limits.
    meant("quiet", EVERY, ANY),
    meant("format", EVERY, ANY),
    meant("colour", EVERY, ANY),
    meant("timeout", EVERY, ANY),
    meant("memory", EVERY, ANY),
    meant("jobs", CHECK, ANY),
    meant("sarif", CHECK, ANY),
    meant("junit", CHECK, ANY),
    meant("events", CHECK, ANY),
    meant("github", CHECK, ANY),
    // How a model is read.
    meant("language", EVERY, ANY),
    meant("property-file", EVERY, &[Aut, Promela]),
    meant("property-file", JUDGE, MARKOV),
    meant("property-file", &["simulate"], MARKOV).with("counterexample"),
    meant("system", EVERY, &[Fsp]),
    meant("set", EVERY, &[Fsp, Promela, C, Prism]),
    meant("no-fair-choice", &["check", "report", "certify"], &[Fsp]),
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
    meant("component", DECIDE, PARTS),
    meant("component", &["convert", "draw"], COMPONENTS),
    meant("component", &["spin"], &[Promela]),
    meant("in-turn", DECIDE, PARTS),
    meant("schedule", &["assume"], PARTS),
    meant("merging", &["assume"], PARTS),
    meant("environment", &["assume"], PARTS),
    meant("split", DECIDE, PARTS),
    meant("split", DECIDE, MARKOV),
    meant("learner", CHECK, PARTS),
    meant("alphabet", CHECK, PARTS),
    meant("splitting", CHECK, PARTS),
    meant("restart", CHECK, PARTS),
    meant("order", CHECK, &[Promela]),
    meant("no-reduction", CHECK, &[Promela]),
    meant("no-symmetry", CHECK, &[Promela]),
    meant("threads", CHECK, &[Promela]),
    meant("disk", CHECK, &[Promela]),
    meant("first", CHECK, &[Promela]),
    meant("compaction", CHECK, &[Promela]),
    meant("progress", CHECK, &[Promela]),
    meant("fair", CHECK, &[Promela]),
    meant("abstraction", CHECK, HORN),
    meant("bounds", CHECK, HORN).with("abstraction"),
    meant("query-order", CHECK, HORN),
    meant("solver", CHECK, HORN),
    meant("no-must-summaries", CHECK, HORN),
    meant("values", CHECK, HORN),
    meant("no-simplification", CHECK, HORN),
    meant("no-invariants", CHECK, HORN),
    meant("concretise", CHECK, HORN),
    meant("partition", CHECK, MARKOV),
    meant("far", CHECK, &[Smv]),
    meant("spurious", CHECK, &[Smv]),
    meant("separation", CHECK, &[Smv]),
    meant("early", CHECK, &[Smv]),
    // Evidence and output.
    meant("certificate", CHECK, ANY),
    meant("no-certify", CHECK, ANY),
    meant("recheck", CHECK, &[Promela, Smv]),
    meant("trail", CHECK, &[Promela]),
    meant("certify-with", CHECK, HORN),
    meant("definitions", CHECK, HORN),
    meant("witness", CHECK, &[C]),
    meant("report", CHECK, ANY),
    meant("itf", CHECK, NOT_HORN),
    meant("chart", CHECK, NOT_HORN),
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
    "sarif",
    "junit",
    "events",
    "itf",
    "chart",
];

/// Options whose value is the name of a file that is read.
pub const READ: &[&str] = &["property-file", "spec", "acts", "premises"];

/// Languages as users call them, for messages: the largest groups first.
const GROUPS: &[(&[Language], &str)] = &[
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

const fn decide(
    languages: &'static [Language],
    lists: &'static [&'static [EngineInfo]],
) -> EngineScope {
    EngineScope { languages, lists }
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
        with: None,
    }
}

impl EngineScope {
    /// Its engines, each once.
    pub fn engines(&self) -> impl Iterator<Item = &'static EngineInfo> {
        let lists = self.lists;
        let before = |at: usize| lists[..at].iter().copied().flatten();
        let is_new = move |at: usize, e: &EngineInfo| before(at).all(|other| other.name != e.name);
        let numbered = lists.iter().enumerate();
        numbered.flat_map(move |(at, list)| list.iter().filter(move |e| is_new(at, e)))
    }
}

/// The engines on models in a language.
pub fn engines(language: Language) -> impl Iterator<Item = &'static EngineInfo> {
    let fits = move |scope: &&EngineScope| scope.languages.contains(&language);
    ENGINES.iter().filter(fits).flat_map(EngineScope::engines)
}

/// Can an engine be asked for by a command?
pub fn can_serve(command: &str, engine: &EngineInfo) -> bool {
    CHECK.contains(&command) || engine.assumes && DECIDE.contains(&command)
}

impl OptionScope {
    /// The engines on models in a language that understand it; none if it means the same for all engines.
    pub fn engines(&self, language: Language) -> impl Iterator<Item = &'static EngineInfo> {
        let is_for_engines = self.commands.iter().all(|c| DECIDE.contains(c));
        let option = self.option;
        let understands = move |e: &&EngineInfo| is_for_engines && e.options.contains(&option);
        engines(language).filter(understands)
    }

    /// The names of the engines that understand it on models in any of its languages, each once.
    pub fn engine_names(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for engine in self.languages.iter().flat_map(|l| self.engines(*l)) {
            if !names.contains(&engine.name) {
                names.push(engine.name);
            }
        }
        names
    }

    const fn with(mut self, option: &'static str) -> Self {
        self.with = Some(option);
        self
    }
}

/// Languages in a sentence, as short as possible.
pub fn groups(languages: &[Language]) -> String {
    let mut left: Vec<Language> = languages.to_vec();
    let mut words = Vec::new();
    for (group, name) in GROUPS {
        if group.iter().all(|l| left.contains(l)) {
            left.retain(|l| !group.contains(l));
            words.push((*name).to_owned());
        }
    }
    listed(&words, "and")
}

/// `a, b and c`
pub(crate) fn listed(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}

//! The languages, and how the language of a text is known.
//!
//! The only place that distinguishes languages: by the extension of a file's name, and where that is not
//! enough, by how the text begins.

/// The languages read here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// FSP, the language of LTSA.
    Fsp,
    /// Aldebaran.
    Aut,
    /// A network as JSON.
    Json,
    /// PROMELA, the language of SPIN: a program, not a network.
    Promela,
    /// Horn clauses in SMT-LIB: not a network either.
    SmtLib,
    /// C: a program that becomes Horn clauses.
    C,
    /// The language of PRISM: probabilistic systems.
    Prism,
    /// A probabilistic system as PRISM's list of transitions.
    Tra,
    /// A probabilistic system as Storm's direct encoding.
    Drn,
    /// A probabilistic system in our text form.
    Lpts,
    /// A probabilistic system as JSON.
    LptsJson,
    /// SMV: finite-domain systems.
    Smv,
}

/// What a text becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelKind {
    /// A network of labelled transition systems.
    Network,
    /// A concurrent program.
    Program,
    /// Horn clauses.
    Chc,
    /// A probabilistic system.
    Mdp,
    /// A finite-domain transition system.
    Fsm,
}

/// Extensions of more than one language: the text decides.
const SHARED_ENDINGS: [&str; 2] = ["pm", "json"];

impl Language {
    /// All of them.
    pub const ALL: [Language; 12] = [
        Language::Fsp,
        Language::Aut,
        Language::Json,
        Language::Promela,
        Language::SmtLib,
        Language::C,
        Language::Prism,
        Language::Tra,
        Language::Drn,
        Language::Lpts,
        Language::LptsJson,
        Language::Smv,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Language::Fsp => "fsp",
            Language::Aut => "aut",
            Language::Json => "json",
            Language::Promela => "promela",
            Language::SmtLib => "smtlib",
            Language::C => "c",
            Language::Prism => "prism",
            Language::Tra => "tra",
            Language::Drn => "drn",
            Language::Lpts => "lpts",
            Language::LptsJson => "lpts-json",
            Language::Smv => "smv",
        }
    }

    /// What a file in it is, for display: "a C program".
    pub fn title(self) -> &'static str {
        match self {
            Language::Fsp => "an FSP model",
            Language::Aut => "an Aldebaran file",
            Language::Json => "a network in JSON",
            Language::Promela => "a PROMELA program",
            Language::SmtLib => "Horn clauses",
            Language::C => "a C program",
            Language::Prism => "a PRISM model",
            Language::Tra | Language::Drn | Language::Lpts | Language::LptsJson => {
                "an explicit-state probabilistic system"
            }
            Language::Smv => "an SMV model",
        }
    }

    /// The endings of its files, in lower case. `.json` and `.pm` belong to two languages each.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Language::Fsp => &["lts", "fsp"],
            Language::Aut => &["aut"],
            Language::Json | Language::LptsJson => &["json"],
            Language::Promela => &["pml", "prom", "promela", "pm", "spin", "prm", "pr", "pro"],
            Language::SmtLib => &["smt2"],
            Language::C => &["c", "i"],
            Language::Prism => &["prism", "nm", "pm", "sm"],
            Language::Tra => &["tra"],
            Language::Drn => &["drn"],
            Language::Lpts => &["lpts"],
            Language::Smv => &["smv"],
        }
    }

    /// What a text in it becomes.
    pub fn kind(self) -> ModelKind {
        match self {
            Language::Fsp | Language::Aut | Language::Json => ModelKind::Network,
            Language::Promela => ModelKind::Program,
            Language::SmtLib | Language::C => ModelKind::Chc,
            Language::Prism
            | Language::Tra
            | Language::Drn
            | Language::Lpts
            | Language::LptsJson => ModelKind::Mdp,
            Language::Smv => ModelKind::Fsm,
        }
    }

    /// Is a file in it a component, so that several files are one model?
    pub fn is_of_components(self) -> bool {
        self == Language::Aut
    }

    /// Is the end of its files' names enough to take them for whole models? JSON can be anything, and a component is none.
    pub fn is_known_by_ending(self) -> bool {
        !matches!(self, Language::Aut | Language::Json | Language::LptsJson)
    }

    /// The language of a file, by the end of its name. Of an ending of two languages, the first of them.
    pub fn of(file_name: &str) -> Option<Language> {
        let end = ending(file_name)?;
        let mut all = Language::ALL.into_iter();
        all.find(|l| l.endings().contains(&end.as_str()))
    }

    /// The language of a text, by the extension of its file's name, and where that is not enough by how it begins.
    pub fn detect(file_name: &str, beginning: &str) -> Option<Language> {
        let by_name = Language::of(file_name);
        let shared = ending(file_name).is_some_and(|e| SHARED_ENDINGS.contains(&e.as_str()));
        match by_name {
            Some(language) if !shared => Some(language),
            Some(language) => Some(language.or_by_text(beginning)),
            None => Language::of_text(beginning),
        }
    }

    /// Which of the languages that share its ending this text is in.
    pub fn or_by_text(self, text: &str) -> Language {
        match self {
            Language::Promela if is_prism(&words(text)) => Language::Prism,
            Language::Json if text.contains("\"suppose-lpts\"") => Language::LptsJson,
            other => other,
        }
    }

    /// The language of a text by how it begins, if that is enough.
    fn of_text(text: &str) -> Option<Language> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with("des ") || text.starts_with("des(") {
            return Some(Language::Aut);
        }
        if text.starts_with('{') {
            return Some(Language::Json.or_by_text(text));
        }
        if text.starts_with("@type") {
            return Some(Language::Drn);
        }
        let bare = without_comments(text, ";");
        if bare.trim_start().starts_with('(') && bare.contains("(declare-") {
            return Some(Language::SmtLib);
        }
        let bare = without_comments(text, "--");
        if words(&bare).first().map(String::as_str) == Some("MODULE") {
            return Some(Language::Smv);
        }
        of_words(&without_slashes(text))
    }
}

/// Of languages with comments as in C.
fn of_words(text: &str) -> Option<Language> {
    let words = words(text);
    let has = |some: &[&str]| words.iter().any(|w| some.contains(&w.as_str()));
    if is_prism(&words) {
        return Some(Language::Prism);
    }
    if has(&["proctype", "mtype", "chan", "never"])
        || words.first().map(String::as_str) == Some("init")
    {
        return Some(Language::Promela);
    }
    if matches!(words.first().map(String::as_str), Some("lpts" | "spec")) {
        return Some(Language::Lpts);
    }
    if has(&["main"]) && has(&["int", "void"]) {
        return Some(Language::C);
    }
    (text.contains("->") && text.contains('=') && text.contains('.')).then_some(Language::Fsp)
}

/// PRISM has modules, PROMELA has processes.
fn is_prism(words: &[String]) -> bool {
    let has = |some: &[&str]| words.iter().any(|w| some.contains(&w.as_str()));
    let prism = [
        "endmodule",
        "mdp",
        "dtmc",
        "ctmc",
        "probabilistic",
        "nondeterministic",
    ];
    has(&prism) && !has(&["proctype"])
}

fn ending(file_name: &str) -> Option<String> {
    let (_, end) = file_name.rsplit_once('.')?;
    Some(end.to_ascii_lowercase())
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

/// Without comments: what follows `mark` on each line.
fn without_comments(text: &str, mark: &str) -> String {
    let bare = |line: &str| line.split(mark).next().unwrap_or_default().to_owned();
    text.lines().map(bare).collect::<Vec<_>>().join("\n")
}

/// Without comments as in C.
fn without_slashes(text: &str) -> String {
    let mut bare = String::new();
    for (number, part) in text.split("/*").enumerate() {
        let after = match number {
            0 => part,
            _ => part.split_once("*/").map_or("", |(_, after)| after),
        };
        bare.push_str(after);
        bare.push(' ');
    }
    without_comments(&bare, "//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_and_else_the_text_does() {
        let by_name = |name| Language::detect(name, "");
        assert_eq!(by_name("a.LTS"), Some(Language::Fsp));
        for name in ["a.pml", "a.prm", "a.pr", "a.pro", "x/a.spin"] {
            assert_eq!(by_name(name), Some(Language::Promela), "{name}");
        }
        assert_eq!(by_name("a.i"), Some(Language::C));
        assert_eq!(by_name("a"), None);
        assert_eq!(by_name("a.txt"), None);
        let pm = |text| Language::detect("a.pm", text);
        assert_eq!(pm("mdp module m endmodule"), Some(Language::Prism));
        assert_eq!(pm("active proctype P() { skip }"), Some(Language::Promela));
        let json = |text| Language::detect("a.json", text);
        assert_eq!(json("{}"), Some(Language::Json));
        let ours = r#"{"format": "suppose-lpts"}"#;
        assert_eq!(json(ours), Some(Language::LptsJson));
    }

    #[test]
    fn a_text_without_a_name_is_recognised() {
        for (text, language) in [
            ("\u{feff}des (0, 1, 2)\n", Language::Aut),
            ("  {\"components\": []}", Language::Json),
            ("@type: MDP\n", Language::Drn),
            (
                "; a comment\n(set-logic HORN)\n(declare-fun p (Int) Bool)",
                Language::SmtLib,
            ),
            ("-- the model\nMODULE main\nVAR x : boolean;", Language::Smv),
            ("// proctype\nmdp\nmodule m\nendmodule", Language::Prism),
            (
                "/* int main */ byte x; active proctype P() { x++ }",
                Language::Promela,
            ),
            (
                "#include <assert.h>\nint main(void) { return 0; }",
                Language::C,
            ),
            ("// a channel\nP = (a -> P).", Language::Fsp),
            ("lpts Channel\ninit s0\n", Language::Lpts),
        ] {
            assert_eq!(Language::detect("-", text), Some(language), "{text}");
        }
        for text in ["", "hello", "/*"] {
            assert_eq!(Language::detect("-", text), None, "{text}");
        }
    }

    #[test]
    fn names_are_different() {
        for (i, a) in Language::ALL.iter().enumerate() {
            assert!(Language::ALL[..i].iter().all(|b| a.name() != b.name()));
        }
    }
}

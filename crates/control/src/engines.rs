//! Descriptions of engines.
//!
//! Every crate with engines declares them once, with [`engines!`](crate::engines). The values of `--engine`, its help, the table of
//! engines in the documentation, and what is refused with which engine are all made from these lists.

/// Kinds of claims, on all kinds of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Claims {
    /// No deadlock; of a program, no invalid end state.
    Deadlock,
    /// Safety properties: automata of traces that are allowed, or `always p`.
    Safety,
    /// Assertions of a program.
    Assertions,
    /// What must be true in all reachable states.
    Invariants,
    /// Formulas of CTL.
    Ctl,
    /// Formulas of CTL about all paths.
    Actl,
    /// Formulas of LTL, and `never` claims.
    Ltl,
    /// Queries of Horn clauses.
    Queries,
    /// Strong simulation by a specification.
    Conformance,
    /// Bounds on probabilities and expected rewards.
    Probabilities,
}

impl Claims {
    /// As documentation calls them.
    pub fn name(self) -> &'static str {
        match self {
            Claims::Deadlock => "deadlock",
            Claims::Safety => "safety",
            Claims::Assertions => "assertions",
            Claims::Invariants => "invariants",
            Claims::Ctl => "CTL",
            Claims::Actl => "ACTL",
            Claims::Ltl => "LTL",
            Claims::Queries => "queries",
            Claims::Conformance => "conformance",
            Claims::Probabilities => "probabilities",
        }
    }
}

/// The description of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Which claims it can decide.
    pub decides: &'static [Claims],
    /// Can it be asked for an assumption, too?
    pub assumes: bool,
    /// The options that it understands, by their long names, beside those that mean the same for all engines on such models.
    pub options: &'static [&'static str],
}

impl EngineInfo {
    /// An engine of that name.
    pub const fn new(name: &'static str, decides: &'static [Claims]) -> EngineInfo {
        EngineInfo {
            name,
            summary: "",
            decides,
            assumes: false,
            options: &[],
        }
    }

    /// The same, and it finds assumptions.
    #[must_use]
    pub const fn assumes(mut self) -> EngineInfo {
        self.assumes = true;
        self
    }

    /// The same, and it understands these options.
    #[must_use]
    pub const fn options(mut self, options: &'static [&'static str]) -> EngineInfo {
        self.options = options;
        self
    }

    /// The same, with what it does in a line.
    #[must_use]
    pub const fn summary(mut self, summary: &'static str) -> EngineInfo {
        self.summary = summary.trim_ascii();
        self
    }

    /// Can it decide such claims?
    pub fn can_decide(&self, claims: Claims) -> bool {
        self.decides.contains(&claims)
    }
}

/// Declares the engines of a crate: an enum with a variant for each, and the list `ENGINES` in the same order.
///
/// The comment on a variant is the engine's summary for users. The first one is the default.
///
/// ```
/// use suppose_control::Claims::{Deadlock, Safety};
/// use suppose_control::EngineInfo;
///
/// suppose_control::engines! {
///     /// Engines on toys.
///     pub enum Engine {
///         /// Takes whichever is quicker.
///         Auto => EngineInfo::new("auto", &[Deadlock, Safety]),
///         /// Looks at every state.
///         Search => EngineInfo::new("search", &[Deadlock, Safety]).options(&["order"]),
///     }
/// }
/// assert_eq!(Engine::named("search"), Some(Engine::Search));
/// assert_eq!(Engine::default().info().summary, "Takes whichever is quicker.");
/// assert_eq!(ENGINES[1].options, ["order"]);
/// ```
#[macro_export]
macro_rules! engines {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Engine:ident {
            #[doc = $first_summary:literal]
            $First:ident => $first:expr,
            $(
                #[doc = $summary:literal]
                $Variant:ident => $info:expr,
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $Engine {
            #[doc = $first_summary]
            #[default]
            $First,
            $(
                #[doc = $summary]
                $Variant,
            )*
        }

        /// Their descriptions, in the same order.
        $vis const ENGINES: &[$crate::EngineInfo] = &[
            $first.summary($first_summary),
            $($info.summary($summary),)*
        ];

        impl $Engine {
            /// All of them, in the order of [`ENGINES`].
            $vis const ALL: &[$Engine] = &[$Engine::$First, $($Engine::$Variant,)*];

            /// Its description.
            $vis fn info(self) -> &'static $crate::EngineInfo {
                &ENGINES[self as usize]
            }

            /// Its name.
            $vis fn name(self) -> &'static str {
                self.info().name
            }

            /// The engine of that name.
            $vis fn named(name: &str) -> Option<$Engine> {
                Self::ALL.iter().copied().find(|e| e.name() == name)
            }
        }
    };
}

/// What cannot be done as it was asked for, and what can be instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub message: String,
    /// What to do instead.
    pub help: String,
}

impl Refusal {
    /// With that help.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal {
            message: message.into(),
            help: help.into(),
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for Refusal {}

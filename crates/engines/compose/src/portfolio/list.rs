//! What engines there are.

/// The engines on networks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Engine {
    /// All of them, in turns.
    #[default]
    Auto,
    /// The whole composition.
    Monolithic,
    /// What is required of one process.
    Quotient,
    /// Assumptions by refining an abstraction.
    Agar,
    /// Assumptions by learning.
    Learn,
}

/// Which claims an engine can decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decides {
    /// Freedom from deadlock and safety properties, with priorities too.
    All,
    /// Safety properties of systems without priorities: it looks at parts, and they do not determine what is
    /// left of the whole when some steps give way to others, nor whether all of them wait at once.
    Safety,
}

/// What is to be known of an engine before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineInfo {
    /// Which one.
    pub engine: Engine,
    /// What users and answers call it.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Which claims it can decide.
    pub decides: Decides,
}

/// All engines on networks, `auto` first.
pub const ENGINES: [EngineInfo; 5] = [
    EngineInfo {
        engine: Engine::Auto,
        name: "auto",
        summary: "all of them, in turns that grow, until one decides the claim",
        decides: Decides::All,
    },
    EngineInfo {
        engine: Engine::Monolithic,
        name: "monolithic",
        summary: "explores the whole composition, once for all claims",
        decides: Decides::All,
    },
    EngineInfo {
        engine: Engine::Quotient,
        name: "quotient",
        summary: "finds what the property requires of one process, as the smallest automaton",
        decides: Decides::Safety,
    },
    EngineInfo {
        engine: Engine::Agar,
        name: "agar",
        summary: "finds assumptions by assume-guarantee abstraction refinement",
        decides: Decides::Safety,
    },
    EngineInfo {
        engine: Engine::Learn,
        name: "learn",
        summary: "finds assumptions by learning (L*, TTT)",
        decides: Decides::Safety,
    },
];

impl Engine {
    /// What is to be known of it.
    pub fn info(self) -> &'static EngineInfo {
        &ENGINES[self as usize]
    }

    /// What users and answers call it.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The engine of that name.
    pub fn named(name: &str) -> Option<Engine> {
        let mut all = ENGINES.iter();
        all.find(|e| e.name == name).map(|e| e.engine)
    }

    /// Does it look at parts of the system?
    pub(super) fn is_on_parts(self) -> bool {
        self.info().decides == Decides::Safety
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_has_its_place_in_the_list() {
        for info in &ENGINES {
            assert_eq!(info.engine.info(), info);
            assert_eq!(Engine::named(info.name), Some(info.engine));
        }
        assert_eq!(Engine::named("bdd"), None);
    }
}

//! What engines there are.

use suppose_control::Claims::{Deadlock, Ltl, Safety};
use suppose_control::{Claims, Context, EngineInfo};
use suppose_model::{Answer, Claim};

use super::Portfolio;
use crate::{agar, learn, monolithic};

suppose_control::engines! {
    /// The engines on networks.
    ///
    /// All but `monolithic` look at parts of the system. These do not determine what is left of the whole when some
    /// steps give way to others by priority, and their traces do not say whether all of them wait at once.
    pub enum Engine {
        /// All of them in turns that grow, until one decides the claim.
        Auto => EngineInfo::new("auto", &[Deadlock, Safety, Ltl]).assumes().options(&[
            "component", "in-turn", "schedule", "merging", "environment", "split", "learner", "alphabet", "splitting", "restart",
        ]),
        /// Explores the whole composition, once for all claims.
        Monolithic => EngineInfo::new("monolithic", &[Deadlock, Safety, Ltl]),
        /// Composes and minimises a few components at a time.
        Minimise => EngineInfo::new("minimise", &[Deadlock, Ltl]),
        /// Finds what the property requires of one process, as the smallest automaton.
        Quotient => EngineInfo::new("quotient", &[Safety, Ltl])
            .assumes()
            .options(&["component", "in-turn", "schedule", "merging", "environment"]),
        /// Finds assumptions by assume-guarantee abstraction refinement.
        Agar => EngineInfo::new("agar", &[Safety, Ltl])
            .assumes()
            .options(&["split", "alphabet", "splitting", "restart"]),
        /// Finds assumptions by automata learning (L*, TTT).
        Learn => EngineInfo::new("learn", &[Safety, Ltl])
            .assumes()
            .options(&["split", "learner", "alphabet"]),
    }
}

/// Those that are of use on the parts of a program, whose infinite runs are always searched as a whole.
pub const ON_PROGRAMS: &[EngineInfo] = &[
    deciding(Engine::Minimise, &[Deadlock]),
    deciding(Engine::Quotient, &[Safety]),
    deciding(Engine::Agar, &[Safety]),
    deciding(Engine::Learn, &[Safety]),
];

const fn deciding(engine: Engine, decides: &'static [Claims]) -> EngineInfo {
    EngineInfo {
        decides,
        ..ENGINES[engine as usize]
    }
}

impl Engine {
    /// Runs it on one property.
    pub(super) fn decide_property(
        self,
        portfolio: &Portfolio,
        property: usize,
        cx: &Context,
    ) -> Answer {
        let (network, settings) = (portfolio.network, portfolio.settings);
        match self {
            Engine::Auto | Engine::Monolithic | Engine::Minimise => {
                monolithic::check(network, Claim::Property(property), cx)
            }
            Engine::Quotient => portfolio.quotient(property, cx),
            Engine::Agar => portfolio.on_groups(property, cx, |groups, cx| {
                agar::check(network, property, groups, &settings.agar, cx)
            }),
            Engine::Learn => portfolio.on_groups(property, cx, |groups, cx| {
                learn::check(network, property, groups, &settings.learn, cx)
            }),
        }
    }

    /// Does it decide such a claim on parts of the system?
    pub(super) fn is_on_parts(self, claim: Claim) -> bool {
        let whole = matches!(self, Engine::Auto | Engine::Monolithic);
        let kind = match claim {
            Claim::DeadlockFree => Deadlock,
            Claim::Property(_) => Safety,
            Claim::Liveness(_) => Ltl,
        };
        !whole && self.info().can_decide(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_has_its_place_in_the_list() {
        assert_eq!(Engine::ALL.len(), ENGINES.len());
        for (engine, info) in Engine::ALL.iter().zip(ENGINES) {
            assert_eq!(engine.info(), info);
            assert_eq!(Engine::named(info.name), Some(*engine));
        }
        assert_eq!(Engine::named("bdd"), None);
    }
}

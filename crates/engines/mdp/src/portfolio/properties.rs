//! Properties: values on the whole composition, thresholds also with assumptions.

use suppose_control::catch;
use suppose_model::mdp::{
    Amount, Claim, Proof, Property, Query, Refutation, StateFormula, ValueBounds,
};
use suppose_model::{Reason, Verdict};

use super::{Engine, Portfolio, Reply, unknown};
use crate::pctl;

impl Portfolio<'_> {
    pub(super) fn property(&self, claim: &Claim, asked: &Property) -> Reply {
        self.supervisor.begin(claim.name());
        match &asked.query {
            Query::Holds(formula) => self.threshold(claim, &asked.query, formula),
            query => self.value(claim, query),
        }
    }

    fn value(&self, claim: &Claim, query: &Query) -> Reply {
        let cx = self.supervisor.context();
        let options = pctl::PctlOptions::default();
        let failed = |reason| unknown(claim.clone(), "monolithic", reason);
        let answer = match catch(|| pctl::value(self.system, query, options, &cx)) {
            Err(message) => failed(Reason::Internal(message)),
            Ok(found) => {
                let mut answer = failed(Reason::Timeout);
                answer.run = found.run;
                match found.value {
                    Err(reason) => answer.verdict = Verdict::Unknown(reason),
                    Ok(value) => {
                        let (lower, upper) = (value.lower.clone(), value.upper.clone());
                        answer.value = Some(self.bounds(query, lower, upper));
                        answer.verdict = Verdict::Holds(Proof::Value(value));
                    }
                }
                answer
            }
        };
        let why = match self.settings.engine {
            Engine::Agar | Engine::AgarN => "values are computed on the whole composition",
            Engine::Monolithic => "asked for",
            _ => "",
        };
        Reply::new(answer, why)
    }

    fn threshold(&self, claim: &Claim, query: &Query, formula: &StateFormula) -> Reply {
        let asked = self.settings.engine;
        let (how, why) = match asked {
            Engine::Agar => {
                let first = self.first();
                (pctl::Engine::Agar { first }, "asked for")
            }
            Engine::AgarN => {
                let groups = self.ordered();
                (pctl::Engine::AgarN { groups }, "asked for")
            }
            Engine::Monolithic => (pctl::Engine::Monolithic, "asked for"),
            _ => (pctl::Engine::Auto, ""),
        };
        let name = match how {
            pctl::Engine::Auto => "auto",
            _ => asked.name(),
        };
        let cx = self.supervisor.context();
        let options = pctl::PctlOptions::default();
        let answer = match catch(|| pctl::check(self.system, formula, &how, options, &cx)) {
            Err(message) => unknown(claim.clone(), name, Reason::Internal(message)),
            Ok(found) => {
                let engine = match (&how, found.run.groups.len()) {
                    (pctl::Engine::Auto, 0 | 1) => "monolithic",
                    (pctl::Engine::Auto, _) => "agar",
                    _ => name,
                };
                let value = found.value;
                suppose_model::mdp::Answer {
                    claim: claim.clone(),
                    engine: engine.to_owned(),
                    verdict: match found.verdict {
                        Verdict::Holds(proof) => Verdict::Holds(Proof::Property(proof)),
                        Verdict::Violated(found) => Verdict::Violated(Refutation::Property(found)),
                        Verdict::Unknown(reason) => Verdict::Unknown(reason),
                    },
                    value: value.map(|v| self.bounds(query, v.lower, v.upper)),
                    run: found.run,
                }
            }
        };
        Reply::new(answer, why)
    }

    fn bounds(&self, query: &Query, lower: Amount, upper: Amount) -> ValueBounds {
        let (asked, over) = query.parted();
        let is_reward = match asked {
            Query::Reward { .. } => true,
            Query::Holds(formula) => matches!(formula, StateFormula::Reward { .. }),
            _ => false,
        };
        let initials = match (&self.system.components[..], over) {
            ([only], None) => only.lpts.initials().len(),
            _ => 1,
        };
        ValueBounds {
            lower,
            upper,
            is_reward,
            initials,
        }
    }
}

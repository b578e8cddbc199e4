//! An assumption of the user's own: do the premises of the compositional rule hold with it?
//!
//! With M1 the components that the assumption A is not about and M2 those that it is about, the premises are `A ∥ M1 ⊨ P`
//! and `M2 ⊨ A`. Labels of P that neither M1 nor A knows may happen at any time in the first, and labels of A that M2 does not know
//! in the second ([`Network::close`]); so if both hold, P holds of `M1 ∥ M2`. Each is decided on its own by `monolithic`, and its
//! evidence is checked as always.

use suppose_control::Supervisor;
use suppose_frontends::{Input, Language, LoadOptions, Role};
use suppose_model::lts::{Lts, Network, Property, SizeLimits, determinise};
use suppose_model::{Claim, EvidenceStatus, Verdict};

use super::engines::{Bounds, Engine, Portfolio, Settings};
use super::{components, evidence, read};
use crate::claims::no_property;
use crate::failure::Failure;
use crate::session::Session;
use crate::simulate::replay;
use crate::source::Source;
use crate::steps::NetworkSteps;
use crate::trial::{PremiseResult, Trial, TrialOptions};

/// An assumption that somebody writes by hand is not larger.
const LARGEST: SizeLimits = SizeLimits {
    states: 100_000,
    transitions: 1_000_000,
};

/// Decides both premises.
pub(crate) fn attempt(
    source: &Source,
    options: &TrialOptions,
    session: &Session,
) -> Result<Trial, Failure> {
    let network = read::network(source, &options.model)?.loaded.network;
    if network.priority.is_some() {
        let failure = Failure::usage("this system has action priority");
        return Err(failure.help("what its parts do is then not known from the parts alone"));
    }
    let name = options.property.as_str();
    let property = network.properties.iter().find(|p| p.name() == name);
    let all = network.properties.iter().map(Property::name);
    let property = property.cloned().ok_or_else(|| no_property(name, all))?;
    let about = components(&network, &options.about)?;
    let others: Vec<usize> = network
        .processes()
        .into_iter()
        .filter(|i| !about.contains(i))
        .collect();
    if about.is_empty() || others.is_empty() {
        let failure = Failure::usage("an assumption is about some of the components");
        return Err(failure.help("and the property is proved of the others"));
    }
    let assumption = assumption(&network, &options.assumption)?;
    let first = {
        let mut part = part(&network, &others, property);
        part.add_component(assumption.clone());
        part
    };
    let second = part(
        &network,
        &about,
        Property {
            lts: assumption.clone(),
            span: None,
            asserted: false,
        },
    );
    let title = |which: &[usize]| {
        let names = which.iter().map(|i| network.components[*i].lts.name());
        names.collect::<Vec<_>>().join(" || ")
    };
    let a = assumption.name();
    Ok(Trial {
        states: assumption.states(),
        premises: vec![
            decide(
                first,
                format!("{a} || {} satisfies {name}", title(&others)),
                session,
            )?,
            decide(second, format!("{} satisfies {a}", title(&about)), session)?,
        ],
    })
}

/// Some components, and one property that they are to have.
fn part(network: &Network, which: &[usize], property: Property) -> Network {
    let mut part = Network::new("premise", network.labels.clone());
    part.components = which
        .iter()
        .map(|i| network.components[*i].clone())
        .collect();
    part.properties = vec![property];
    part
}

fn decide(mut network: Network, says: String, session: &Session) -> Result<PremiseResult, Failure> {
    network.close();
    let claim = Claim::Property(0);
    let settings = Settings::default();
    let engines = Portfolio {
        network: &network,
        settings: &settings,
        supervisor: session,
    };
    session.begin(&says);
    let answer = engines.one(Engine::Monolithic, claim, &Bounds::default());
    let (answer, status) = evidence::examine(&network, answer, &session.watch);
    let is_certified = status == EvidenceStatus::Accepted;
    let (verdict, reason, run) = match &answer.verdict {
        Verdict::Unknown(reason) => ("unknown", Some(reason.word().to_owned()), None),
        _ if !is_certified => ("unknown", Some("rejected".to_owned()), None),
        Verdict::Holds(_) => ("holds", None, None),
        Verdict::Violated(found) => {
            let mut steps = NetworkSteps::for_claim(&network, claim);
            let path = steps.follow(found);
            let run = path.and_then(|path| replay(&mut steps, &path));
            let run = run.map_err(|failed| Failure::walk(failed, session.watch.over()))?;
            ("violated", None, Some(run))
        }
    };
    Ok(PremiseResult {
        says,
        verdict,
        reason,
        is_certified,
        run,
    })
}

/// The assumption as an automaton over the labels of the network: deterministic, with the same traces.
fn assumption(network: &Network, text: &str) -> Result<Lts, Failure> {
    let input = Input {
        name: "assumption".to_owned(),
        text: text.to_owned(),
        role: Role::Component,
        language: Some(Language::Fsp),
    };
    let loaded = suppose_frontends::load(vec![input], &LoadOptions::default())?.network;
    if !loaded.errors.is_empty() {
        let failure = Failure::file("an assumption has no ERROR");
        return Err(failure.help("leave out what it does not allow: that is what it forbids"));
    }
    let processes = loaded.processes();
    let lts = match (&processes[..], &loaded.properties[..]) {
        ([one], []) => &loaded.components[*one].lts,
        ([], [one]) => &one.lts,
        _ => {
            return Err(Failure::file(
                "an assumption is one process, such as `A = (a -> b -> A).`",
            ));
        }
    };
    let mut unknown = None;
    let known = lts.map_labels(|label| {
        if label.is_tau() || loaded.labels.is_hidden(label) {
            return suppose_model::lts::Label::TAU;
        }
        let name = loaded.labels.name(label);
        network.labels.get(name).unwrap_or_else(|| {
            unknown.get_or_insert_with(|| name.to_owned());
            label
        })
    });
    if let Some(name) = unknown {
        let all = network
            .labels
            .iter()
            .filter(|l| !l.is_tau() && !network.labels.is_hidden(*l));
        let all: Vec<&str> = all.map(|l| network.labels.name(l)).collect();
        return Err(Failure::unknown_name("action", "the actions", &name, all));
    }
    let one =
        determinise(&known, &LARGEST).map_err(|_| Failure::file("this assumption is too large"))?;
    Ok(one.lts.named("A"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::Arc;

    use crate::{Silent, Source, Trial, TrialOptions};

    const CHANNEL: &str = "
        Input = (input -> send -> ack -> Input).
        Output = (send -> output -> ack -> Output).
        property Order = (input -> output -> Order).
        ||SYS = (Input || Output || Order).
    ";

    fn tried(assumption: &str) -> Result<Trial, String> {
        let options = TrialOptions {
            property: "Order".to_owned(),
            about: vec!["Output".to_owned()],
            assumption: assumption.to_owned(),
            ..TrialOptions::default()
        };
        let source = Source::text("channel.lts", CHANNEL);
        crate::attempt(&source, &options, Arc::new(Silent)).map_err(|f| f.first())
    }

    fn verdicts(assumption: &str) -> [&'static str; 2] {
        let trial = tried(assumption).unwrap();
        [trial.premises[0].verdict, trial.premises[1].verdict]
    }

    #[test]
    fn a_good_assumption_proves_the_property() {
        let good = "A = (send -> output -> B), B = (ack -> B | send -> output -> B).";
        assert_eq!(verdicts(good), ["holds", "holds"]);
        assert!(tried(good).unwrap().proves());
        assert!(tried("A = (send -> output -> ack -> A).").unwrap().proves());
    }

    #[test]
    fn a_weak_one_does_not_prove_it_and_a_strong_one_is_not_true() {
        let weak = tried("A = ({send, output, ack} -> A).").unwrap();
        assert_eq!(weak.premises[0].verdict, "violated");
        assert_eq!(weak.premises[1].verdict, "holds");
        let run = weak.premises[0].run.as_ref().unwrap();
        assert_eq!(run.steps.last().unwrap().label, "output");
        let strong = tried("A = (send -> output -> A) + {ack}.").unwrap();
        assert_eq!(strong.premises[0].verdict, "holds");
        assert_eq!(strong.premises[1].verdict, "violated");
        assert!(!strong.proves());
    }

    #[test]
    fn what_is_no_assumption_is_refused() {
        assert!(tried("A = (sent -> A).").unwrap_err().contains("sent"));
        assert!(tried("A = (send -> ERROR).").unwrap_err().contains("ERROR"));
        assert!(tried("A = (send -> B).").is_err());
        assert!(
            tried("A = (send -> A). B = (ack -> B). ||S = (A || B).")
                .unwrap_err()
                .contains("one process")
        );
    }
}

//! A toy engine, as CONTRIBUTING.md adds it: it follows the first step that is possible, again and again, and sees whether the
//! property allows it. It finds some violations and proves nothing.
//!
//! `cargo run -p suppose-compose --example stroll`

use suppose_control::Claims::Safety;
use suppose_control::{Context, EngineInfo};
use suppose_model::lts::{Label, Labels, LtsBuilder, Network};
use suppose_model::{Answer, Claim, Counterexample, NetworkStep, Reason, Run, Verdict};

suppose_control::engines! {
    /// The list with its row.
    pub enum Engine {
        /// Follows one run of the system; only finds violations.
        Stroll => EngineInfo::new("stroll", &[Safety]),
    }
}

/// How far it goes.
const STEPS: usize = 1_000;

/// Looks for a violation of a property along one run.
pub fn check(network: &Network, property: usize, cx: &Context) -> Answer {
    let allowed = &network.properties[property].lts;
    let claim = Claim::Property(property);
    let mut states: Vec<u32> = network.components.iter().map(|c| c.lts.initial()).collect();
    let mut watch = allowed.initial();
    let mut steps = Vec::new();
    let verdict = loop {
        if let Err(stopped) = cx.check() {
            break Verdict::Unknown(stopped.into());
        }
        let next = network
            .labels
            .iter()
            .find_map(|l| Some((l, successor(network, &states, l)?)));
        let Some((label, next)) = next.filter(|_| steps.len() < STEPS) else {
            let why = "one run of the system does not violate it";
            break Verdict::Unknown(Reason::Unsupported(why.to_owned()));
        };
        states.clone_from(&next);
        steps.push(NetworkStep {
            label,
            states: next,
        });
        if allowed.has_label(label) {
            match allowed.successors(watch, label).first() {
                Some(edge) => watch = edge.target,
                None => break Verdict::Violated(Counterexample::finite(claim, steps)),
            }
        }
    };
    Answer {
        claim,
        engine: Engine::Stroll.name().to_owned(),
        verdict,
        run: Run::default(),
    }
}

/// The states after an action: all components that have it take part.
fn successor(network: &Network, states: &[u32], label: Label) -> Option<Vec<u32>> {
    let parts = network.components.iter().zip(states);
    let mut has_it = network.components.iter().filter(|c| c.lts.has_label(label));
    has_it.next()?;
    let step = |(component, state): (&suppose_model::lts::Component, &u32)| match component
        .lts
        .has_label(label)
    {
        true => Some(component.lts.successors(*state, label).first()?.target),
        false => Some(*state),
    };
    parts.map(step).collect()
}

/// A light that is green twice in a row, where that is not allowed.
pub fn main() -> Result<(), String> {
    let mut labels = Labels::new();
    let (red, green) = (labels.intern("red"), labels.intern("green"));
    let mut light = LtsBuilder::new("LIGHT");
    light.edge(0, red, 1).edge(1, green, 2).edge(2, green, 0);
    let mut alternate = LtsBuilder::new("ALTERNATE");
    alternate.edge(0, red, 1).edge(1, green, 0);
    let mut network = Network::new("lights", labels);
    network.add_component(light.build());
    network.add_property(&alternate.build(), None);
    network.close();
    let answer = check(&network, 0, &Context::default());
    let Verdict::Violated(run) = answer.verdict else {
        return Err("the run is one step of three away".to_owned());
    };
    assert_eq!(run.steps.len(), 3);
    // What an engine finds is put before the independent checker.
    suppose_certify::counterexample(&network, &run).map_err(|flaw| flaw.to_string())
}

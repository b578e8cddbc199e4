//! One premise: some components, perhaps under an assumption, against a guarantee.

use suppose_control::{Context, Stopped};
use suppose_model::NetworkStep;
use suppose_model::Reason;
use suppose_model::lts::{Label, Lts, Network, PackedStates};

use super::replay::{GroupRun, parts};
use super::too_wide;
use crate::explore::{Exploration, Goal, Pause};
use crate::product::Product;
use crate::with_width;

/// What compiling a product takes at least, in the steps of the context.
const WORK_OF_A_PRODUCT: u64 = 300;

/// What exploring a premise found.
pub(super) struct Explored {
    pub outcome: PremiseCheck,
    pub states: u64,
    pub transitions: u64,
}

pub(super) enum PremiseCheck {
    /// It holds: the reachable vectors.
    Holds(PackedStates),
    /// A shortest run of the components that breaks the guarantee.
    Fails(GroupRun),
}

/// Explores the components, under the assumption if there is one, until the guarantee breaks.
pub(super) fn explore(
    network: &Network,
    components: &[usize],
    assumption: Option<&Lts>,
    guarantee: &Lts,
    cx: &Context,
) -> Result<Explored, Reason> {
    let mut left = parts(network, components);
    left.extend(assumption);
    let sizes = left.iter().copied().chain([guarantee]);
    let compiled: usize = sizes.map(|lts| lts.states() + lts.transitions()).sum();
    cx.account(WORK_OF_A_PRODUCT + 4 * compiled as u64);
    let product = Product::new(&left, Some(guarantee), network.labels.len());
    let words = product.layout().words();
    let (found, states, transitions) = with_width!(words, run(&product, cx), else {
        return Err(too_wide(words));
    })?;
    let outcome = match found {
        Found::Relation(relation) => PremiseCheck::Holds(relation),
        Found::Run(steps, last) => {
            let mut run = GroupRun::empty(network, components.to_vec());
            for (label, mut states) in steps {
                states.truncate(components.len());
                run.steps.push(NetworkStep { label, states });
            }
            run.push_last(network, last);
            PremiseCheck::Fails(run)
        }
    };
    Ok(Explored {
        outcome,
        states,
        transitions,
    })
}

enum Found {
    Relation(PackedStates),
    Run(Vec<(Label, Vec<u32>)>, Label),
}

fn run<const W: usize>(product: &Product, cx: &Context) -> Result<(Found, u64, u64), Stopped> {
    let mut exploration = Exploration::<W>::new(product);
    let pause = exploration.run(product, Goal::Violations, cx)?;
    let (states, transitions) = (exploration.states() as u64, exploration.transitions());
    let found = match pause {
        Pause::Violation { state, label } => {
            let path = exploration.path_to(product, state);
            let slots = |record: &[u64; W]| product.layout().unpack(record);
            let after = path.records[1..].iter().map(slots);
            Found::Run(path.labels.into_iter().zip(after).collect(), label)
        }
        Pause::Complete | Pause::Deadlock { .. } => {
            Found::Relation(exploration.into_states(product))
        }
    };
    Ok((found, states, transitions))
}

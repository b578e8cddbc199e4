//! What an assumption allows, as text and as a drawing.

use maud::Markup;
use suppose_model::Node;

use crate::block::Behaviour;
use crate::draw;
use crate::mdp::lpts;
use crate::process::process;
use crate::words::count;

impl Behaviour<'_> {
    /// `2 states, 3 transitions`
    pub fn sizes(&self) -> String {
        match self {
            Behaviour::Lts(it, _) => format!(
                "{}, {}",
                count(it.lts.states() as u64, "state"),
                count(it.lts.transitions() as u64, "transition")
            ),
            Behaviour::Lpts(it, _) => lpts::sizes(it),
        }
    }

    /// Does it say nothing: one state, and every label of its alphabet a loop?
    pub fn allows_all(&self) -> bool {
        match self {
            Behaviour::Lts(it, _) => {
                it.lts.states() == 1 && it.lts.transitions() == it.lts.alphabet().len()
            }
            Behaviour::Lpts(it, _) => lpts::allows_all(it),
        }
    }

    /// Written out under that name, unless it has more transitions than that.
    pub fn text(&self, name: &str, most: usize) -> Option<String> {
        match self {
            Behaviour::Lts(it, labels) => {
                (it.lts.transitions() <= most).then(|| process(name, &it.lts, labels))
            }
            Behaviour::Lpts(it, labels) => {
                let mut rows = lpts::rows(it, labels);
                let is_short = rows.len() <= most;
                rows.extend(lpts::blocked(it, labels));
                is_short.then(|| rows.join("\n"))
            }
        }
    }

    /// As a drawing, if it is small enough to be of use.
    pub fn drawing(&self) -> Option<Markup> {
        match self {
            Behaviour::Lts(it, labels) => {
                draw::readable(&it.lts).then(|| draw::automaton_in_page(&it.lts, labels, &it.nodes))
            }
            Behaviour::Lpts(it, labels) => {
                draw::lpts_readable(it).then(|| draw::lpts_in_page(it, labels))
            }
        }
    }

    /// What its states stand for, by name; nothing if it is not known.
    pub fn nodes(&self) -> Vec<(String, &Node)> {
        match self {
            Behaviour::Lts(it, _) => {
                let states = it.nodes.iter().zip(0..it.lts.states() as u32);
                states.map(|(n, s)| (it.lts.state_name(s), n)).collect()
            }
            Behaviour::Lpts(..) => Vec::new(),
        }
    }
}

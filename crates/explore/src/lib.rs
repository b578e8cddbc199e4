//! State spaces larger than memory, searched in rounds, and from where the search was stopped.
//!
//! A [`Space`] says what is explored: its initial states, the successors of a packed state, and what is wrong with it. [`explore`] searches
//! it breadth-first on several threads (`search`), with its states in memory or in a folder (`folder`, `image`), sorted and as differences
//! (`coding`).
//!
//! ```
//! use suppose_control::Context;
//! use suppose_explore::{Halt, Rounds, Sink, Space, explore};
//!
//! /// A counter that must not reach 7.
//! struct Counter;
//!
//! impl Space for Counter {
//!     type Worker = ();
//!     fn words(&self) -> usize { 1 }
//!     fn claims(&self) -> usize { 1 }
//!     fn worker(&self) {}
//!     fn initial(&mut self) -> Result<Vec<Vec<u64>>, Halt> { Ok(vec![vec![0]]) }
//!     fn expand(&self, _: &mut (), state: &[u64], sink: &mut impl Sink) -> Result<(), Halt> {
//!         if state[0] == 7 {
//!             sink.wrong(0);
//!         }
//!         sink.successor(&[state[0] + 1]);
//!         sink.successor(&[state[0] + 2]);
//!         Ok(())
//!     }
//! }
//!
//! let found = explore(&mut Counter, &Rounds::default(), None, &Context::default());
//! let run: Vec<u64> = found.runs[0].iter().flatten().map(|state| state[0]).collect();
//! assert_eq!(run.len(), 5);
//! ```

mod coding;
mod folder;
mod image;
mod outbox;
mod progress;
mod rows;
mod search;
mod sets;
mod space;
#[cfg(test)]
mod tests;
mod trouble;

use std::path::Path;

use suppose_control::Context;

pub use folder::{LOCK, replace, take_folder};
pub use image::PARTITIONS;
pub use space::{Grown, Halt, Sink, Space};
pub use trouble::Trouble;

use folder::Folder;
use search::Search;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// So many threads; results are the same for any number.
    pub threads: usize,
    /// Bytes of successors that are held before they are written out.
    pub buffer: u64,
    /// Save after a round, when so many states were expanded since the last time.
    pub save_after: u64,
    /// End with the first violation of any claim.
    pub first: bool,
    /// Go on when all claims are violated.
    pub exhaust: bool,
}

impl Default for Rounds {
    fn default() -> Self {
        Rounds {
            threads: 1,
            buffer: 1 << 28,
            save_after: 50_000,
            first: false,
            exhaust: false,
        }
    }
}

/// Where a search is kept, and what it is about: a search with another identity is not continued.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// Model and options, as one text.
    pub identity: &'a str,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// States.
    pub states: u64,
    /// Steps followed.
    pub transitions: u64,
    /// The largest distance from the start.
    pub depth: u64,
    /// Was everything looked at?
    pub complete: bool,
    /// Bytes of the sets of states in memory.
    pub memory: u64,
    /// Bytes of the sets of states on the disk.
    pub disk: u64,
    /// States that were there already when the search began: it went on.
    pub before: u64,
    /// For each claim the states of a shortest run to a violation.
    pub runs: Vec<Option<Vec<Vec<u64>>>>,
    /// Why the search ended, unless it ended by itself.
    pub trouble: Option<Trouble>,
}

/// Searches a space, breadth-first.
pub fn explore<S: Space>(
    space: &mut S,
    rounds: &Rounds,
    place: Option<Place>,
    cx: &Context,
) -> Explored {
    let mut found = Explored {
        runs: vec![None; space.claims()],
        ..Explored::default()
    };
    let taken = match place {
        None => Ok((None, None)),
        Some(place) => Folder::take(place.folder, place.identity)
            .map(|(folder, progress)| (Some(folder), progress)),
    };
    let (folder, progress) = match taken {
        Ok(taken) => taken,
        Err(trouble) => {
            found.trouble = Some(trouble);
            return found;
        }
    };
    let mut search = Search::new(space, rounds, folder, cx);
    let ended = match progress {
        None => search.run(),
        Some(progress) => {
            found.before = progress.layers.iter().map(|l| l.states).sum();
            search.go_on(progress).and_then(|()| search.run())
        }
    };
    found.trouble = ended.err();
    for finding in search.progress.findings.clone() {
        match search.path_to(&finding) {
            Ok(path) => {
                if let Some(run) = found.runs.get_mut(finding.claim) {
                    *run = Some(path);
                }
            }
            Err(trouble) => found.trouble = found.trouble.or(Some(trouble)),
        }
    }
    (found.memory, found.disk) = search.bytes();
    found.states = search.states();
    found.transitions = search.progress.transitions;
    found.depth = (search.progress.layers.len() as u64).saturating_sub(1);
    found.complete = search.progress.complete;
    found
}

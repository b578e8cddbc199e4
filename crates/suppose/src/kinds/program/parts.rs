//! The decomposition of a program, for the engines on networks.

use std::sync::Arc;

use suppose_control::{Supervisor, catch};
use suppose_explicit::decompose::{self, Decomposed, Part};
use suppose_model::Reason;
use suppose_model::lts::Network;
use suppose_model::program::{Program, Question};

use super::read::take_apart;
use crate::failure::Failure;
use crate::session::Session;

/// The parts of a program.
#[derive(Debug)]
pub struct Parts {
    /// Processes, shared data, claims.
    pub decomposed: Decomposed,
    /// The same network, for the report.
    pub network: Arc<Network>,
}

impl Parts {
    /// Decomposes a program, or says why it cannot be.
    pub fn of(program: &Program, session: &Session) -> Result<Parts, Reason> {
        session.counters.begin("decomposing the program");
        let cx = session.context();
        let result = catch(|| take_apart(program, &cx));
        match result {
            Ok(Ok(decomposed)) => {
                let network = Arc::new(decomposed.network.clone());
                Ok(Parts {
                    decomposed,
                    network,
                })
            }
            Ok(Err(decompose::DecompositionError::Refused(refusal))) => {
                let why = format!("the program cannot be decomposed: {}", refusal.why);
                Err(Reason::Unsupported(why))
            }
            Ok(Err(decompose::DecompositionError::Stopped(why))) => Err(why.into()),
            Err(message) => Err(Reason::Internal(message)),
        }
    }

    /// The property that a question became.
    pub fn property(&self, question: Question) -> Option<usize> {
        let mut all = self.decomposed.questions.iter();
        all.find(|(q, _)| *q == question).map(|(_, n)| *n)
    }
}

/// The components of the processes of these names: `P`, or `P[1]` with its number.
pub fn named(parts: &[Part], names: &[String]) -> Result<Vec<usize>, Failure> {
    let is = |part: &Part, name: &str| {
        let proctype = part.name.split('[').next().unwrap_or("");
        part.name == name || format!("{proctype}[{}]", part.process) == name
    };
    let find = |name: &String| {
        let found = parts.iter().find(|p| is(p, name));
        found.map(|p| p.component).ok_or_else(|| {
            let all = parts.iter().map(|p| p.name.as_str());
            Failure::unknown_name("process", "the processes", name, all)
        })
    };
    names.iter().map(find).collect()
}

//! What a system says, piece by piece, encoded when it is first needed.
//!
//! This is what makes abstraction worth its while: the assignment of a variable that is abstracted away is never encoded.

use suppose_control::Stopped;
use suppose_model::fsm::{ExprId, System, VarId, VariableKind, When};

use crate::bdd::Bdd;
use crate::encode::Encoder;

/// Of what a part speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Of {
    /// Of every state.
    States,
    /// Of initial states.
    Initial,
    /// Of steps.
    Steps,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Assigned(VarId, ExprId),
    Holds(ExprId),
    Kept(VarId),
}

/// A part.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Of what it speaks.
    pub of: Of,
    what: What,
    /// Variables and inputs it may speak of now.
    pub now: Vec<VarId>,
    /// Variables it may speak of next.
    pub next: Vec<VarId>,
    function: Option<Bdd>,
}

impl Part {
    /// The variable that it says the value of (now if it speaks of states, next if of steps): were it alone, it could be met
    /// whatever the rest is.
    pub fn defines(&self) -> Option<VarId> {
        match self.what {
            What::Assigned(var, _) | What::Kept(var) => Some(var),
            What::Holds(_) => None,
        }
    }

    /// The expression in it.
    pub fn expr(&self) -> Option<ExprId> {
        match self.what {
            What::Assigned(_, expr) | What::Holds(expr) => Some(expr),
            What::Kept(_) => None,
        }
    }

    /// Its function.
    pub fn function(&mut self, encoder: &mut Encoder<'_>) -> Result<Bdd, Stopped> {
        if let Some(known) = &self.function {
            return Ok(known.clone());
        }
        let made = match self.what {
            What::Assigned(var, value) => encoder.assigned(var, self.of == Of::Steps, value)?,
            What::Holds(expr) => encoder.truth(expr)?,
            What::Kept(var) => {
                let bits = encoder.bits(var).clone();
                let mut all = encoder.bdds().constant(true);
                for (now, next) in bits.current.iter().zip(&bits.next) {
                    let now = encoder.bdds().literal(*now, true)?;
                    all = all.and(&now.iff(&encoder.bdds().literal(*next, true)?)?)?;
                }
                all
            }
        };
        // Expressions are shared, but functions are needed once.
        encoder.forget();
        self.function = Some(made.clone());
        Ok(made)
    }
}

/// All parts of a system. That bits stand for values is not among them: classes say it, and who uses inputs.
pub(super) fn parts(system: &System) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut add = |of, what, now, next| {
        parts.push(Part {
            of,
            what,
            now,
            next,
            function: None,
        });
    };
    for assignment in &system.assignments {
        let of = match assignment.when {
            When::Init => Of::Initial,
            When::Next => Of::Steps,
            When::Always => Of::States,
        };
        let mut support = system.exprs.support(assignment.value);
        match of {
            Of::Steps => support.next.push(assignment.var),
            _ => support.current.push(assignment.var),
        }
        let what = What::Assigned(assignment.var, assignment.value);
        add(of, what, support.current, support.next);
    }
    let sections = [
        (Of::Initial, &system.init),
        (Of::States, &system.invariant),
        (Of::Steps, &system.transition),
    ];
    for (of, section) in sections {
        for constraint in section {
            let support = system.exprs.support(constraint.expr);
            let what = What::Holds(constraint.expr);
            add(of, what, support.current, support.next);
        }
    }
    for var in system.vars() {
        if system.variable(var).kind == VariableKind::Frozen {
            add(Of::Steps, What::Kept(var), vec![var], vec![var]);
        }
    }
    parts
}

//! How values of states and inputs lie in bits.

use suppose_model::fsm::{Inputs, State, Type, Value};

use crate::bdd::Var;

/// The bits of a variable, lowest first.
#[derive(Clone, Debug)]
pub struct Bits {
    /// Now.
    pub current: Vec<Var>,
    /// Next; none for inputs.
    pub next: Vec<Var>,
}

/// Something that has a value: a variable, or the class of an abstraction.
#[derive(Clone, Debug)]
pub struct Slot {
    /// What it ranges over; its bits are those of the number of its value.
    pub ty: Type,
    /// The bits.
    pub bits: Bits,
}

impl Slot {
    /// Its value under an assignment of bits; the first value if the bits stand for none.
    pub fn value(&self, next: bool, bit: impl Fn(Var) -> bool) -> Value {
        let bits = self.side(next);
        let first = || self.ty.value(0).unwrap_or(Value::Bool(false));
        let read = self.ty.read(|at| bits.get(at).is_some_and(|v| bit(*v)));
        read.unwrap_or_else(first)
    }

    /// The literals that say that it has a value; none if that is not of its type.
    pub fn literals(&self, value: &Value, next: bool) -> Option<Vec<(Var, bool)>> {
        let code = self.ty.code(value)?;
        Some(self.side(next).iter().copied().zip(code).collect())
    }

    fn side(&self, next: bool) -> &[Var] {
        match next {
            true => &self.bits.next,
            false => &self.bits.current,
        }
    }
}

/// What states and inputs are made of, in order.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// What a state has.
    pub states: Vec<Slot>,
    /// What is chosen in a step.
    pub inputs: Vec<Slot>,
}

impl Layout {
    /// The state under an assignment of bits, read from those of now or of next.
    pub fn state(&self, next: bool, bit: impl Fn(Var) -> bool) -> State {
        let slots = self.states.iter();
        slots.map(|slot| slot.value(next, &bit)).collect()
    }

    /// The inputs under an assignment of bits.
    pub fn choice(&self, bit: impl Fn(Var) -> bool) -> Inputs {
        let slots = self.inputs.iter();
        slots.map(|slot| slot.value(false, &bit)).collect()
    }

    /// The literals of a state.
    pub fn literals(&self, state: &[Value]) -> Vec<(Var, bool)> {
        let pairs = self.states.iter().zip(state);
        let literals = pairs.flat_map(|(slot, value)| slot.literals(value, false));
        literals.flatten().collect()
    }
}

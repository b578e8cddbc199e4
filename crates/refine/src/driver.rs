//! The loop: check, analyse, refine.

use suppose_control::{Context, Event, Stopped};

/// What a check of the abstract system found.
#[derive(Clone, Debug)]
pub enum Checked<C> {
    /// The claim holds of the abstraction, so of the system.
    Holds,
    /// An abstract counterexample, perhaps spurious.
    Fails(C),
}

/// What the analysis of an abstract counterexample found.
#[derive(Clone, Debug)]
pub enum Analysed<R> {
    /// It is real.
    Real(R),
    /// It was spurious; the abstraction is finer now.
    Refined,
    /// It was spurious and nothing could be refined: a bug of the engine.
    Stuck(String),
}

/// An abstraction of a system that can be checked, blamed and made finer.
pub trait Abstraction {
    /// A counterexample of the abstract system.
    type Counterexample;
    /// A counterexample of the system.
    type Real;

    /// A number that grows with every refinement; the driver checks that it does.
    fn size(&self) -> u64;

    /// Check the abstract system; an abstract counterexample may be spurious.
    fn check(&mut self, cx: &Context) -> Result<Checked<Self::Counterexample>, Stopped>;

    /// Is it real? If not, refine.
    fn analyse(
        &mut self,
        found: Self::Counterexample,
        cx: &Context,
    ) -> Result<Analysed<Self::Real>, Stopped>;
}

/// How the loop ended.
#[derive(Clone, Debug)]
pub enum Refined<R> {
    /// The claim holds.
    Holds,
    /// The claim fails, for real.
    Fails(R),
    /// A refinement refined nothing: a bug, reported instead of looping forever.
    Stuck(String),
}

/// Runs the loop to its end or until it is stopped.
pub fn refine<A: Abstraction>(
    abstraction: &mut A,
    cx: &Context,
) -> Result<Refined<A::Real>, Stopped> {
    let mut number = 0;
    loop {
        number += 1;
        if number > cx.max_iterations {
            return Err(Stopped::Iterations);
        }
        let size = abstraction.size();
        cx.emit(Event::Iteration {
            number,
            abstract_size: size,
        });
        cx.check()?;
        let found = match abstraction.check(cx)? {
            Checked::Holds => return Ok(Refined::Holds),
            Checked::Fails(found) => found,
        };
        match abstraction.analyse(found, cx)? {
            Analysed::Real(real) => return Ok(Refined::Fails(real)),
            Analysed::Stuck(why) => return Ok(Refined::Stuck(why)),
            Analysed::Refined if abstraction.size() > size => {}
            Analysed::Refined => {
                let why = "a refinement did not make the abstraction finer".to_owned();
                return Ok(Refined::Stuck(why));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counter {
        now: u64,
        step: u64,
        goal: u64,
    }

    impl Abstraction for Counter {
        type Counterexample = u64;
        type Real = u64;
        fn size(&self) -> u64 {
            self.now
        }
        fn check(&mut self, _: &Context) -> Result<Checked<u64>, Stopped> {
            Ok(match self.now >= self.goal {
                true => Checked::Holds,
                false => Checked::Fails(self.now),
            })
        }
        fn analyse(&mut self, _: u64, _: &Context) -> Result<Analysed<u64>, Stopped> {
            self.now += self.step;
            Ok(Analysed::Refined)
        }
    }

    fn run(step: u64, max_iterations: u64) -> Result<Refined<u64>, Stopped> {
        let mut cx = Context::default();
        cx.max_iterations = max_iterations;
        let (now, goal) = (0, 5);
        refine(&mut Counter { now, step, goal }, &cx)
    }

    #[test]
    fn refines_until_it_holds() {
        assert!(matches!(run(1, 100), Ok(Refined::Holds)));
    }

    #[test]
    fn a_refinement_that_refines_nothing_is_reported() {
        assert!(matches!(run(0, 100), Ok(Refined::Stuck(_))));
    }

    #[test]
    fn rounds_are_limited() {
        assert_eq!(run(1, 2).err(), Some(Stopped::Iterations));
    }
}

//! Reports on programs: the same words as on networks, with runs in the program's own lines.

mod chart;
mod html;
mod json;
mod messages;
pub mod names;
mod run;
mod text;
mod trail;

use suppose_model::program::{Program, Question, Trace};
use suppose_model::{Certificate, Reason, Run};
use suppose_source::Sources;

use crate::{Checked, Document, Report, Standing};

pub use trail::trail;

/// Everything a report on a program shows.
#[derive(Clone, Debug)]
pub struct ProgramReport<'a> {
    /// What all reports have. Its network is the program taken apart (empty when it was not), and
    /// nothing is in its `checked`.
    pub base: Report<'a>,
    /// The program.
    pub program: &'a Program,
    /// The files that its spans point into.
    pub sources: &'a Sources,
    /// The questions that an engine worked on, in the order to show them.
    pub checked: Vec<ProgramChecked<'a>>,
}

/// A question with its answer and what became of the evidence.
pub type ProgramChecked<'a> = Checked<'a, ProgramAnswer>;

/// A question, its verdict, and how it came about.
#[derive(Clone, Debug)]
pub struct ProgramAnswer {
    /// What was asked.
    pub question: Question,
    /// Which engine answered.
    pub engine: String,
    /// The answer.
    pub verdict: ProgramVerdict,
    /// What it took.
    pub run: Run,
    /// More about a search of all states.
    pub search: Option<Searched>,
}

/// The answer to a question about a program.
#[derive(Clone, Debug)]
pub enum ProgramVerdict {
    /// It holds: all states were looked at.
    Exhausted,
    /// It holds: no statement can fail, whatever the state.
    Evident,
    /// It holds of the program's parts together, and so of the program.
    Proved(Box<Certificate>),
    /// It does not, and here is a run that shows it.
    Violated(Trace),
    /// Not decided, and here is what stopped it.
    Unknown(Reason),
}

/// What a search of all states did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// The longest distance from the start, or the longest stack.
    pub depth: u64,
    /// Bytes for states.
    pub memory: u64,
    /// The order and the reductions, for people.
    pub how: String,
}

impl ProgramReport<'_> {
    /// The name of a question.
    pub fn name(&self, question: Question) -> &str {
        self.program.question_name(question)
    }

    /// The verdict of one question. Evidence that was rejected leaves it unknown.
    pub fn standing(&self, checked: &ProgramChecked) -> Standing {
        if let Some(rejected) = checked.evidence.rejection() {
            return rejected;
        }
        match &checked.answer.verdict {
            ProgramVerdict::Exhausted | ProgramVerdict::Evident | ProgramVerdict::Proved(_) => {
                Standing::Holds
            }
            ProgramVerdict::Violated(_) => {
                Standing::Violated(self.name(checked.answer.question).to_owned())
            }
            ProgramVerdict::Unknown(reason) => Standing::Unknown(reason.word().to_owned()),
        }
    }
}

impl Document for ProgramReport<'_> {
    fn base(&self) -> &Report<'_> {
        &self.base
    }

    fn standings(&self) -> Vec<Standing> {
        self.checked.iter().map(|c| self.standing(c)).collect()
    }

    fn text(&self, colour: bool, full: bool) -> String {
        text::text(self, colour, full)
    }

    fn json(&self) -> String {
        json::json(self)
    }

    fn html(&self) -> String {
        html::page(self)
    }
}

/// What a question asks, for people.
fn meaning(program: &Program, question: Question) -> String {
    match question {
        Question::Assertions => "no assertion fails and no step goes wrong".to_owned(),
        Question::EndStates => "the processes never all stop but at an end".to_owned(),
        Question::Claim(number) => match program.claims.get(number) {
            Some(claim) if !claim.text.is_empty() => claim.text.clone(),
            _ => "the claim never comes to its end".to_owned(),
        },
    }
}

//! The pieces that evidence is shown in, as data. What takes time or memory to make is made when a renderer asks for it.

use suppose_model::fsm::{Cluster, System as FsmSystem, Trace};
use suppose_model::lts::{Labels, State};
use suppose_model::mdp::{Counterexample, Lpts};
use suppose_source::Span;

/// A piece of evidence, or of what an engine hands over without a verdict.
pub(crate) enum Block<'a> {
    /// Assumptions of a proof; or a requirement that is not final.
    Assumptions {
        all: Vec<Assumption<'a>>,
        is_final: bool,
    },
    /// Sentences that say why a claim holds, for the page.
    Premises(Vec<String>),
    /// What processes of a program do to what others see.
    Interference(Vec<Rely>),
    /// A counterexample step by step.
    Steps(Steps<'a>),
    /// Who sends what to whom.
    Chart(Chart),
    /// A run by the values of variables.
    States(States<'a>),
    /// A counterexample that branches.
    Tree(Tree<'a>),
    /// Formulas for predicates.
    Definitions(Definitions<'a>),
    /// An abstraction of finite-domain variables.
    Classes {
        system: &'a FsmSystem,
        clusters: &'a [Cluster],
    },
    /// A probabilistic system drawn, for the page.
    Picture {
        title: &'static str,
        lpts: &'a Lpts,
        labels: &'a Labels,
    },
    /// The sizes of components, for the page: what it is, modules, and three numbers.
    Sizes(Vec<(String, String, [u64; 3])>),
}

/// What the processes of a proctype do by one statement.
pub(crate) struct Rely {
    pub who: String,
    pub place: String,
    pub statement: String,
    pub changes: String,
    pub when: String,
}

/// An assumption about some components.
pub(crate) struct Assumption<'a> {
    /// `A`, or `A2` where there are several.
    pub name: String,
    /// The components that it is about.
    pub about: Option<String>,
    pub behaviour: Behaviour<'a>,
}

/// What an assumption allows.
pub(crate) enum Behaviour<'a> {
    Lts(&'a suppose_model::Assumption, &'a Labels),
    Lpts(&'a Lpts, &'a Labels),
}

/// A counterexample as a table.
pub(crate) struct Steps<'a> {
    /// `5 steps`
    pub count: String,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
    /// What is wrong at the end; further lines say more.
    pub ending: Vec<String>,
    /// How a text that is long is cut.
    pub cut: Cut,
    /// On the page, the states of all that take part instead of what changes.
    pub states: Option<StateColumns<'a>>,
    /// The row from which on the run repeats itself, if it does.
    pub repeats_from: Option<usize>,
    /// It is another view of steps that are shown before: only on the page, folded.
    pub is_second: bool,
}

/// A text of more rows than `beyond` keeps the first and the last.
#[derive(Clone, Copy)]
pub(crate) struct Cut {
    pub beyond: usize,
    pub first: usize,
    pub last: usize,
    pub noun: &'static str,
}

/// How runs of most kinds are cut.
pub(crate) const ROWS: Cut = Cut {
    beyond: 60,
    first: 20,
    last: 25,
    noun: "row",
};

/// One column of a table.
pub(crate) struct Column {
    pub name: &'static str,
    pub width: Width,
    /// Longer cells are cut in a text, always or unless everything is to be shown.
    pub longest: Option<(usize, bool)>,
    /// Only on the page.
    pub is_on_page_only: bool,
}

/// How a column is laid out in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    /// A number, to the right.
    Number,
    /// To the left, and as wide as the widest, but not wider than this.
    Padded(usize),
    /// To the left.
    Free,
}

impl Column {
    pub fn new(name: &'static str, width: Width) -> Column {
        Column {
            name,
            width,
            longest: None,
            is_on_page_only: false,
        }
    }

    /// The number of a step.
    pub fn step() -> Column {
        Column::new("Step", Width::Number)
    }

    /// Cuts longer cells in a text.
    pub fn at_most(mut self, columns: usize, also_in_full: bool) -> Column {
        self.longest = Some((columns, also_in_full));
        self
    }

    /// Shows it on the page only.
    pub fn on_page(mut self) -> Column {
        self.is_on_page_only = true;
        self
    }
}

/// One row of a table.
pub(crate) struct Row {
    pub cells: Vec<Cell>,
    /// How deep it is nested.
    pub depth: usize,
    /// The claim is violated here.
    pub is_bad: bool,
    /// The text of the model that the step comes from.
    pub span: Option<Span>,
}

/// What a cell holds.
pub(crate) enum Cell {
    Text(String),
    /// What happens, with a remark.
    Action(String, &'static str),
    Number(Option<usize>),
    Changes(Changes),
}

/// What a step changes.
#[derive(Default)]
pub(crate) struct Changes {
    pub all: Vec<Change>,
    /// Who takes part without a change; only in a text.
    pub others: Vec<String>,
    /// More are only counted in a text.
    pub most: usize,
}

/// A value that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub name: String,
    pub from: String,
    pub to: String,
}

/// The states of all that take part: a column each.
pub(crate) struct StateColumns<'a> {
    pub names: Vec<String>,
    /// The state of a column after this many steps, and whether the last one changed it.
    pub state: Box<dyn Fn(usize, usize) -> (String, bool) + 'a>,
}

/// Who sends what to whom: a line down for each lifeline.
pub(crate) struct Chart {
    pub lifelines: Vec<String>,
    /// The last ones, in order.
    pub events: Vec<Event>,
    /// How many events there are in all, and what one is called.
    pub of: (usize, &'static str),
    /// How many steps the run has.
    pub steps: usize,
    pub ending: String,
    /// It is drawn in a text, too.
    pub in_text: bool,
}

/// One line of a chart.
pub(crate) struct Event {
    pub step: usize,
    pub label: String,
    /// What is told when the pointer is on it.
    pub title: String,
    pub kind: EventKind,
}

/// What a line of a chart shows. Lives and events are numbered as in the chart.
pub(crate) enum EventKind {
    /// These do it together.
    Joint(Vec<usize>),
    /// Something is sent.
    Send(usize),
    /// Something is received; the event that sent it, if that is known.
    Receive(usize, Option<usize>),
    /// Something goes from one to another at once.
    Handover(usize, usize),
}

impl EventKind {
    /// Who takes part.
    pub fn lifelines(&self) -> Vec<usize> {
        match self {
            EventKind::Joint(lifelines) => lifelines.clone(),
            EventKind::Send(lifeline) | EventKind::Receive(lifeline, _) => vec![*lifeline],
            EventKind::Handover(from, to) => vec![*from, *to],
        }
    }
}

/// A run of a finite-domain system.
pub(crate) struct States<'a> {
    pub system: &'a FsmSystem,
    pub trace: &'a Trace,
    /// How it ends; none of a run that nothing was asked about.
    pub ending: Option<String>,
}

/// A tree that shows a violation, line by line.
pub(crate) struct Tree<'a> {
    pub found: &'a Counterexample,
    pub labels: &'a Labels,
    /// `a tree of 4 nodes, 2 steps deep`
    pub count: String,
    /// At most this many lines.
    pub lines: Box<dyn Fn(usize) -> Vec<TreeLine> + 'a>,
    /// The states of all components of a node.
    pub whole: Box<dyn Fn(State) -> String + 'a>,
    /// Why it is a counterexample.
    pub why: Vec<String>,
}

/// A line of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreeLine {
    /// How many actions lie before it.
    pub depth: usize,
    pub item: TreeItem,
}

/// A node or an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TreeItem {
    Node {
        node: State,
        /// Its probability; none at the root.
        probability: Option<String>,
        /// What changed; at the root, all states.
        states: String,
        /// It was written before, with what comes after it.
        again: bool,
    },
    Action(String),
}

/// Formulas for predicates.
pub(crate) struct Definitions<'a> {
    /// `definition` or `candidate`.
    pub noun: &'static str,
    /// The title on the page.
    pub title: &'static str,
    /// What shows those that are left out.
    pub see: &'static str,
    pub all: Vec<Definition<'a>>,
}

/// A predicate with its formula.
pub(crate) struct Definition<'a> {
    pub name: String,
    /// `inv(x, y)`
    pub head: String,
    /// It is true, or false, of everything.
    pub constant: Option<bool>,
    /// At most this many characters of the formula.
    pub formula: Box<dyn Fn(usize) -> String + 'a>,
    /// What the predicate stands for in a program, and where.
    pub what: String,
    pub place: String,
    /// What it stands for is said in a text, too.
    pub is_placed: bool,
}

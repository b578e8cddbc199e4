//! The small parts of a file, as they are written.

use serde::{Deserialize, Serialize};
use suppose_model::fsm::{
    Cluster, Decision, Decisions, Dialect, Shows, Symbols, System, Trace, Type, Value, VarId, Word,
};
use suppose_number::Int;

use crate::fsm::Expected;

/// More of a property is not written out: the number and the name identify it.
const LONGEST: usize = 2_000;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PropertyText {
    number: usize,
    name: Option<String>,
    /// For display only.
    text: String,
}

impl PropertyText {
    pub(super) fn of(system: &System, number: usize) -> Option<Self> {
        let property = system.properties.get(number)?;
        let text = system.show_question(&property.question);
        Some(PropertyText {
            number,
            name: property.name.clone(),
            text: text.chars().take(LONGEST).collect(),
        })
    }

    pub(super) fn number(&self, system: &System) -> Result<usize, String> {
        match system.properties.get(self.number) {
            Some(property) if property.name == self.name => Ok(self.number),
            _ => Err(format!(
                "the system has no property {} of that name",
                self.number
            )),
        }
    }
}

pub(super) fn show(shows: Shows) -> &'static str {
    match shows {
        Shows::All => "all",
        Shows::Part => "part",
    }
}

pub(super) fn shows(text: &str) -> Result<Shows, String> {
    match text {
        "all" => Ok(Shows::All),
        "part" => Ok(Shows::Part),
        _ => Err(format!("a run shows `all` or a `part`, not `{text}`")),
    }
}

pub(super) struct RunText {
    pub(super) loops_to: Option<usize>,
    pub(super) inputs: Vec<Vec<String>>,
    pub(super) states: Vec<Vec<String>>,
}

impl RunText {
    pub(super) fn of(system: &System, trace: &Trace) -> Option<RunText> {
        let (states, inputs) = (system.state_vars().count(), system.inputs().count());
        let fits = trace.states.iter().all(|s| s.len() == states)
            && trace.inputs.iter().all(|i| i.len() == inputs);
        let line = |values: &[Value]| values.iter().map(|v| system.symbols.show(v)).collect();
        fits.then(|| RunText {
            loops_to: trace.loops_to,
            inputs: trace.inputs.iter().map(|i| line(i)).collect(),
            states: trace.states.iter().map(|s| line(s)).collect(),
        })
    }

    pub(super) fn trace(&self, system: &System) -> Result<Trace, String> {
        let states: Vec<VarId> = system.state_vars().collect();
        let inputs: Vec<VarId> = system.inputs().collect();
        let line = |vars: &[VarId], texts: &[String]| -> Result<Box<[Value]>, String> {
            if vars.len() != texts.len() {
                return Err(format!(
                    "expected {} values, not {}",
                    vars.len(),
                    texts.len()
                ));
            }
            let pairs = vars.iter().zip(texts);
            let values = pairs.map(|(var, text)| {
                let variable = system.variable(*var);
                let value = parse(&system.symbols, &variable.ty, text);
                value.ok_or_else(|| format!("`{text}` is no value of `{}`", variable.name))
            });
            values.collect()
        };
        let all = |vars: &[VarId], lines: &[Vec<String>]| {
            let lines = lines.iter().map(|texts| line(vars, texts));
            lines.collect::<Result<Vec<Box<[Value]>>, String>>()
        };
        Ok(Trace {
            states: all(&states, &self.states)?,
            inputs: all(&inputs, &self.inputs)?,
            loops_to: self.loops_to,
        })
    }
}

/// The value of a type that is written so.
fn parse(symbols: &Symbols, ty: &Type, text: &str) -> Option<Value> {
    let value = match ty {
        Type::Boolean => Value::Bool(text == "TRUE"),
        Type::Range(..) => Value::Int(text.parse().ok()?),
        Type::Enumeration(values) => {
            let same = |v: &&Value| symbols.show(v) == text;
            values.iter().find(same)?.clone()
        }
        Type::Word { signed, width } => {
            let (_, digits) = text.split_once('_')?;
            let number: Int = digits.parse().ok()?;
            let number = if text.starts_with('-') {
                -&number
            } else {
                number
            };
            Value::Word(Word::of_int(*signed, *width, &number))
        }
    };
    // One way to write each: what is not written that way is not that value.
    (ty.contains(&value) && symbols.show(&value) == text).then_some(value)
}

/// A variable's number, a bit, and where to continue if it is set and if not.
type DecisionText = (u32, u32, u32, u32);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SetText {
    root: u32,
    nodes: Vec<DecisionText>,
}

impl SetText {
    pub(super) fn of(system: &System, set: &Decisions) -> Option<SetText> {
        let known = |node: &Decision| node.var.index() < system.variables.len();
        let text = |n: &Decision| (n.var.0, n.bit, n.high, n.low);
        let fits = set.nodes.iter().all(known);
        fits.then(|| SetText {
            root: set.root,
            nodes: set.nodes.iter().map(text).collect(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn decisions(self) -> Decisions {
        let decision = |(var, bit, high, low)| Decision {
            var: VarId(var),
            bit,
            high,
            low,
        };
        Decisions {
            root: self.root,
            nodes: self.nodes.into_iter().map(decision).collect(),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClusterText {
    variables: Vec<u32>,
    classes: Vec<SetText>,
}

impl ClusterText {
    pub(super) fn of(system: &System, cluster: &Cluster) -> Option<ClusterText> {
        let classes = cluster.classes.iter();
        Some(ClusterText {
            variables: cluster.vars.iter().map(|v| v.0).collect(),
            classes: classes
                .map(|set| SetText::of(system, set))
                .collect::<Option<Vec<SetText>>>()?,
        })
    }

    pub(super) fn len(&self) -> usize {
        let classes = self.classes.iter().map(|set| set.len() + 1);
        self.variables.len() + classes.sum::<usize>()
    }

    pub(super) fn cluster(self) -> Cluster {
        let classes = self.classes.into_iter().map(SetText::decisions);
        Cluster {
            vars: self.variables.into_iter().map(VarId).collect(),
            classes: classes.collect(),
        }
    }
}

/// What there is to know before the model is read; the rest is skipped.
#[derive(Deserialize)]
pub(super) struct AboutText {
    pub(super) dialect: Option<DialectText>,
    /// None: the file is about deadlock.
    pub(super) property: Option<PlaceText>,
}

#[derive(Deserialize)]
pub(super) struct PlaceText {
    pub(super) number: usize,
}

/// As the command line calls them.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum DialectText {
    NuSmv,
    Old,
}

impl From<Dialect> for DialectText {
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::NuSmv => DialectText::NuSmv,
            Dialect::Old => DialectText::Old,
        }
    }
}

impl From<DialectText> for Dialect {
    fn from(text: DialectText) -> Self {
        match text {
            DialectText::NuSmv => Dialect::NuSmv,
            DialectText::Old => Dialect::Old,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum VerdictText {
    Holds,
    Violated,
    Steps(u64),
    Infinite,
    Undefined,
}

impl From<Expected> for VerdictText {
    fn from(expected: Expected) -> Self {
        match expected {
            Expected::Holds => VerdictText::Holds,
            Expected::Violated => VerdictText::Violated,
            Expected::Steps(Some(steps)) => VerdictText::Steps(steps),
            Expected::Steps(None) => VerdictText::Infinite,
            Expected::Undefined => VerdictText::Undefined,
        }
    }
}

impl From<VerdictText> for Expected {
    fn from(text: VerdictText) -> Self {
        match text {
            VerdictText::Holds => Expected::Holds,
            VerdictText::Violated => Expected::Violated,
            VerdictText::Steps(steps) => Expected::Steps(Some(steps)),
            VerdictText::Infinite => Expected::Steps(None),
            VerdictText::Undefined => Expected::Undefined,
        }
    }
}

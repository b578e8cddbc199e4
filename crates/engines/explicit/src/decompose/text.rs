//! Labels as text, in the notation of the program.

use suppose_model::program::{Binary, Expr, Place, Program, Scope, Type, Unary};

use super::ops::{Op, Take};

/// Knows the names.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    program: &'a Program,
    channels: &'a [String],
    kinds: &'a [u32],
}

impl<'a> Words<'a> {
    /// `channels` and `kinds`: the names and kinds of the channels, by number from 1.
    pub fn new(program: &'a Program, channels: &'a [String], kinds: &'a [u32]) -> Self {
        Words {
            program,
            channels,
            kinds,
        }
    }

    /// The name of a channel.
    pub fn channel(&self, number: i32) -> String {
        let at = usize::try_from(number - 1).ok();
        let name = at.and_then(|at| self.channels.get(at));
        name.cloned().unwrap_or_else(|| format!("channel {number}"))
    }

    /// A value of that type.
    pub fn value(&self, ty: Option<Type>, value: i32) -> String {
        match ty {
            Some(Type::Mtype(list)) => {
                let list = self.program.mtypes.get(list as usize);
                let at = usize::try_from(value - 1).ok();
                let name = list.and_then(|l| l.constants.get(at?));
                name.cloned().unwrap_or_else(|| value.to_string())
            }
            Some(Type::Chan) if value > 0 => self.channel(value),
            Some(Type::Bool) if value == 0 => "false".to_owned(),
            Some(Type::Bool) if value == 1 => "true".to_owned(),
            _ => value.to_string(),
        }
    }

    /// Several operations.
    pub fn ops(&self, ops: &[Op]) -> String {
        let all: Vec<String> = ops.iter().map(|op| self.op(op)).collect();
        all.join("; ")
    }

    fn op(&self, op: &Op) -> String {
        match op {
            Op::Guard(e) => self.expr(e, 0),
            Op::Ask(all) => {
                let all: Vec<String> = all.iter().map(|e| self.expr(e, 0)).collect();
                format!("{}?", all.join(", "))
            }
            Op::Set(place, e) => {
                format!(
                    "{} = {}",
                    self.place(place),
                    self.typed(Some(place.ty), e, 0)
                )
            }
            Op::Send {
                channel,
                values,
                sorted,
            } => {
                let sign = if *sorted { "!!" } else { "!" };
                let fields = self.fields(*channel);
                let values = values.iter().enumerate();
                let values = values.map(|(i, e)| self.typed(fields.get(i).copied(), e, 0));
                let values: Vec<String> = values.collect();
                format!("{}{sign}{}", self.channel(*channel), values.join(","))
            }
            Op::Receive {
                channel,
                takes,
                any,
                keep,
            } => {
                let sign = if *any { "??" } else { "?" };
                let fields = self.fields(*channel);
                let takes = takes.iter().enumerate().map(|(i, take)| {
                    let ty = fields.get(i).copied();
                    match take {
                        Take::Match(Expr::Const(value)) | Take::Known(value) => {
                            self.value(ty, *value)
                        }
                        Take::Match(e) => format!("eval({})", self.expr(e, 0)),
                        Take::Store(place) => self.place(place),
                        Take::Ignore | Take::Out => "_".to_owned(),
                    }
                });
                let takes: Vec<String> = takes.collect();
                let (open, close) = if *keep { ("<", ">") } else { ("", "") };
                let name = self.channel(*channel);
                format!("{name}{sign}{open}{}{close}", takes.join(","))
            }
            Op::Fails(op) => format!("{} goes wrong", self.op(op)),
        }
    }

    fn fields(&self, channel: i32) -> &'a [Type] {
        let at = usize::try_from(channel - 1).ok();
        let kind = at.and_then(|at| self.kinds.get(at));
        let kind = kind.and_then(|kind| self.program.channels.get(*kind as usize));
        kind.map_or(&[], |k| k.fields.as_slice())
    }

    fn place(&self, place: &Place) -> String {
        let slot = match place.scope {
            Scope::Global => self.program.globals.get(place.base as usize),
            Scope::Local => None,
        };
        let name = slot.map_or("?", |s| s.name.as_str());
        if place.indices.is_empty() {
            return name.to_owned();
        }
        // The name is that of the first element: its last index gives way to the expression.
        let stem = name.rfind('[').map_or(name, |at| &name[..at]);
        let indices = place.indices.iter().map(|i| self.expr(&i.expr, 0));
        let indices: Vec<String> = indices.collect();
        format!("{stem}[{}]", indices.join("]["))
    }

    fn typed(&self, ty: Option<Type>, expr: &Expr, level: u8) -> String {
        match expr {
            Expr::Const(value) => self.value(ty, *value),
            other => self.expr(other, level),
        }
    }

    /// An expression; `level` is how tightly its surroundings bind.
    pub fn expr(&self, expr: &Expr, level: u8) -> String {
        match expr {
            Expr::Const(value) => value.to_string(),
            Expr::Load(place) => self.place(place),
            // SPIN does not let these be negated with `!`.
            Expr::Unary(Unary::Not, a) if matches!(**a, Expr::Full(_) | Expr::Empty(_)) => {
                format!("n{}", self.expr(a, 0))
            }
            Expr::Unary(op, a) => {
                let sign = match op {
                    Unary::Neg => "-",
                    Unary::Not => "!",
                    Unary::Complement => "~",
                };
                format!("{sign}{}", self.expr(a, 12))
            }
            Expr::Binary(op, a, b) => {
                let (sign, own) = operator(*op);
                let ty = |e: &Expr| match e {
                    Expr::Load(place) => Some(place.ty),
                    _ => None,
                };
                let left = self.typed(ty(b), a, own);
                let right = self.typed(ty(a), b, own + 1);
                let tight = matches!(sign, "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-");
                let text = match tight {
                    true => format!("{left}{sign}{right}"),
                    false => format!("{left} {sign} {right}"),
                };
                if own < level {
                    format!("({text})")
                } else {
                    text
                }
            }
            Expr::Cond(a, b, c) => format!(
                "({} -> {} : {})",
                self.expr(a, 0),
                self.expr(b, 0),
                self.expr(c, 0)
            ),
            Expr::Len(c) => format!("len({})", self.channel_of(c)),
            Expr::Full(c) => format!("full({})", self.channel_of(c)),
            Expr::Empty(c) => format!("empty({})", self.channel_of(c)),
            Expr::Poll {
                channel,
                patterns,
                any,
            } => {
                let sign = if *any { "??" } else { "?" };
                let pattern = |p: &suppose_model::program::Pattern| match p {
                    suppose_model::program::Pattern::Match(e) => self.expr(e, 0),
                    _ => "_".to_owned(),
                };
                let all: Vec<String> = patterns.iter().map(pattern).collect();
                format!("{}{sign}[{}]", self.channel_of(channel), all.join(","))
            }
            Expr::Pid => "_pid".to_owned(),
            Expr::Processes => "_nr_pr".to_owned(),
            Expr::Last => "_last".to_owned(),
            Expr::Timeout => "timeout".to_owned(),
            Expr::Enabled(e) => format!("enabled({})", self.expr(e, 0)),
            Expr::PcValue(e) => format!("pc_value({})", self.expr(e, 0)),
            Expr::Priority(e) => format!("get_priority({})", self.expr(e, 0)),
            Expr::At {
                proctype,
                process,
                locations,
            } => {
                let text = &self.program.proctypes[*proctype as usize];
                let here = locations
                    .first()
                    .and_then(|l| text.locations.get(*l as usize));
                let label = here.and_then(|l| l.labels.first());
                let label = label.map_or("?", |l| l.as_str());
                format!("{}@{label}", self.remote(*proctype, process.as_deref()))
            }
            Expr::Remote {
                proctype,
                process,
                place,
            } => {
                let text = &self.program.proctypes[*proctype as usize];
                let slot = text.locals.get(place.base as usize);
                let name = slot.map_or("?", |s| s.name.as_str());
                format!("{}:{name}", self.remote(*proctype, process.as_deref()))
            }
        }
    }

    fn remote(&self, proctype: u32, process: Option<&Expr>) -> String {
        let name = &self.program.proctypes[proctype as usize].name;
        match process {
            Some(e) => format!("{name}[{}]", self.expr(e, 0)),
            None => name.clone(),
        }
    }

    fn channel_of(&self, expr: &Expr) -> String {
        match expr {
            Expr::Const(number) => self.channel(*number),
            other => self.expr(other, 0),
        }
    }
}

/// The sign and how tightly it binds.
fn operator(op: Binary) -> (&'static str, u8) {
    match op {
        Binary::Or => ("||", 1),
        Binary::And => ("&&", 2),
        Binary::BitOr => ("|", 3),
        Binary::BitXor => ("^", 4),
        Binary::BitAnd => ("&", 5),
        Binary::Eq => ("==", 6),
        Binary::Ne => ("!=", 6),
        Binary::Lt => ("<", 7),
        Binary::Le => ("<=", 7),
        Binary::Gt => (">", 7),
        Binary::Ge => (">=", 7),
        Binary::Shl => ("<<", 8),
        Binary::Shr => (">>", 8),
        Binary::Add => ("+", 9),
        Binary::Sub => ("-", 9),
        Binary::Mul => ("*", 10),
        Binary::Div => ("/", 10),
        Binary::Rem => ("%", 10),
    }
}

/// What a network of the program shows besides labels.
impl Words<'_> {
    /// A message in a rendezvous.
    pub fn message(&self, channel: i32, values: &[i32]) -> String {
        let fields = self.fields(channel);
        let values = values.iter().enumerate();
        let values = values.map(|(i, v)| self.value(fields.get(i).copied(), *v));
        let values: Vec<String> = values.collect();
        format!("{}!{}", self.channel(channel), values.join(","))
    }

    /// The name of a claim.
    pub fn claim(&self, number: usize) -> &str {
        self.program.claims.get(number).map_or("claim", |c| &c.name)
    }

    /// The names of shared cells.
    pub fn cells(&self, cells: &[usize]) -> String {
        let slots = self.program.globals.len();
        let name = |cell: &usize| match cell.checked_sub(slots) {
            None => self.program.globals[*cell].name.clone(),
            Some(channel) => self.channel(channel as i32),
        };
        let names: Vec<String> = cells.iter().map(name).collect();
        names.join(", ")
    }

    /// The values of shared cells.
    pub fn values(
        &self,
        cells: &[usize],
        state: &suppose_model::program::semantics::State,
    ) -> String {
        let slots = self.program.globals.len();
        let one = |cell: &usize| match cell.checked_sub(slots) {
            None => {
                let slot = &self.program.globals[*cell];
                let value = self.value(Some(slot.ty), state.globals[*cell]);
                format!("{}={value}", slot.name)
            }
            Some(channel) => {
                let number = channel as i32;
                let fields = self.fields(number);
                let messages = state.channels[channel - 1].messages.iter().map(|m| {
                    let values = m.iter().enumerate();
                    let values = values.map(|(i, v)| self.value(fields.get(i).copied(), *v));
                    let values: Vec<String> = values.collect();
                    values.join(",")
                });
                let messages: Vec<String> = messages.collect();
                format!("{}=[{}]", self.channel(number), messages.join(" "))
            }
        };
        let all: Vec<String> = cells.iter().map(one).collect();
        all.join(" ")
    }
}

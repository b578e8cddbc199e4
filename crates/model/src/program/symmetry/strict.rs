//! Is a program symmetric, given where numbers of processes are kept?

use super::infer::{At, InferredSymmetry, MOST, Types};
use crate::program::semantics::partial::parts::{Part, dead_at_start, mentions, parts, slots};
use crate::program::{
    Action, Binary, Expr, Init, Keep, Location, Pattern, Place, Proctype, Question, Scope, Slot,
    Type,
};

/// What an expression is: the number of a process with so much added, or anything else.
type Kind = Option<i32>;

struct Strict<'a> {
    types: Types<'a>,
    any: bool,
}

/// All uses of numbers are allowed, and the processes begin alike.
pub(super) fn check(types: Types, question: Question) -> Result<InferredSymmetry, String> {
    let mut it = Strict { types, any: true };
    it.program(question)?;
    it.globals()?;
    let timeout = mentions(it.types.program, |e| matches!(e, Expr::Timeout));
    let symmetry = it.types.symmetry;
    let columns = it.types.columns.iter();
    let element = |c: super::infer::Column| {
        let of = u32::try_from(c.of).ok()?;
        symmetry.includes(of).then_some(of)
    };
    Ok(InferredSymmetry {
        elements: columns.map(|c| c.and_then(element)).collect(),
        symmetry,
        any: it.any,
        timeout,
    })
}

fn err<T>(why: &str) -> Result<T, String> {
    Err(why.to_owned())
}

impl Strict<'_> {
    fn program(&mut self, question: Question) -> Result<(), String> {
        let program = self.types.program;
        if program.uses_last || program.uses_priority {
            return err("`_last` and priorities tell processes apart");
        }
        let (proctype, first, count) = {
            let it = &self.types.symmetry;
            (it.proctype, it.first, it.count)
        };
        let of_it = program.start.iter().filter(|s| s.proctype == proctype);
        if of_it.count() as u32 != count {
            return err("processes of one proctype begin differently");
        }
        let is_last = program.start.len() as u32 == first + count;
        for (number, text) in (0u32..).zip(&program.proctypes) {
            self.text(number, text)?;
            if number != proctype && !is_last && uses_pid(text) {
                self.any = false;
            }
        }
        for start in &program.start {
            let kinds = self.types.symmetry.locals[start.proctype as usize].clone();
            let slots = program.proctypes[start.proctype as usize].locals.iter();
            for ((value, kind), slot) in start.arguments.iter().zip(kinds).zip(slots) {
                self.stores(None, &Expr::Const(*value), slot.ty, kind)?;
            }
        }
        if let Question::Claim(number) = question
            && let Some(claim) = program.claims.get(number)
        {
            if claim.events.is_some() {
                return err("the claim is about messages");
            }
            self.locations(None, &claim.locations)?;
        }
        Ok(())
    }

    fn text(&mut self, number: u32, text: &Proctype) -> Result<(), String> {
        if !text.promises.is_empty() {
            return err("exclusive channels are a matter of all processes");
        }
        let in_group = number == self.types.symmetry.proctype;
        let kinds = self.types.symmetry.locals[number as usize].clone();
        for ((slot, kind), at) in text.locals.iter().zip(kinds).zip(0u32..) {
            self.holds(slot.ty, kind)?;
            match &slot.init {
                Init::Expr(value) => self.stores(Some(number), value, slot.ty, kind)?,
                Init::Channel(_) if in_group => {
                    return err("a process that could be exchanged has channels of its own");
                }
                Init::Value(value) if at >= text.parameters && !dead_at_start(text, at) => {
                    self.stores(None, &Expr::Const(*value), slot.ty, kind)?;
                }
                _ => {}
            }
        }
        if let Some(test) = &text.provided {
            self.plain(Some(number), test)?;
        }
        self.locations(Some(number), &text.locations)
    }

    /// Shared variables begin alike for all of them.
    fn globals(&mut self) -> Result<(), String> {
        let program = self.types.program;
        let kinds = self.types.symmetry.globals.clone();
        for (slot, kind) in program.globals.iter().zip(kinds) {
            self.holds(slot.ty, kind)?;
            match slot.init {
                Init::Value(value) => self.stores(None, &Expr::Const(value), slot.ty, kind)?,
                _ if kind.is_some() => return err("a channel holds numbers of processes"),
                _ => {}
            }
            if slot.hidden && kind.is_some() {
                return err("a hidden variable holds numbers of processes");
            }
        }
        let fields = self.types.symmetry.fields.clone();
        for (channel, kinds) in program.channels.iter().zip(fields) {
            for (ty, kind) in channel.fields.iter().zip(kinds) {
                self.holds(*ty, kind)?;
            }
        }
        self.columns()
    }

    fn columns(&self) -> Result<(), String> {
        let it = &self.types.symmetry;
        let mut each: Vec<Vec<&Slot>> = vec![Vec::new(); it.count as usize];
        let slots = self.types.program.globals.iter().zip(&it.globals);
        let mut kinds: Vec<Vec<Kind>> = vec![Vec::new(); it.count as usize];
        for ((slot, kind), column) in slots.zip(&self.types.columns) {
            let Some(column) = column else {
                continue;
            };
            if slot.hidden || slot.ty == Type::Chan {
                return err("an array with an element for each process is hidden or of channels");
            }
            let last = i64::from(it.first + it.count) - 1 + i64::from(column.added);
            if i64::from(it.first) + i64::from(column.added) < 0 || last >= i64::from(column.bound)
            {
                return err("an array indexed by `_pid` is too short");
            }
            if let Some(number) = it.process(column.of, 0) {
                each[(number - it.first) as usize].push(slot);
                kinds[(number - it.first) as usize].push(*kind);
            }
        }
        let text = |s: &&Slot| (s.ty, format!("{:?}", s.init));
        let first: Vec<_> = each[0].iter().map(text).collect();
        let alike = |slots: &Vec<&Slot>| slots.iter().map(text).eq(first.iter().cloned());
        match each.iter().all(alike) && kinds.iter().all(|k| *k == kinds[0]) {
            true => Ok(()),
            false => err("elements of an array indexed by `_pid` begin differently"),
        }
    }

    /// A variable of a type can hold all numbers.
    fn holds(&mut self, ty: Type, kind: Kind) -> Result<(), String> {
        let Some(added) = kind else {
            return Ok(());
        };
        let it = &self.types.symmetry;
        let whole = |from: i32, to: i32| {
            let keeps = |v: i32| v.checked_add(added).is_some_and(|v| ty.truncate(v) == v);
            keeps(from) && keeps(to)
        };
        self.any &= whole(0, MOST - 1);
        match whole(it.first as i32, (it.first + it.count) as i32 - 1) {
            true => Ok(()),
            false => err("a variable is too small for the numbers of all processes"),
        }
    }

    /// A constant where the number of a process is expected must not be that of one.
    fn fits_constant(&mut self, value: i32, kind: Kind) -> Result<(), String> {
        let Some(added) = kind else {
            return Ok(());
        };
        let it = &self.types.symmetry;
        // Additions wrap around.
        let number = value.wrapping_sub(added);
        if it.process(number, 0).is_some() {
            return err("one of the processes is meant by its number");
        }
        self.any &= i64::from(number) < i64::from(it.first) || number >= MOST;
        Ok(())
    }

    fn locations(&mut self, at: At, locations: &[Location]) -> Result<(), String> {
        for location in locations {
            for edge in &location.edges {
                if edge.action == Action::End && location.keep != Keep::Nothing {
                    return err("a process ends inside an atomic sequence");
                }
                self.action(at, &edge.action)?;
            }
        }
        Ok(())
    }

    fn action(&mut self, at: At, action: &Action) -> Result<(), String> {
        match action {
            Action::Guard(test) | Action::Assert(test) => self.plain(at, test),
            Action::Assign(place, value) => {
                let kind = self.place(at, place)?;
                self.stores(at, value, place.ty, kind)
            }
            Action::Send {
                channel,
                values,
                sorted,
            } => {
                let fields = self.channel(at, channel, values.len())?;
                if *sorted && fields.iter().any(|(_, kind)| kind.is_some()) {
                    return err("messages are sorted by numbers of processes");
                }
                let mut all = values.iter().zip(fields);
                all.try_for_each(|(value, (ty, kind))| self.stores(at, value, ty, kind))
            }
            Action::Receive {
                channel, patterns, ..
            } => self.patterns(at, channel, patterns),
            Action::Else | Action::End => Ok(()),
            Action::Run { .. } | Action::SetPriority(..) => {
                err("processes are made or given priorities")
            }
        }
    }

    fn patterns(&mut self, at: At, channel: &Expr, patterns: &[Pattern]) -> Result<(), String> {
        let fields = self.channel(at, channel, patterns.len())?;
        for (pattern, (ty, kind)) in patterns.iter().zip(fields) {
            match pattern {
                Pattern::Match(value) => self.fits(at, value, kind)?,
                Pattern::Store(place) => {
                    if self.place(at, place)? != kind || kind.is_some() && !widens(ty, place.ty) {
                        return err("a message holds numbers of processes in two ways");
                    }
                }
                Pattern::Ignore => {}
            }
        }
        Ok(())
    }

    /// What the fields of the messages of a channel are.
    fn channel(
        &mut self,
        at: At,
        channel: &Expr,
        fields: usize,
    ) -> Result<Vec<(Type, Kind)>, String> {
        self.plain(at, channel)?;
        let it = &self.types.symmetry;
        match self.types.kind(channel) {
            Some(kind) if !self.writes_channels() => {
                let types = self.types.program.channels[kind as usize].fields.iter();
                Ok(types
                    .copied()
                    .zip(it.fields[kind as usize].clone())
                    .collect())
            }
            _ if it.fields.iter().flatten().all(Option::is_none) => {
                Ok(vec![(Type::Int, None); fields])
            }
            _ => err("it is not known which channel is meant"),
        }
    }

    /// Does anything write a shared variable that is a channel?
    fn writes_channels(&self) -> bool {
        let texts = self.types.program.proctypes.iter();
        let mut edges = texts.flat_map(|t| &t.locations).flat_map(|l| &l.edges);
        let writes = |p: &Place| p.scope == Scope::Global && p.ty == Type::Chan;
        edges.any(|edge| match &edge.action {
            Action::Assign(place, _) => writes(place),
            Action::Receive { patterns, .. } => patterns
                .iter()
                .any(|p| matches!(p, Pattern::Store(place) if writes(place))),
            _ => false,
        })
    }

    fn plain(&mut self, at: At, expr: &Expr) -> Result<(), String> {
        match self.expr(at, expr)? {
            None => Ok(()),
            Some(_) => err("the number of a process is used as a value"),
        }
    }

    fn fits(&mut self, at: At, expr: &Expr, kind: Kind) -> Result<(), String> {
        let is = self.expr(at, expr)?;
        match (is == kind, expr) {
            (true, _) => Ok(()),
            (false, Expr::Const(value)) => self.fits_constant(*value, kind),
            _ => err("the number of a process is mixed with other values"),
        }
    }

    /// A value is kept in a variable of a type. What is no number of one of the processes must not become one when it is cut to the
    /// bits of the type.
    fn stores(&mut self, at: At, expr: &Expr, ty: Type, kind: Kind) -> Result<(), String> {
        if kind.is_none() {
            return self.fits(at, expr, kind);
        }
        let keeps = match expr {
            Expr::Const(value) => ty.truncate(*value) == *value,
            Expr::Load(place) => widens(place.ty, ty),
            Expr::Cond(test, a, b) => {
                self.plain(at, test)?;
                self.stores(at, a, ty, kind)?;
                return self.stores(at, b, ty, kind);
            }
            Expr::Pid => true,
            Expr::Binary(_, a, b) => {
                let simple = |e: &Expr| matches!(e, Expr::Pid | Expr::Const(_));
                simple(a) && simple(b)
            }
            _ => false,
        };
        match keeps {
            true => self.fits(at, expr, kind),
            false => err("a number of a process is counted with before it is kept"),
        }
    }

    fn place(&mut self, at: At, place: &Place) -> Result<Kind, String> {
        let mut by_number = 0;
        for index in &place.indices {
            match self.expr(at, &index.expr)? {
                None => {}
                Some(_) if at.is_none() => return err("the claim looks at one of the processes"),
                Some(_) if place.scope == Scope::Global => by_number += 1,
                Some(_) => return err("a process has an array indexed by numbers of processes"),
            }
        }
        let all = slots(place, |_| None);
        let is_column = |slot: &u32| {
            place.scope == Scope::Global && self.types.columns[*slot as usize].is_some()
        };
        if by_number > 1 || by_number == 0 && all.iter().any(is_column) {
            return err("an array indexed by `_pid` is used otherwise too");
        }
        let kind = |slot: &u32| match (place.scope, at) {
            (Scope::Global, _) => self.types.symmetry.globals[*slot as usize],
            (Scope::Local, Some(text)) => self.types.symmetry.locals[text as usize][*slot as usize],
            (Scope::Local, None) => None,
        };
        let first = all.first().and_then(kind);
        match all.iter().all(|slot| kind(slot) == first) {
            true => Ok(first),
            false => err("an array holds numbers of processes and other values"),
        }
    }

    fn expr(&mut self, at: At, expr: &Expr) -> Result<Kind, String> {
        match expr {
            Expr::Const(_) | Expr::Timeout => Ok(None),
            Expr::Pid => Ok((at == Some(self.types.symmetry.proctype)).then_some(0)),
            Expr::Load(place) => self.place(at, place),
            Expr::Unary(_, a) | Expr::Len(a) | Expr::Full(a) | Expr::Empty(a) => {
                self.plain(at, a)?;
                Ok(None)
            }
            Expr::Binary(op, a, b) => self.binary(at, *op, a, b),
            Expr::Cond(test, a, b) => {
                self.plain(at, test)?;
                let kind = self.expr(at, a)?.or(self.expr(at, b)?);
                self.fits(at, a, kind)?;
                self.fits(at, b, kind)?;
                Ok(kind)
            }
            Expr::Poll {
                channel, patterns, ..
            } => {
                self.patterns(at, channel, patterns)?;
                Ok(None)
            }
            Expr::Processes
            | Expr::Last
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::Priority(_)
            | Expr::At { .. }
            | Expr::Remote { .. } => err("processes are counted or looked at from outside"),
        }
    }

    fn binary(&mut self, at: At, op: Binary, a: &Expr, b: &Expr) -> Result<Kind, String> {
        let (left, right) = (self.expr(at, a)?, self.expr(at, b)?);
        match (op, left, right) {
            (_, None, None) => Ok(None),
            (Binary::Eq | Binary::Ne, _, _) => {
                let kind = left.or(right);
                self.fits(at, a, kind)?;
                self.fits(at, b, kind)?;
                Ok(None)
            }
            (Binary::Add | Binary::Sub, _, _) => {
                let whole = Expr::Binary(op, Box::new(a.clone()), Box::new(b.clone()));
                match self.types.added(at, &whole) {
                    Some(added) => Ok(Some(added)),
                    None => err("numbers of processes are counted with"),
                }
            }
            _ => err("numbers of processes are counted with or put in order"),
        }
    }
}

fn uses_pid(text: &Proctype) -> bool {
    let is = |e: &Expr| e.any(|e: &Expr| *e == Expr::Pid);
    let edges = text.locations.iter().flat_map(|l| &l.edges);
    let mut all = edges.flat_map(|e| parts(&e.action));
    let inits = text.locals.iter().map(|s| &s.init);
    all.any(|part| match part {
        Part::Value(e) | Part::Channel(e) => is(e),
        Part::Write(place) => place.indices.iter().any(|i| is(&i.expr)),
    }) || text.provided.as_ref().is_some_and(is)
        || inits
            .into_iter()
            .any(|i| matches!(i, Init::Expr(e) if is(e)))
}

/// Has a variable of the second type all values of the first?
fn widens(from: Type, to: Type) -> bool {
    let is_signed = |ty: Type| matches!(ty, Type::Short | Type::Int);
    from == to
        || (!is_signed(from) || is_signed(to)) && from.bits() < to.bits()
        || !is_signed(from) && !is_signed(to) && from.bits() == to.bits()
}

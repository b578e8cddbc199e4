//! Proofs whose views are given up to exchanging processes, and proofs for any number of processes.
//!
//! Let `G` be the processes of one proctype, all alike at the start. A permutation of `G` acts on a state: it exchanges the processes with
//! their local states, the elements of arrays that belong to them, and the numbers of processes that variables and messages hold.
//! Which variables hold numbers (with a constant added) is said in the proof. The test here ([`check`]) is that numbers are
//! only kept, passed on, compared for equality and used as indices of arrays with an element for each process, never counted
//! with or put in order, and never mixed with other values; a constant where a number is expected is the number of none of `G`.
//! Nothing makes, counts or looks at processes, so a process that dies is one that stays where it is. Hence a step from `s` to
//! `t` is one from `p(s)` to `p(t)`, for each permutation `p`, and something goes wrong from `s` if and only if it does from `p(s)`. The
//! initial state is its own image.
//!
//! **The views** are those of the file and their images: a set `V` that permutations map to itself. So 2 to 5 of [`super`] need to be looked at for
//! one of the joins that permutations lead to each other. The checker begins with the views of the file, and adds places
//! in all ways, up to exchanging processes that neither the shared state nor a local state of the join so far speaks of: these
//! permutations map the join so far to itself.
//!
//! **Any number.** Let the views be accepted for the program with `m` processes of `G`, let there be `n`, and say that a state
//! of the program with `n` *fits* if each view of it is in `V` after an injective renaming of the processes of `G` that it speaks of
//! (its own places and all numbers in it) to the `m`. It does not matter which renaming: `V` is closed under permutations. By induction all
//! reachable states fit. Let a step from a fitting state depend on places `F`, and let `a` and `b` be two others. If the
//! join `T` of `F`, `a` and `b` speaks of no more than `m` processes, one renaming of all of them maps every view in `T` into `V`, so
//! `T` to a join that was looked at, and the step to one that was; what it leads to speaks of no others, so the view of `a` and `b`
//! after it is in `V`. That every `T` speaks of so few is seen while joins are made, place by place: whenever a place, or a number
//! that is new, could be that of one process more, there was one more ([`Joined::short`]). A join as it is in the state can be made in
//! that way, so it ends up among those that were looked at. Exposed counts are the same in both, but their upper bound
//! depends on how many processes there are; it is no condition where the count is at most `m` less the processes in the join.
//! With fewer than `m` processes every run is one of the program with `m` in which the others do not move.

use suppose_model::program::semantics::partial::Partial;
use suppose_model::program::symmetry::Symmetry;
use suppose_model::program::views::{Exposed, Shared};
use suppose_model::program::{
    Action, Binary, Expr, Init, Keep, Location, Pattern, Place, Program, Question, Scope, Start,
    Type, ViewProof,
};

use super::Joined;

/// Numbers of processes are less than this.
const MOST: i64 = 255;

/// The program with as many processes as the views are of.
pub(super) fn reduced(
    program: &Program,
    proof: &ViewProof,
    symmetry: &Symmetry,
) -> Result<Program, String> {
    let of_it = |s: &&Start| s.proctype == symmetry.proctype;
    let count = program.start.iter().filter(of_it).count() as u32;
    let group = program.start.iter().skip(symmetry.first as usize);
    let group: Vec<&Start> = group.take_while(of_it).collect();
    if group.len() as u32 != count || !group.iter().all(|s| *s == group[0]) {
        return Err("the processes do not begin alike".to_owned());
    }
    let fits = match proof.for_any {
        true => (2..=count).contains(&symmetry.count),
        false => symmetry.count == count && count > 1,
    };
    if !fits {
        return Err("the proof is with another number of processes".to_owned());
    }
    let locations = program.proctypes.iter().flat_map(|t| &t.locations);
    let mut kept = locations.filter(|l| l.keep != Keep::Nothing);
    if kept.any(|l| l.edges.iter().any(|e| e.action == Action::End)) {
        return no("a process ends inside an atomic sequence");
    }
    let whole = Symmetry {
        count,
        ..symmetry.clone()
    };
    Ok(whole.reduced(program, symmetry.count))
}

/// Is a proof with these processes one for any number of them?
pub(super) fn for_any(proof: &ViewProof, symmetry: &Symmetry, joined: &Joined) -> bool {
    let counts = |number: usize| proof.shared.iter().map(move |s| s.exposed[number]);
    let exposed = proof.split.exposed.iter().enumerate();
    let mut counted = exposed.filter(|(_, e)| e.proctype == symmetry.proctype);
    let has_room = |x: u64| x + joined.widest as u64 <= u64::from(symmetry.count);
    !joined.short && counted.all(|(number, _)| counts(number).all(has_room))
}

/// Can the processes be exchanged?
pub(super) fn check(
    program: &Program,
    partial: &Partial,
    proof: &ViewProof,
    symmetry: &Symmetry,
) -> Result<(), String> {
    let is_count = |e: &suppose_model::program::views::Exposure| e.how == Exposed::Count;
    if !proof.split.exposed.iter().all(is_count) {
        return no("only counts can be exposed of processes that can be exchanged");
    }
    let mut lengths = symmetry.locals.iter().zip(&program.proctypes);
    let mut kinds = symmetry.fields.iter().zip(&program.channels);
    if symmetry.globals.len() != program.globals.len()
        || symmetry.locals.len() != program.proctypes.len()
        || symmetry.fields.len() != program.channels.len()
        || !lengths.all(|(list, text)| list.len() == text.locals.len())
        || !kinds.all(|(list, kind)| list.len() == kind.fields.len())
    {
        return no("it is not said of every variable whether it holds numbers of processes");
    }
    if proof.split.places as usize != program.start.len() {
        return no("the places are not those of the processes");
    }
    let processes = program.start.iter().map(|s| s.proctype);
    let all_live = |s: &Shared| s.processes.iter().copied().eq(processes.clone());
    if !proof.shared.iter().all(all_live) {
        return no("a shared state does not have the processes of the start");
    }
    let mut test = Test {
        program,
        partial,
        symmetry,
        any: proof.for_any,
        elements: vec![None; program.globals.len()],
    };
    test.all(proof.question)?;
    let owners = test.elements.iter().map(|e| {
        let of = e.map(|(of, _)| of)?;
        u32::try_from(of).ok().filter(|of| symmetry.includes(*of))
    });
    match owners.eq(proof.split.owners.iter().copied()) {
        true => Ok(()),
        false => no("a process does not own its elements of arrays"),
    }
}

fn no<T>(why: &str) -> Result<T, String> {
    Err(why.to_owned())
}

/// The sort of a value: the number of a process, or plain data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// The number of a process with this added, or of nobody.
    Number(i32),
    /// Not a number of a process.
    Value,
}

impl Sort {
    fn of(added: Option<i32>) -> Sort {
        added.map_or(Sort::Value, Sort::Number)
    }
}

struct Test<'a> {
    program: &'a Program,
    partial: &'a Partial,
    symmetry: &'a Symmetry,
    /// With any number of processes?
    any: bool,
    /// For each shared variable that is an element of an array with one for each process: of which process, and where in it.
    elements: Vec<Option<(i64, Element)>>,
}

/// Which element: its first slot less that of process 0, and what there is of one process to the next.
type Element = (i64, u32);

/// Who evaluates: a process of a proctype, or a claim.
type Who = Option<u32>;

/// The slots of a place, with all values of its indices.
fn slots(place: &Place) -> Vec<u32> {
    let start = vec![place.base];
    place.indices.iter().fold(start, |all, index| {
        let offsets = 0..index.bound;
        let shifted = |offset: u32| all.iter().map(move |slot| slot + offset * index.stride);
        offsets.flat_map(shifted).collect()
    })
}

/// What is looked at in a pass over the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Which arrays are indexed by numbers.
    Arrays,
    /// Everything.
    Uses,
}

impl Test<'_> {
    fn all(&mut self, question: Question) -> Result<(), String> {
        let program = self.program;
        if program.uses_last || program.uses_priority {
            return no("`_last` and priorities tell processes apart");
        }
        for pass in [Pass::Arrays, Pass::Uses] {
            for (number, text) in (0u32..).zip(&program.proctypes) {
                let inits = text.locals.iter().filter_map(|slot| match &slot.init {
                    Init::Expr(value) => Some(value),
                    _ => None,
                });
                for value in inits.chain(&text.provided) {
                    self.sort(pass, Some(number), value)?;
                }
                self.locations(pass, Some(number), &text.locations)?;
            }
            if let Question::Claim(number) = question {
                let claim = program.claims.get(number).ok_or("there is no such claim")?;
                if claim.events.is_some() {
                    return no("the claim is about messages");
                }
                self.locations(pass, None, &claim.locations)?;
            }
        }
        for number in 0..program.proctypes.len() as u32 {
            self.proctype(number)?;
        }
        self.start()?;
        self.arrays()
    }

    /// What is said of a proctype outside of its statements.
    fn proctype(&mut self, number: u32) -> Result<(), String> {
        let text = &self.program.proctypes[number as usize];
        if !text.promises.is_empty() {
            return no("exclusive channels are a matter of all processes");
        }
        if let Some(test) = &text.provided
            && self.sort(Pass::Uses, Some(number), test)? != Sort::Value
        {
            return no("the number of a process is used as a truth value");
        }
        let in_group = number == self.symmetry.proctype;
        for (at, slot) in (0u32..).zip(&text.locals) {
            let sort = Sort::of(self.symmetry.locals[number as usize][at as usize]);
            self.is_wide(slot.ty, sort)?;
            match &slot.init {
                Init::Channel(_) if in_group || sort != Sort::Value => {
                    return no("a process that can be exchanged has channels of its own");
                }
                Init::Channel(_) => {}
                Init::Expr(value) => self.keeps(Some(number), value, slot.ty, sort)?,
                Init::Value(value) => {
                    let unused =
                        at < text.parameters || self.partial.is_dead(number, text.entry, at);
                    if !unused {
                        self.keeps(None, &Expr::Const(*value), slot.ty, sort)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Shared variables, fields and arguments at the start.
    fn start(&mut self) -> Result<(), String> {
        let program = self.program;
        for (slot, added) in program.globals.iter().zip(&self.symmetry.globals) {
            let sort = Sort::of(*added);
            self.is_wide(slot.ty, sort)?;
            match &slot.init {
                Init::Value(value) => {
                    self.keeps(None, &Expr::Const(*value), slot.ty, sort)?;
                }
                _ if sort != Sort::Value => {
                    return no("a shared variable with numbers of processes begins with none");
                }
                _ => {}
            }
            if slot.hidden && sort != Sort::Value {
                return no("a hidden variable holds numbers of processes");
            }
        }
        for (kind, sorts) in program.channels.iter().zip(&self.symmetry.fields) {
            for (ty, added) in kind.fields.iter().zip(sorts) {
                self.is_wide(*ty, Sort::of(*added))?;
            }
        }
        for start in &program.start {
            let sorts = &self.symmetry.locals[start.proctype as usize];
            let slots = &program.proctypes[start.proctype as usize].locals;
            for ((value, added), slot) in start.arguments.iter().zip(sorts).zip(slots) {
                let sort = Sort::of(*added);
                self.keeps(None, &Expr::Const(*value), slot.ty, sort)?;
            }
        }
        Ok(())
    }

    /// Arrays with an element for each process have the same in each, and are long enough.
    fn arrays(&self) -> Result<(), String> {
        let first = i64::from(self.symmetry.first);
        let mut each = vec![Vec::new(); self.symmetry.count as usize];
        for (slot, element) in self.elements.iter().enumerate() {
            let Some((of, element)) = *element else {
                continue;
            };
            let it = &self.program.globals[slot];
            if it.hidden || it.ty == Type::Chan {
                return no(
                    "an array of channels, or a hidden one, is indexed by numbers of processes",
                );
            }
            let begins = match it.init {
                Init::Value(value) => value,
                _ => return no("an element of a process begins with no value"),
            };
            if let Some(list) = usize::try_from(of - first)
                .ok()
                .and_then(|at| each.get_mut(at))
            {
                let sort = self.symmetry.globals[slot];
                list.push((element, it.ty, begins, sort));
            }
        }
        match each.iter().all(|list| *list == each[0]) {
            true => Ok(()),
            false => no("processes have different elements of arrays"),
        }
    }

    fn locations(&mut self, pass: Pass, who: Who, all: &[Location]) -> Result<(), String> {
        for location in all {
            for edge in &location.edges {
                self.action(pass, who, &edge.action)?;
            }
        }
        Ok(())
    }

    fn action(&mut self, pass: Pass, who: Who, action: &Action) -> Result<(), String> {
        match action {
            Action::Else | Action::End => Ok(()),
            Action::Run { .. } | Action::SetPriority(..) => {
                no("processes are made or given priorities")
            }
            Action::Guard(test) | Action::Assert(test) => self.value(pass, who, test),
            Action::Assign(place, value) => {
                let sort = self.place(pass, who, place)?;
                self.sort(pass, who, value)?;
                match pass {
                    Pass::Arrays => Ok(()),
                    Pass::Uses => self.keeps(who, value, place.ty, sort),
                }
            }
            Action::Send {
                channel,
                values,
                sorted,
            } => {
                let fields = self.fields(pass, who, channel, values.len())?;
                let has_number = fields.iter().any(|(_, sort)| *sort != Sort::Value);
                if *sorted && has_number {
                    return no("messages are put in order by numbers of processes");
                }
                for (value, (ty, sort)) in values.iter().zip(fields) {
                    self.sort(pass, who, value)?;
                    if pass == Pass::Uses {
                        self.keeps(who, value, ty, sort)?;
                    }
                }
                Ok(())
            }
            Action::Receive {
                channel, patterns, ..
            } => self.patterns(pass, who, channel, patterns),
        }
    }

    fn patterns(
        &mut self,
        pass: Pass,
        who: Who,
        channel: &Expr,
        patterns: &[Pattern],
    ) -> Result<(), String> {
        let fields = self.fields(pass, who, channel, patterns.len())?;
        for (pattern, (ty, sort)) in patterns.iter().zip(fields) {
            match pattern {
                Pattern::Ignore => {}
                Pattern::Match(value) => {
                    self.sort(pass, who, value)?;
                    if pass == Pass::Uses {
                        self.compares(who, value, sort)?;
                    }
                }
                Pattern::Store(place) => {
                    let is = self.place(pass, who, place)?;
                    let whole = sort == Sort::Value || has_all(ty, place.ty);
                    if pass == Pass::Uses && !(is == sort && whole) {
                        return no("a message is not kept as what it is");
                    }
                }
            }
        }
        Ok(())
    }

    /// The fields of the messages of a channel. Where it is not known which channel it is, none may hold numbers.
    fn fields(
        &mut self,
        pass: Pass,
        who: Who,
        channel: &Expr,
        count: usize,
    ) -> Result<Vec<(Type, Sort)>, String> {
        self.value(pass, who, channel)?;
        let mut all = self.symmetry.fields.iter().flatten();
        if all.all(Option::is_none) {
            return Ok(vec![(Type::Int, Sort::Value); count]);
        }
        if self.some_channel_is_written() {
            return no("variables for channels are written");
        }
        let Expr::Load(place) = channel else {
            return no("it is not known which channel is meant");
        };
        let slot = self.program.globals.get(place.base as usize);
        match (place.scope, place.indices.is_empty(), slot.map(|s| &s.init)) {
            (Scope::Global, true, Some(Init::Channel(kind))) => {
                let types = self.program.channels[*kind as usize].fields.iter();
                let sorts = self.symmetry.fields[*kind as usize].iter();
                let fields = types.zip(sorts).map(|(ty, added)| (*ty, Sort::of(*added)));
                Ok(fields.collect())
            }
            _ => no("it is not known which channel is meant"),
        }
    }

    fn some_channel_is_written(&self) -> bool {
        let is_one = |p: &Place| p.ty == Type::Chan && p.scope == Scope::Global;
        let texts = self.program.proctypes.iter();
        let mut edges = texts.flat_map(|t| t.locations.iter().flat_map(|l| &l.edges));
        edges.any(|edge| match &edge.action {
            Action::Assign(place, _) => is_one(place),
            Action::Receive { patterns, .. } => {
                let mut stored = patterns.iter();
                stored.any(|p| matches!(p, Pattern::Store(place) if is_one(place)))
            }
            _ => false,
        })
    }

    fn value(&mut self, pass: Pass, who: Who, expr: &Expr) -> Result<(), String> {
        match self.sort(pass, who, expr)? {
            Sort::Value => Ok(()),
            Sort::Number(_) => no("the number of a process is used as a value"),
        }
    }

    fn sort(&mut self, pass: Pass, who: Who, expr: &Expr) -> Result<Sort, String> {
        match expr {
            Expr::Const(_) | Expr::Timeout => Ok(Sort::Value),
            Expr::Pid if who == Some(self.symmetry.proctype) => Ok(Sort::Number(0)),
            Expr::Pid => {
                // Behind the others, its own number would depend on how many there are.
                let own = self
                    .program
                    .start
                    .iter()
                    .rposition(|s| Some(s.proctype) == who);
                match self.any && own.is_some_and(|p| p >= self.symmetry.first as usize) {
                    true => no("a process whose number is not fixed uses it"),
                    false => Ok(Sort::Value),
                }
            }
            Expr::Load(place) => self.place(pass, who, place),
            Expr::Unary(_, a) | Expr::Len(a) | Expr::Full(a) | Expr::Empty(a) => {
                self.value(pass, who, a)?;
                Ok(Sort::Value)
            }
            Expr::Binary(op, a, b) => self.binary(pass, who, *op, a, b),
            Expr::Cond(test, a, b) => {
                self.value(pass, who, test)?;
                let sorts = (self.sort(pass, who, a)?, self.sort(pass, who, b)?);
                let sort = match sorts {
                    (Sort::Value, other) => other,
                    (number, _) => number,
                };
                self.compares(who, a, sort)?;
                self.compares(who, b, sort)?;
                Ok(sort)
            }
            Expr::Poll {
                channel, patterns, ..
            } => {
                self.patterns(pass, who, channel, patterns)?;
                Ok(Sort::Value)
            }
            Expr::Processes
            | Expr::Last
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::Priority(_)
            | Expr::At { .. }
            | Expr::Remote { .. } => no("processes are counted or looked at"),
        }
    }

    fn binary(
        &mut self,
        pass: Pass,
        who: Who,
        op: Binary,
        a: &Expr,
        b: &Expr,
    ) -> Result<Sort, String> {
        let sorts = (self.sort(pass, who, a)?, self.sort(pass, who, b)?);
        let shifted = |added: i32, by: Option<i32>| match by.and_then(|by| added.checked_add(by)) {
            Some(added) => Ok(Sort::Number(added)),
            None => no("numbers of processes are counted with"),
        };
        match (op, sorts, a, b) {
            (_, (Sort::Value, Sort::Value), _, _) => Ok(Sort::Value),
            (Binary::Eq | Binary::Ne, (x, y), _, _) => {
                let sort = if x == Sort::Value { y } else { x };
                self.compares(who, a, sort)?;
                self.compares(who, b, sort)?;
                Ok(Sort::Value)
            }
            (Binary::Add, (Sort::Number(added), Sort::Value), _, Expr::Const(by))
            | (Binary::Add, (Sort::Value, Sort::Number(added)), Expr::Const(by), _) => {
                shifted(added, Some(*by))
            }
            (Binary::Sub, (Sort::Number(added), Sort::Value), _, Expr::Const(by)) => {
                shifted(added, by.checked_neg())
            }
            _ => no("numbers of processes are counted with or put in order"),
        }
    }

    fn place(&mut self, pass: Pass, who: Who, place: &Place) -> Result<Sort, String> {
        let mut by_number = None;
        for (at, index) in place.indices.iter().enumerate() {
            let Sort::Number(added) = self.sort(pass, who, &index.expr)? else {
                continue;
            };
            if place.scope == Scope::Local || who.is_none() || by_number.is_some() {
                return no("a place that cannot be exchanged is found by the number of a process");
            }
            by_number = Some((at, added));
        }
        match (pass, by_number) {
            (Pass::Arrays, Some((at, added))) => self.array(place, at, added)?,
            (Pass::Uses, None) if place.scope == Scope::Global => {
                let is_element = |slot: &u32| self.elements[*slot as usize].is_some();
                if slots(place).iter().any(is_element) {
                    return no("an element of a process is used otherwise too");
                }
            }
            _ => {}
        }
        let sorts = match (place.scope, who) {
            (Scope::Global, _) => &self.symmetry.globals,
            (Scope::Local, Some(text)) => &self.symmetry.locals[text as usize],
            (Scope::Local, None) => return no("a claim has no variables"),
        };
        let mut all = slots(place).into_iter().map(|slot| sorts[slot as usize]);
        let first = all.next().flatten();
        match all.all(|sort| sort == first) {
            true => Ok(Sort::of(first)),
            false => no("an array holds numbers of processes and other values"),
        }
    }

    /// Notes the elements of an array of which this index is the number of a process.
    fn array(&mut self, place: &Place, at: usize, added: i32) -> Result<(), String> {
        let index = &place.indices[at];
        let (first, last) = (
            self.symmetry.first,
            self.symmetry.first + self.symmetry.count - 1,
        );
        let is_inside = |p: u32| {
            let value = i64::from(p) + i64::from(added);
            (0..i64::from(index.bound)).contains(&value)
        };
        if !is_inside(first) || !is_inside(last) {
            return no("an array is too short for the numbers of all processes");
        }
        for value in 0..index.bound {
            let mut one = place.clone();
            one.indices.remove(at);
            one.base += value * index.stride;
            let of = i64::from(value) - i64::from(added);
            for slot in slots(&one) {
                let origin = i64::from(slot) - of * i64::from(index.stride);
                let element = Some((of, (origin, index.stride)));
                let known = &mut self.elements[slot as usize];
                if known.is_some() && *known != element {
                    return no("an array is indexed by numbers of processes in two ways");
                }
                *known = element;
            }
        }
        Ok(())
    }

    /// A value is compared with one of that sort.
    fn compares(&mut self, who: Who, expr: &Expr, sort: Sort) -> Result<(), String> {
        let is = self.sort(Pass::Uses, who, expr)?;
        match (expr, sort) {
            _ if is == sort => Ok(()),
            (Expr::Const(value), Sort::Number(added)) => self.is_nobody(*value, added),
            _ => no("the number of a process is mixed with other values"),
        }
    }

    /// A constant is the number of none of the processes. Additions wrap around.
    fn is_nobody(&self, value: i32, added: i32) -> Result<(), String> {
        let number = i64::from(value.wrapping_sub(added));
        let first = i64::from(self.symmetry.first);
        let end = match self.any {
            true => MOST,
            false => first + i64::from(self.symmetry.count),
        };
        match (first..end).contains(&number) {
            false => Ok(()),
            true => no("one of the processes is meant by its number"),
        }
    }

    /// A value is kept in a variable of a type and sort, and cutting it to the type makes no number of it that it was not.
    fn keeps(&mut self, who: Who, expr: &Expr, ty: Type, sort: Sort) -> Result<(), String> {
        if let (Sort::Number(_), Expr::Cond(_, a, b)) = (sort, expr) {
            self.keeps(who, a, ty, sort)?;
            return self.keeps(who, b, ty, sort);
        }
        let is_whole = match expr {
            _ if sort == Sort::Value => true,
            Expr::Const(value) => ty.truncate(*value) == *value,
            Expr::Load(place) => has_all(place.ty, ty),
            Expr::Pid => true,
            Expr::Binary(_, a, b) => [a, b]
                .into_iter()
                .all(|e| matches!(**e, Expr::Pid | Expr::Const(_))),
            _ => false,
        };
        match is_whole {
            true => self.compares(who, expr, sort),
            false => no("a number of a process may be cut when it is kept"),
        }
    }

    /// A type has all numbers of processes.
    fn is_wide(&self, ty: Type, sort: Sort) -> Result<(), String> {
        let Sort::Number(added) = sort else {
            return Ok(());
        };
        let (first, count) = (self.symmetry.first, self.symmetry.count);
        let ends = match self.any {
            true => [0, MOST as i32 - 1],
            false => [first as i32, (first + count) as i32 - 1],
        };
        let has = |number: i32| {
            number
                .checked_add(added)
                .is_some_and(|v| ty.truncate(v) == v)
        };
        match ends.into_iter().all(has) {
            true => Ok(()),
            false => no("a variable is too small for numbers of processes"),
        }
    }
}

/// Has the second type all values of the first?
fn has_all(from: Type, to: Type) -> bool {
    let can_be_negative = |ty: Type| matches!(ty, Type::Short | Type::Int);
    match (can_be_negative(from), can_be_negative(to)) {
        (true, false) => false,
        (false, true) => from.bits() < to.bits(),
        _ => from.bits() <= to.bits(),
    }
}

//! Random programs, not by way of any text: also such as no text gives.

use suppose_model::program::*;
use suppose_testkit::rng::Rng;

/// Shared variables: two bytes, a bit, an array of three shorts, two channels (one a rendezvous), a hidden byte.
const ARRAY: u32 = 3;
const CHANNELS: u32 = 6;
const HIDDEN: u32 = 8;

fn slot(name: &str, ty: Type, init: Init) -> Slot {
    Slot {
        name: name.to_owned(),
        ty,
        init,
        hidden: false,
        span: Default::default(),
    }
}

fn place(scope: Scope, base: u32, ty: Type) -> Place {
    Place {
        scope,
        base,
        indices: Vec::new(),
        ty,
    }
}

pub(super) fn program(rng: &mut Rng) -> Program {
    let mut program = Program {
        name: "random".to_owned(),
        uses_last: rng.percent(10),
        ..Program::default()
    };
    program.globals = vec![
        slot("a", Type::Byte, Init::Value(0)),
        slot("b", Type::Byte, Init::Value(1)),
        slot("f", Type::Bit, Init::Value(0)),
        slot("v[0]", Type::Short, Init::Value(-1)),
        slot("v[1]", Type::Short, Init::Value(0)),
        slot("v[2]", Type::Short, Init::Value(2)),
        slot("q", Type::Chan, Init::Channel(0)),
        slot("r", Type::Chan, Init::Channel(1)),
        slot("h", Type::Byte, Init::Value(0)),
    ];
    program.globals[HIDDEN as usize].hidden = true;
    let fields = vec![Type::Byte, Type::Unsigned(3)];
    program.channels = vec![
        ChannelKind {
            name: "q".to_owned(),
            capacity: rng.between(1, 3) as u32,
            fields: fields.clone(),
            span: Default::default(),
        },
        ChannelKind {
            name: "r".to_owned(),
            capacity: 0,
            fields,
            span: Default::default(),
        },
    ];
    let proctypes = rng.between(1, 3);
    let runs = rng.percent(30);
    for number in 0..proctypes {
        let proctype = proctype(rng, number, proctypes, runs);
        program.proctypes.push(proctype);
    }
    for _ in 0..rng.between(1, 3) {
        let proctype = rng.below(proctypes) as u32;
        program.start.push(Start {
            proctype,
            arguments: vec![rng.below(3) as i32],
            priority: 1,
        });
    }
    for number in 0..rng.below(3) {
        let claim = claim(rng, number, &program);
        program.claims.push(claim);
    }
    if rng.percent(50) {
        let events = events(rng);
        program.claims.push(events);
    }
    program
}

fn proctype(rng: &mut Rng, number: usize, proctypes: usize, runs: bool) -> Proctype {
    let size = rng.between(2, 6) as u32;
    let mut locals = vec![
        slot("p", Type::Byte, Init::Value(0)),
        slot("x", Type::Byte, Init::Value(2)),
        slot("c", Type::Chan, Init::Value(0)),
        slot(
            "y",
            Type::Int,
            Init::Expr(Expr::Load(place(Scope::Local, 0, Type::Byte))),
        ),
    ];
    if rng.percent(20) {
        locals.push(slot("own", Type::Chan, Init::Channel(rng.below(2) as u32)));
    }
    let keeps: Vec<Keep> = (0..size)
        .map(|at| match rng.below(10) {
            0 | 1 => Keep::Atomic,
            2 if at + 1 < size => Keep::DStep,
            _ => Keep::Nothing,
        })
        .collect();
    let mut locations = Vec::new();
    for at in 0..size {
        let mut location = Location {
            keep: keeps[at as usize],
            end: rng.percent(20),
            ..Location::default()
        };
        if at + 1 == size && rng.percent(70) {
            let end = edge(Action::End, 0, 0);
            location.edges.push(end);
        } else {
            let edges = rng.between(1, 3);
            let ranks = if rng.percent(15) { 2 } else { 1 };
            for e in 0..edges {
                let action = match (e > 0 && rng.percent(20), runs) {
                    (true, _) => Action::Else,
                    (_, true) if location.keep == Keep::Nothing && rng.percent(8) => Action::Run {
                        proctype: rng.below(proctypes) as u32,
                        arguments: vec![expr(rng, 1)],
                        priority: 1,
                        result: rng.percent(50).then(|| place(Scope::Local, 1, Type::Byte)),
                    },
                    _ => action(rng),
                };
                // Inside a d_step it goes forward, so that it ends.
                let target = match location.keep {
                    Keep::DStep => rng.between(at as usize + 1, size as usize - 1) as u32,
                    _ => rng.below(size as usize) as u32,
                };
                location
                    .edges
                    .push(edge(action, target, rng.below(ranks) as u8));
            }
        }
        locations.push(location);
    }
    Proctype {
        promises: Vec::new(),
        name: format!("P{number}"),
        parameters: 1,
        locals,
        locations,
        entry: rng.below(size as usize - 1) as u32,
        provided: rng.percent(10).then(|| expr(rng, 1)),
        span: Default::default(),
    }
}

fn edge(action: Action, target: u32, rank: u8) -> Edge {
    Edge {
        d_step: false,
        action,
        target,
        rank,
        text: String::new(),
        span: Default::default(),
        number: None,
    }
}

fn variable(rng: &mut Rng) -> Place {
    match rng.below(10) {
        0..=2 => place(Scope::Local, 1, Type::Byte),
        3 => place(Scope::Local, 3, Type::Int),
        4 | 5 => place(Scope::Global, rng.below(2) as u32, Type::Byte),
        6 => place(Scope::Global, 2, Type::Bit),
        7 => place(Scope::Global, HIDDEN, Type::Byte),
        _ => Place {
            indices: vec![Index {
                expr: match rng.percent(70) {
                    true => Expr::Const(rng.below(3) as i32),
                    false => expr(rng, 0),
                },
                bound: 3,
                stride: 1,
            }],
            ..place(Scope::Global, ARRAY, Type::Short)
        },
    }
}

fn channel(rng: &mut Rng) -> Expr {
    match rng.below(12) {
        0 => Expr::Load(place(Scope::Local, 2, Type::Chan)),
        n => Expr::Load(place(Scope::Global, CHANNELS + (n % 2) as u32, Type::Chan)),
    }
}

fn boxed(rng: &mut Rng, depth: usize) -> Box<Expr> {
    Box::new(expr(rng, depth))
}

/// Values stay small, so that there are few states.
fn small(rng: &mut Rng) -> Expr {
    let value = boxed(rng, 1);
    Expr::Binary(Binary::Rem, value, Box::new(Expr::Const(3)))
}

pub(super) fn expr(rng: &mut Rng, depth: usize) -> Expr {
    let leaf = depth == 0 || rng.percent(40);
    match (leaf, rng.below(14)) {
        (true, 0..=4) => Expr::Const(rng.below(4) as i32),
        (true, 5) => Expr::Pid,
        (true, 6) => Expr::Load(place(Scope::Local, 0, Type::Byte)),
        (true, _) => Expr::Load(variable_simple(rng)),
        (false, 0..=5) => {
            use Binary::*;
            let ops = [
                Add, Sub, Mul, Div, Rem, Lt, Le, Gt, Ge, Eq, Ne, And, Or, BitXor, Shl,
            ];
            let op = *rng.pick(&ops).unwrap_or(&Eq);
            Expr::Binary(op, boxed(rng, depth - 1), boxed(rng, depth - 1))
        }
        (false, 6) => Expr::Unary(Unary::Not, boxed(rng, depth - 1)),
        (false, 7) => Expr::Cond(
            boxed(rng, depth - 1),
            boxed(rng, depth - 1),
            boxed(rng, depth - 1),
        ),
        (false, 8) => match rng.below(3) {
            0 => Expr::Len(Box::new(channel(rng))),
            1 => Expr::Full(Box::new(channel(rng))),
            _ => Expr::Empty(Box::new(channel(rng))),
        },
        (false, 9) => Expr::Poll {
            channel: Box::new(channel(rng)),
            patterns: vec![Pattern::Match(expr(rng, 0)), Pattern::Ignore],
            any: rng.percent(50),
        },
        (false, 10) => Expr::Processes,
        (false, 11) => Expr::At {
            proctype: 0,
            process: rng.percent(50).then(|| boxed(rng, 0)),
            locations: vec![0, 1],
        },
        (false, 12) => Expr::Remote {
            proctype: 0,
            process: rng.percent(50).then(|| boxed(rng, 0)),
            place: place(Scope::Local, 1, Type::Byte),
        },
        (false, _) => Expr::PcValue(boxed(rng, 0)),
    }
}

fn variable_simple(rng: &mut Rng) -> Place {
    match rng.below(5) {
        0 | 1 => place(Scope::Local, 1, Type::Byte),
        2 => place(Scope::Global, 2, Type::Bit),
        n => place(Scope::Global, n as u32 - 3, Type::Byte),
    }
}

fn pattern(rng: &mut Rng) -> Pattern {
    match rng.below(4) {
        0 => Pattern::Match(Expr::Const(rng.below(3) as i32)),
        1 => Pattern::Ignore,
        _ => Pattern::Store(variable(rng)),
    }
}

fn action(rng: &mut Rng) -> Action {
    match rng.below(20) {
        0..=2 => Action::Guard(expr(rng, 2)),
        3 => Action::Guard(Expr::Const(1)),
        4 => Action::Guard(Expr::Timeout),
        5..=9 => {
            let value = small(rng);
            Action::Assign(variable(rng), value)
        }
        10 => {
            let to = Expr::Load(place(
                Scope::Global,
                CHANNELS + rng.below(2) as u32,
                Type::Chan,
            ));
            Action::Assign(place(Scope::Local, 2, Type::Chan), to)
        }
        11 => Action::Assert(Expr::Binary(
            Binary::Or,
            boxed(rng, 1),
            Box::new(Expr::Const(i32::from(rng.percent(85)))),
        )),
        12..=15 => Action::Send {
            channel: channel(rng),
            values: vec![small(rng), expr(rng, 1)],
            sorted: rng.percent(25),
        },
        _ => Action::Receive {
            channel: channel(rng),
            patterns: vec![pattern(rng), pattern(rng)],
            any: rng.percent(30),
            keep: rng.percent(15),
        },
    }
}

fn claim(rng: &mut Rng, number: usize, program: &Program) -> Claim {
    let size = rng.between(2, 4) as u32;
    let end = size - 1;
    let mut locations = Vec::new();
    for at in 0..size {
        let mut location = Location::default();
        let edges = if at == end { 0 } else { rng.between(1, 3) };
        for e in 0..edges {
            let action = match rng.below(6) {
                0 if e > 0 => Action::Else,
                1 => Action::Guard(Expr::Const(1)),
                2 if program.proctypes.len() > 1 => Action::Guard(Expr::Timeout),
                _ => Action::Guard(expr(rng, 2)),
            };
            location
                .edges
                .push(edge(action, rng.below(size as usize) as u32, 0));
        }
        locations.push(location);
    }
    Claim {
        name: format!("c{number}"),
        locations,
        entry: 0,
        end,
        text: String::new(),
        span: Default::default(),
        events: None,
        formula: None,
    }
}

/// A claim on messages. Most events are allowed in most places, so that runs get somewhere.
fn events(rng: &mut Rng) -> Claim {
    let size = rng.between(2, 4) as u32;
    let end = size - 1;
    let forbidden = rng.percent(40);
    let mut places = vec![EventPlace::default(); size as usize];
    for place in &mut places[..end as usize] {
        place.rest = rng.percent(60);
        for _ in 0..rng.between(1, 4) {
            let channel = CHANNELS + rng.below(2) as u32;
            let named = self::place(Scope::Global, channel, Type::Chan);
            let field = |rng: &mut Rng| rng.percent(40).then(|| rng.below(3) as i32);
            place.ways.push(Event {
                channel: Expr::Load(named),
                sent: rng.percent(60),
                fields: (0..rng.below(3)).map(|_| field(rng)).collect(),
                target: rng.below(size as usize) as u32,
            });
        }
    }
    places[end as usize].rest = true;
    Claim {
        name: "events".to_owned(),
        locations: Vec::new(),
        entry: 0,
        end,
        text: String::new(),
        span: Default::default(),
        events: Some(Events { forbidden, places }),
        formula: None,
    }
}

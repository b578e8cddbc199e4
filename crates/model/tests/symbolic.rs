//! Expressions of finite-domain systems: sorts bound values, and what is said to be defined is.

#![allow(clippy::unwrap_used)]

use suppose_model::fsm::{
    BinaryOp, Cast, EvaluationError, Evaluator, ExprId, Node, Simulator, Sort, System, Type,
    Valuation, Value, VarId, VariableKind, When, Word,
};
use suppose_source::Span;
use suppose_testkit::{Rng, for_each_seed};

struct Under(Vec<Value>);

impl Valuation for Under {
    fn current(&self, var: VarId) -> Option<Value> {
        self.0.get(var.index()).cloned()
    }

    fn next(&self, _: VarId) -> Option<Value> {
        None
    }
}

fn types() -> Vec<Type> {
    let word = |signed| Type::Word { signed, width: 2 };
    vec![Type::Boolean, Type::Range(-1, 2), word(false), word(true)]
}

const OPERATORS: [BinaryOp; 21] = [
    BinaryOp::Implies,
    BinaryOp::Iff,
    BinaryOp::Xor,
    BinaryOp::Xnor,
    BinaryOp::Equal,
    BinaryOp::Unequal,
    BinaryOp::Less,
    BinaryOp::AtMost,
    BinaryOp::Greater,
    BinaryOp::AtLeast,
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Modulo,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::Concatenate,
    BinaryOp::In,
    BinaryOp::Max,
    BinaryOp::Min,
];

fn node(rng: &mut Rng, exprs: &[ExprId]) -> Node {
    let mut one = || *rng.pick(exprs).unwrap();
    let (a, b, c) = (one(), one(), one());
    let casts = [
        Cast::Bool,
        Cast::Word1,
        Cast::ToInt,
        Cast::Signed,
        Cast::Unsigned,
        Cast::Extend(1),
        Cast::Resize(1),
        Cast::Resize(3),
        Cast::Abs,
    ];
    match rng.below(12) {
        0 => Node::Not(a),
        1 => Node::Negate(a),
        2 => Node::And([a, b, c].into()),
        3 => Node::Or([a, b].into()),
        4 | 5 => Node::Ite(a, b, c),
        6 => Node::Set([a, b].into()),
        7 => Node::Bits(a, rng.below(3) as u32, rng.below(2) as u32),
        8 => Node::Cast(*rng.pick(&casts).unwrap(), a),
        9 => Node::Count([a, b].into()),
        _ => Node::Binary(*rng.pick(&OPERATORS).unwrap(), a, b),
    }
}

/// All valuations of the variables.
fn valuations() -> Vec<Under> {
    let mut all = vec![vec![]];
    for ty in types() {
        let longer = |v: &Vec<Value>| {
            let v = v.clone();
            ty.values()
                .map(move |x| [v.clone(), vec![x]].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.into_iter().map(Under).collect()
}

fn inside(sort: Sort, value: &Value) -> bool {
    match (sort, value) {
        (Sort::Integer(low, high), Value::Int(n)) => (low..=high).contains(n),
        (sort, value) => sort == Sort::of(value),
    }
}

#[test]
fn sorts_bound_values_and_defined_says_where_they_are() {
    let valuations = valuations();
    assert_eq!(valuations.len(), 2 * 4 * 4 * 4);
    let mut failed = 0;
    for_each_seed(300, |rng| {
        let mut system = System::default();
        let mut exprs: Vec<ExprId> = Vec::new();
        for (i, ty) in types().into_iter().enumerate() {
            let var =
                system.add_variable(&format!("v{i}"), ty, VariableKind::State, Span::default());
            exprs.push(system.exprs.current(var));
        }
        exprs.push(system.exprs.value(Value::Int(0)));
        let nothing = Node::EvaluationError(EvaluationError::NoCase(Span::default()));
        exprs.push(system.exprs.make(nothing).unwrap());
        for _ in 0..25 {
            let node = node(rng, &exprs);
            if let Ok(made) = system.exprs.make(node) {
                exprs.push(made);
            }
        }
        for expr in exprs {
            let defined = system.exprs.defined(expr);
            let mut evaluator = Evaluator::new(&system.exprs);
            for under in &valuations {
                let values = evaluator.values(expr, under);
                let there = evaluator.holds(defined, under);
                let shown = system.printer().expr(expr);
                assert_eq!(there, Ok(values.is_ok()), "{shown} under {:?}", under.0);
                failed += usize::from(values.is_err());
                let Ok(values) = values else {
                    assert!(system.exprs.may_fail(expr), "{shown} under {:?}", under.0);
                    continue;
                };
                let sort = system.exprs.sort(expr);
                let fits = |v: &Value| inside(sort, v);
                assert!(
                    values.as_slice().iter().all(fits),
                    "{shown}: {values:?}, {sort:?}"
                );
                assert!(system.exprs.is_set(expr) || values.as_slice().len() == 1);
            }
        }
    });
    assert!(failed > 0);
}

#[test]
fn domains_number_their_values() {
    let listed = Type::Enumeration([Value::Int(7), Value::Int(-1)].into());
    for ty in types().into_iter().chain([listed]) {
        let values: Vec<Value> = ty.values().collect();
        assert_eq!(values.len() as u128, ty.size());
        for (i, value) in values.into_iter().enumerate() {
            let code = ty.code(&value).unwrap();
            let sum = code
                .iter()
                .rev()
                .fold(0, |sum, bit| sum * 2 + usize::from(*bit));
            assert_eq!((code.len(), sum), (ty.bits(), i));
            assert_eq!(ty.read(|at| code[at]), Some(value));
        }
        assert_eq!(ty.value(ty.size()), None);
    }
    let all = Type::Word {
        signed: true,
        width: 64,
    };
    let last = Value::Word(Word::new(true, 64, u64::MAX));
    assert_eq!(all.value(all.size() - 1), Some(last));
}

/// A counter modulo 3 with an input that holds it.
#[test]
fn steps_choose_inputs() {
    let mut system = System::default();
    let span = Span::default();
    let hold = system.add_variable("hold", Type::Boolean, VariableKind::Input, span);
    let n = system.add_variable("n", Type::Range(0, 2), VariableKind::State, span);
    let (now, one) = (system.exprs.current(n), system.exprs.value(Value::Int(1)));
    let three = system.exprs.value(Value::Int(3));
    let sum = system
        .exprs
        .make(Node::Binary(BinaryOp::Add, now, one))
        .unwrap();
    let sum = system
        .exprs
        .make(Node::Binary(BinaryOp::Modulo, sum, three))
        .unwrap();
    let held = system.exprs.current(hold);
    let next = system.exprs.make(Node::Ite(held, now, sum)).unwrap();
    let zero = system.exprs.value(Value::Int(0));
    for (when, value) in [(When::Init, zero), (When::Next, next)] {
        system.assignments.push(suppose_model::fsm::Assignment {
            var: n,
            when,
            value,
            span,
        });
    }
    let mut simulator = Simulator::new(&system, 1_000);
    let graph = simulator.explore(10).unwrap();
    assert_eq!((graph.states.len(), graph.diameter()), (3, 3));
    assert_eq!(graph.edges.iter().map(Vec::len).sum::<usize>(), 6);
    let (zero, one) = ([Value::Int(0)], [Value::Int(1)]);
    let (yes, no) = ([Value::Bool(true)], [Value::Bool(false)]);
    assert_eq!(simulator.is_step(&zero, &no, &one), Ok(true));
    assert_eq!(simulator.is_step(&zero, &yes, &one), Ok(false));
    assert_eq!(simulator.is_step(&zero, &[], &one), Ok(false));
    assert_eq!(simulator.is_initial(&[Value::Int(3)]), Ok(false));
    assert!(Simulator::new(&system, 2).explore(10).is_err());
}

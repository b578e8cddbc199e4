//! Satisfiability of random circuits against trying all inputs.
#![allow(clippy::unwrap_used)]

use suppose_aig::{Circuit, Lit, SatResult, Solver};
use suppose_control::{Context, Stopped};
use suppose_testkit::Rng;

/// Wires of a random circuit with so many inputs.
fn random(rng: &mut Rng, inputs: usize, gates: usize) -> (Circuit, Vec<Lit>) {
    let mut circuit = Circuit::new();
    let mut wires: Vec<Lit> = (0..inputs).map(|_| circuit.input()).collect();
    wires.push(Lit::TRUE);
    for _ in 0..gates {
        let mut pick = || {
            let wire = rng.pick(&wires).copied().unwrap();
            wire.when(rng.percent(50))
        };
        let (a, b, c) = (pick(), pick(), pick());
        let made = match rng.below(6) {
            0 => circuit.and(a, b),
            1 => circuit.or(a, b),
            2 => circuit.xor(a, b),
            3 => circuit.iff(a, b),
            4 => circuit.ite(a, b, c),
            _ => circuit.any([a, b, c]),
        };
        wires.push(made);
    }
    (circuit, wires)
}

fn holds(truth: &[bool], lit: Lit) -> bool {
    truth[lit.node()] != lit.is_negated()
}

/// Is there an input under which all are true?
fn possible(circuit: &Circuit, lits: &[Lit], clauses: &[Vec<Lit>]) -> bool {
    (0..1usize << circuit.inputs()).any(|bits| {
        let truth = circuit.evaluate(|i| bits >> i & 1 == 1);
        let met = |clause: &Vec<Lit>| clause.iter().any(|l| holds(&truth, *l));
        lits.iter().all(|l| holds(&truth, *l)) && clauses.iter().all(met)
    })
}

#[test]
fn random_circuits_are_solved_as_by_trying_all_inputs() {
    let mut found = [0; 2];
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let (circuit, wires) = random(&mut rng, 6, 25);
        let mut solver = Solver::new();
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for round in 0..8 {
            let mut pick = || {
                let wire = rng.pick(&wires).copied().unwrap();
                wire.when(rng.percent(50))
            };
            if round % 2 == 1 {
                let clause: Vec<Lit> = (0..3).map(|_| pick()).collect();
                solver.add(&circuit, &clause);
                clauses.push(clause);
            }
            let assumptions: Vec<Lit> = (0..4).map(|_| pick()).collect();
            let answer = solver.solve(&circuit, &assumptions).unwrap();
            let expected = possible(&circuit, &assumptions, &clauses);
            assert_eq!(answer == SatResult::Sat, expected, "seed {seed}");
            found[usize::from(expected)] += 1;
            match answer {
                SatResult::Sat => {
                    let model = solver.model(&circuit);
                    assert!(assumptions.iter().all(|l| model.holds(*l)), "seed {seed}");
                    assert!(assumptions.iter().all(|l| solver.value(*l) == Some(true)));
                    for clause in &clauses {
                        assert!(clause.iter().any(|l| model.holds(*l)), "seed {seed}");
                    }
                }
                SatResult::Unsat => {
                    let core = solver.core();
                    assert!(core.iter().all(|l| assumptions.contains(l)), "seed {seed}");
                    assert!(!possible(&circuit, &core, &clauses), "seed {seed}");
                }
            }
        }
    }
    assert!(found.iter().all(|n| *n > 100), "{found:?}");
}

#[test]
fn gates_do_what_they_are_called() {
    let mut c = Circuit::new();
    let [x, y, z] = [c.input(), c.input(), c.input()];
    let made = [
        c.and(x, y),
        c.or(x, y),
        c.xor(x, y),
        c.iff(x, y),
        c.implies(x, y),
        c.ite(x, y, z),
        c.ite(x, y, !y),
        c.xor(x, Lit::TRUE),
        c.all([x, y, z]),
        c.any([x, y, z]),
    ];
    for bits in 0..8usize {
        let truth = c.evaluate(|i| bits >> i & 1 == 1);
        let [a, b, d] = [0, 1, 2].map(|i| bits >> i & 1 == 1);
        let expected = [
            a && b,
            a || b,
            a != b,
            a == b,
            !a || b,
            if a { b } else { d },
            a == b,
            !a,
            a && b && d,
            a || b || d,
        ];
        assert_eq!(made.map(|l| holds(&truth, l)), expected);
    }
    assert_eq!(c.and(x, !x), Lit::FALSE);
    assert_eq!(c.and(y, x), c.and(x, y));
    assert_eq!(c.ite(Lit::FALSE, x, y), y);
}

#[test]
fn contradicting_assumptions_are_the_core() {
    let mut circuit = Circuit::new();
    let (x, y) = (circuit.input(), circuit.input());
    let mut solver = Solver::new();
    let answer = solver.solve(&circuit, &[x, y, !x]).unwrap();
    assert_eq!(answer, SatResult::Unsat);
    assert_eq!(solver.core(), [x, !x]);
    let answer = solver.solve(&circuit, &[y, Lit::FALSE]).unwrap();
    assert_eq!(answer, SatResult::Unsat);
    assert_eq!(solver.core(), [Lit::FALSE]);
    assert_eq!(solver.solve(&circuit, &[y, Lit::TRUE]), Ok(SatResult::Sat));
    solver.add(&circuit, &[]);
    assert_eq!(solver.solve(&circuit, &[]), Ok(SatResult::Unsat));
    assert_eq!(solver.core(), []);
}

#[test]
fn a_search_can_be_ended() {
    // Pigeons: one more than there are holes.
    let mut circuit = Circuit::new();
    let sits: Vec<Vec<Lit>> = (0..12)
        .map(|_| (0..11).map(|_| circuit.input()).collect())
        .collect();
    let mut solver = Solver::under(&Context::default().with_work(16));
    for pigeon in &sits {
        solver.add(&circuit, pigeon);
    }
    for hole in 0..11 {
        for (i, a) in sits.iter().enumerate() {
            for b in &sits[..i] {
                solver.add(&circuit, &[!a[hole], !b[hole]]);
            }
        }
    }
    assert_eq!(solver.solve(&circuit, &[]), Err(Stopped::Superseded));
}

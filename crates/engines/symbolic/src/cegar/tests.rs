use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::Value;
use suppose_testkit::Rng;
use suppose_testkit::smv::{Shape, random};

use super::map::{Classes, Map};
use super::model::Maker;
use super::parts::parts;
use super::*;
use crate::bdd::{Bdd, Bdds};
use crate::encode::Encoder;
use crate::relation::Relation;

fn system(text: &str) -> System {
    match read_text("test.smv", text, Dialect::NuSmv) {
        Ok((read, _)) => read.system,
        Err(_) => panic!("not read: {text}"),
    }
}

/// Figure 1.
const FIGURE_1: &str = "MODULE main
VAR x : 0..2; y : 0..2; reset : boolean;
ASSIGN
init(x) := 0;
next(x) := case reset = TRUE : 0; x < y : x + 1; x = y : 0; TRUE : x; esac;
init(y) := 1;
next(y) := case reset = TRUE : 0; x = y & !(y = 2) : y + 1; x = y : 0; TRUE : y; esac;
INVARSPEC x = y | x < y | TRUE
";

#[test]
fn the_first_abstraction_of_example_4_1_has_five_classes() {
    let given = system(FIGURE_1);
    let mut task = task::task(&given, &given.properties[0].question, true).expect("a task");
    let atoms = task.atoms();
    let cx = Context::default();
    let bdds = Bdds::new(cx.clone());
    let (mut map, mut encoder) = Map::new(&task.system, &atoms, task.own, None, &bdds);
    map.split_by_atoms(&mut encoder, &atoms, task.own, None, &cx)
        .expect("not stopped");
    let sizes: Vec<usize> = map.clusters.iter().map(|c| c.vars.len()).collect();
    assert_eq!(sizes, [2, 1]);
    assert_eq!(map.clusters[1].classes, Classes::Exact);
    let Classes::Some(classes) = &map.clusters[0].classes else {
        panic!("x and y are abstracted");
    };
    let mut shown: Vec<Vec<(i64, i64)>> = classes
        .iter()
        .map(|class| pairs(class, &map, &encoder))
        .collect();
    shown.sort();
    assert_eq!(
        shown,
        [
            vec![(0, 0), (1, 1)],
            vec![(0, 1)],
            vec![(0, 2), (1, 2)],
            vec![(1, 0), (2, 0), (2, 1)],
            vec![(2, 2)],
        ]
    );
}

fn pairs(class: &Bdd, map: &Map, encoder: &Encoder<'_>) -> Vec<(i64, i64)> {
    let vars = &map.clusters[0].vars;
    let layout = encoder.layout();
    let mut found = Vec::new();
    for x in 0..3 {
        for y in 0..3 {
            let mut literals = Vec::new();
            for (var, value) in vars.iter().zip([x, y]) {
                let slot = &layout.states[encoder.system().variable(*var).slot];
                literals.extend(slot.literals(&Value::Int(value), false).expect("a value"));
            }
            let one = encoder.bdds().minterm(&literals).expect("not stopped");
            if one.is_within(class).expect("not stopped") {
                found.push((x, y));
            }
        }
    }
    found
}

/// All steps of an abstract system as one function.
fn whole(relation: &Relation) -> Bdd {
    let mut all = relation.states().clone();
    for cluster in relation.clusters() {
        all = all.and(cluster).expect("not stopped");
    }
    all
}

/// The existential abstraction by its definition: everything together, then quantified.
fn by_definition(map: &Map, encoder: &mut Encoder<'_>) -> (Bdd, Bdd) {
    let relation = Relation::new(encoder, RelationOptions::default()).expect("not stopped");
    let steps = model::existential(vec![whole(&relation)], map, encoder).expect("not stopped");
    let init = model::existential(vec![relation.init().clone()], map, encoder);
    (steps, init.expect("not stopped"))
}

#[test]
fn approximation_lies_between_early_and_exact_as_lemma_5_1_says() {
    let (mut strictly, mut all) = (0, 0);
    for seed in 0..150 {
        let shape = Shape {
            variables: 4,
            ..Shape::default()
        };
        let text = random(&mut Rng::new(seed), shape);
        let given = system(&text);
        for property in given.properties.iter().take(8) {
            let Ok(mut task) = task::task(&given, &property.question, false) else {
                continue;
            };
            let atoms = task.atoms();
            let cx = Context::default();
            let bdds = Bdds::new(cx.clone());
            let (mut map, mut encoder) = Map::new(&task.system, &atoms, task.own, Some(0), &bdds);
            map.split_by_atoms(&mut encoder, &atoms, task.own, Some(0), &cx)
                .expect("not stopped");
            let (steps, init) = by_definition(&map, &mut encoder);
            let mut made = [Early::Never, Early::Auto, Early::Always].map(|early| {
                let options = CegarOptions {
                    early,
                    ..CegarOptions::default()
                };
                let mut maker = Maker::new(parts(&task.system), options);
                let relation = maker
                    .relation(&map, &mut encoder, &cx)
                    .expect("not stopped");
                (whole(&relation), relation.init().clone())
            });
            let name = format!("seed {seed}, {:?}\n{text}", property.name);
            assert_eq!(made[0], (steps, init), "{name}");
            for pair in made.windows(2) {
                assert!(
                    pair[0].0.is_within(&pair[1].0).expect("not stopped"),
                    "{name}"
                );
                assert!(
                    pair[0].1.is_within(&pair[1].1).expect("not stopped"),
                    "{name}"
                );
            }
            all += 1;
            made.reverse();
            strictly += usize::from(made[0].0 != made[2].0);
        }
    }
    println!("early approximation is not exact in {strictly} of {all}");
    assert!(strictly > 10 && strictly < all);
}

/// What is free, or left out, only adds steps.
#[test]
fn expressions_that_are_not_looked_into_only_add_steps() {
    let (mut wider, mut all) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let text = random(&mut rng, Shape::default());
        let given = system(&text);
        let Some(property) = given.properties.iter().rev().nth(rng.below(4)) else {
            continue;
        };
        let Ok(mut task) = task::task(&given, &property.question, false) else {
            continue;
        };
        let atoms = task.atoms();
        let cx = Context::default();
        let bdds = Bdds::new(cx.clone());
        let (mut map, mut encoder) = Map::new(&task.system, &atoms, task.own, None, &bdds);
        map.split_by_atoms(&mut encoder, &atoms, task.own, None, &cx)
            .expect("not stopped");
        let (steps, init) = by_definition(&map, &mut encoder);
        let mut free = map.spare.iter();
        for part in parts(&task.system) {
            for leaf in part
                .expr()
                .map_or_else(Vec::new, |e| atoms::leaves(&task.system, e))
            {
                if rng.percent(40)
                    && let Some(bit) = free.next()
                {
                    encoder.cut(leaf, bdds.literal(*bit, true).expect("not stopped"));
                }
            }
        }
        let mut maker = Maker::new(parts(&task.system), CegarOptions::default());
        let relation = maker
            .relation(&map, &mut encoder, &cx)
            .expect("not stopped");
        let name = format!("seed {seed}, {:?}\n{text}", property.name);
        let made = whole(&relation);
        assert!(steps.is_within(&made).expect("not stopped"), "{name}");
        assert!(
            init.is_within(relation.init()).expect("not stopped"),
            "{name}"
        );
        all += 1;
        wider += usize::from(made != steps);
    }
    println!("wider in {wider} of {all}");
    assert!(wider > 20);
}

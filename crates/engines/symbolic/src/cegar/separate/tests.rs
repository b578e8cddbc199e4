use suppose_control::Context;
use suppose_testkit::Rng;

use super::*;

/// Clusters of some bits each, all of whose valuations are one class.
fn sides(bdds: &Bdds, widths: &[usize]) -> Vec<Side> {
    let side = |width: &usize| Side {
        bits: (0..*width).map(|_| bdds.var(0)).collect(),
        class: bdds.constant(true),
    };
    widths.iter().map(side).collect()
}

/// A valuation of the bits of a side.
fn value(bdds: &Bdds, side: &Side, number: usize) -> Bdd {
    let bits = side.bits.iter().enumerate();
    let literals: Vec<(Var, bool)> = bits.map(|(at, v)| (*v, number >> at & 1 == 1)).collect();
    bdds.minterm(&literals).expect("not stopped")
}

/// The valuations in a set of valuations of one side.
fn members(bdds: &Bdds, side: &Side, set: &Bdd) -> Vec<usize> {
    let all = 0..1 << side.bits.len();
    let is_in = |n: &usize| value(bdds, side, *n).is_within(set).expect("not stopped");
    all.filter(is_in).collect()
}

fn any(bdds: &Bdds, sets: impl IntoIterator<Item = Bdd>) -> Bdd {
    let none = bdds.constant(false);
    let mut sets = sets.into_iter();
    sets.try_fold(none, |all, set| all.or(&set))
        .expect("not stopped")
}

/// Figure 7: columns 3, 4, 5 and rows 7, 8, 9; `1` is bad, `0` dead-end.
const FIGURE: [(usize, [char; 3]); 3] = [
    (7, ['1', 'x', 'x']),
    (8, ['0', 'x', '1']),
    (9, ['x', '0', '0']),
];

fn figure(how: Separation) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let bdds = Bdds::new(Context::default());
    let mut sides = sides(&bdds, &[4, 4]);
    for (side, values) in sides.iter_mut().zip([[3, 4, 5], [7, 8, 9]]) {
        let all: Vec<Bdd> = values.iter().map(|n| value(&bdds, side, *n)).collect();
        side.class = any(&bdds, all);
    }
    let cells = |wanted: char| {
        let mut sets = Vec::new();
        for (row, cells) in FIGURE {
            for (at, _) in cells.iter().enumerate().filter(|(_, c)| **c == wanted) {
                let column = value(&bdds, &sides[0], 3 + at);
                sets.push(
                    column
                        .and(&value(&bdds, &sides[1], row))
                        .expect("not stopped"),
                );
            }
        }
        any(&bdds, sets)
    };
    let (dead, bad) = (cells('0'), cells('1'));
    let separated = separate(&bdds, &sides, &dead, &bad, how, 100).expect("not stopped");
    let mut shown = separated.iter().zip(&sides).map(|(parts, side)| {
        let parts = parts.as_ref().expect("few parts");
        let mut parts: Vec<Vec<usize>> = parts.iter().map(|p| members(&bdds, side, p)).collect();
        parts.sort();
        parts
    });
    (shown.next().expect("two"), shown.next().expect("two"))
}

#[test]
fn the_paper_separates_figure_7_into_six_classes() {
    let (columns, rows) = figure(Separation::Paper);
    assert_eq!(columns, [vec![3], vec![4, 5]]);
    assert_eq!(rows, [vec![7], vec![8], vec![9]]);
}

#[test]
fn squeezing_separates_figure_7_into_the_four_classes_of_case_b() {
    let (columns, rows) = figure(Separation::Squeezed);
    assert_eq!(columns, [vec![3], vec![4, 5]]);
    assert_eq!(rows, [vec![7, 9], vec![8]]);
}

/// Every way to put numbers below `n` into classes.
fn partitions(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for _ in 0..n {
        all = all
            .into_iter()
            .flat_map(|p: Vec<usize>| {
                let classes = p.iter().max().map_or(0, |m| m + 1);
                (0..=classes).map(move |c| [p.clone(), vec![c]].concat())
            })
            .collect();
    }
    all
}

/// The fewest classes that separate, by trying all partitions of both sides.
fn fewest(cells: &[Vec<u8>]) -> usize {
    let (rows, columns) = (partitions(cells.len()), partitions(cells[0].len()));
    let mut best = usize::MAX;
    for r in &rows {
        for c in &columns {
            let count = |p: &Vec<usize>| p.iter().max().map_or(0, |m| m + 1);
            let size = count(r) * count(c);
            let mut seen = vec![None; size];
            let mut apart = size < best;
            for (i, line) in cells.iter().enumerate() {
                for (j, cell) in line.iter().enumerate().filter(|(_, c)| **c < 2) {
                    let class = &mut seen[r[i] * count(c) + c[j]];
                    apart &= class.is_none_or(|other| other == *cell);
                    *class = Some(*cell);
                }
            }
            if apart {
                best = size;
            }
        }
    }
    best
}

#[test]
fn random_sets_are_separated_and_most_coarsely_without_irrelevant_states() {
    let (mut squeezed_better, mut best) = (0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let irrelevant = rng.percent(50);
        let cells: Vec<Vec<u8>> = (0..4)
            .map(|_| {
                let kinds = if irrelevant { 3 } else { 2 };
                (0..4).map(|_| rng.below(kinds) as u8).collect()
            })
            .collect();
        let bdds = Bdds::new(Context::default());
        let sides = sides(&bdds, &[2, 2]);
        let set = |wanted: u8| {
            let mut sets = Vec::new();
            for (i, line) in cells.iter().enumerate() {
                for (j, _) in line.iter().enumerate().filter(|(_, c)| **c == wanted) {
                    let row = value(&bdds, &sides[0], i);
                    sets.push(row.and(&value(&bdds, &sides[1], j)).expect("not stopped"));
                }
            }
            any(&bdds, sets)
        };
        let (dead, bad) = (set(0), set(1));
        let mut sizes = Vec::new();
        for how in [Separation::Paper, Separation::Squeezed] {
            let separated = separate(&bdds, &sides, &dead, &bad, how, 100).expect("not stopped");
            let parts: Vec<&Vec<Bdd>> = separated.iter().flatten().collect();
            assert_eq!(parts.len(), 2, "seed {seed}");
            for (side, parts) in sides.iter().zip(&parts) {
                let all: usize = parts.iter().map(|p| members(&bdds, side, p).len()).sum();
                assert_eq!(all, 4, "seed {seed}: parts meet");
                assert!(any(&bdds, parts.iter().cloned()).is_true());
            }
            for row in parts[0] {
                for column in parts[1] {
                    let product = row.and(column).expect("not stopped");
                    let meets = |set: &Bdd| product.meets(set).expect("not stopped");
                    assert!(!(meets(&dead) && meets(&bad)), "seed {seed}: not apart");
                }
            }
            sizes.push(parts[0].len() * parts[1].len());
        }
        let least = fewest(&cells);
        if !irrelevant {
            assert_eq!(sizes, [least, least], "seed {seed}");
        }
        assert!(least <= sizes[1] && sizes[1] <= sizes[0], "seed {seed}");
        squeezed_better += usize::from(sizes[1] < sizes[0]);
        best += usize::from(sizes[1] == least);
    }
    println!("squeezed is coarser in {squeezed_better} of 400, coarsest in {best}");
    assert!(squeezed_better > 50);
}

//! What C programs become: how many predicates and clauses, over which variables.

#![allow(clippy::unwrap_used)]

use suppose_frontends::c::{COptions, CProgram, Integers, read_text};
use suppose_model::chc::Sort;

fn read_with(text: &str, options: &COptions) -> CProgram {
    match read_text("p.c", text, options) {
        Ok((program, _)) => program,
        Err((error, sources)) => panic!("{}", error.render(&sources, false)),
    }
}

/// Without bounds, and so without what the interval analysis decides beforehand: only the shape of the clauses counts here.
fn plain() -> COptions {
    COptions {
        integers: Integers::Mathematical,
        ..COptions::default()
    }
}

fn read(text: &str) -> CProgram {
    read_with(text, &plain())
}

/// Name and parameters of each predicate.
fn predicates(program: &CProgram) -> Vec<String> {
    let horn = program.horn();
    let shown = |p: &suppose_model::chc::Predicate| {
        let names: Vec<&str> = p.formals.iter().map(|v| horn.terms.name(*v)).collect();
        format!("{}({})", p.name, names.join(", "))
    };
    horn.predicates.iter().map(shown).collect()
}

/// For each clause the number of its predicates, and whether it has a head.
fn shapes(program: &CProgram) -> Vec<(usize, bool)> {
    let clauses = program.horn().clauses.iter();
    clauses.map(|c| (c.body.len(), c.head.is_some())).collect()
}

#[test]
fn recursion_has_one_clause_for_each_sequence_of_calls() {
    let program = read(
        "extern int nd(void);
         int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
         int main(void) { int n = nd(); assert(fib(n) >= n - 1); }",
    );
    assert_eq!(predicates(&program), ["fib(n, result)"]);
    assert_eq!(shapes(&program), [(0, true), (2, true), (1, false)]);
}

#[test]
fn a_loop_is_one_predicate_over_what_is_live() {
    let program = read(
        "extern int nd(void);
         int main(void) {
             int n = nd(), i = 0, unused = 7, constant = 3, count = 0;
             while (i < n) { i += constant; unused++; if (nd()) i--; else i++; count = count + i; }
             assert(i <= n + 2);
         }",
    );
    assert_eq!(predicates(&program), ["main@1(n, i)"]);
    assert_eq!(shapes(&program), [(0, true), (1, true), (1, false)]);
}

#[test]
fn only_functions_with_assertions_below_them_fail() {
    let program = read(
        "extern int nd(void);
         int g;
         void deep(int x) { while (x > 0) x--; assert(g != 3); }
         int pure(int x) { while (x > 3) x--; return x; }
         void middle(int x) { g = pure(x); deep(x); }
         int main(void) { middle(nd()); }",
    );
    // Nothing follows when `deep` or `middle` come back, so nobody asks what they do.
    assert_eq!(
        predicates(&program),
        [
            "deep.fails(g, x)",
            "deep@1(g, x@entry, x)",
            "pure(x, result)",
            "pure@1(x@entry, x)",
            "middle.fails(x)",
        ]
    );
}

#[test]
fn truths_become_boolean_whatever_their_type() {
    let program = read(
        "extern int nd(void);
         int main(void) {
             int a = 0, b = 0; unsigned char c = 1;
             while (nd()) { int x = nd() > 3; a = a ^ x; b = !b; c = a && b; }
             assert(c || !a || !b);
         }",
    );
    let horn = program.horn();
    let formals = horn.predicates.iter().flat_map(|p| &p.formals);
    assert!(formals.clone().count() >= 2);
    assert!(
        formals
            .into_iter()
            .all(|v| horn.terms.sort(*v) == Sort::Bool)
    );
}

#[test]
fn remainders_need_no_quotients_and_wrapping_only_where_it_can_happen() {
    let text = "extern int nd(void);
        int main(void) { int x = nd(); while (nd()) x += 2; assert(x % 2 == 0 || x % 2 == 1 || x % 2 == -1); }";
    let plain = read(text);
    let query = plain
        .horn()
        .clauses
        .iter()
        .find(|c| c.head.is_none())
        .unwrap();
    // `x`, and the last answer of `nd`.
    assert_eq!(plain.horn().variables(query).len(), 2);
    let wrap = COptions {
        integers: Integers::Wrap,
        ..COptions::default()
    };
    let small = "extern short __VERIFIER_nondet_short(void);
        int main(void) { short a = __VERIFIER_nondet_short(), b = __VERIFIER_nondet_short(); assert(a + b < 60000); }";
    let small = read_with(small, &wrap);
    let query = small
        .horn()
        .clauses
        .iter()
        .find(|c| c.head.is_none())
        .unwrap();
    assert_eq!(small.horn().variables(query).len(), 2);
}

#[test]
fn many_paths_stay_one_clause() {
    let row = "if (nd()) x += 1; else x -= 2; ".repeat(40);
    let program = read(&format!(
        "extern int nd(void); int main(void) {{ int x = 0; {row} assert(x < 41); }}"
    ));
    assert_eq!(shapes(&program), [(0, false)]);
    assert!(
        program.horn().terms.len() < 2000,
        "{}",
        program.horn().terms.len()
    );
}

#[test]
fn small_functions_are_put_in_place_unless_told_otherwise() {
    let text = "extern int nd(void);
        int d(int x) { x = x - 1; return x; }
        int main(void) { int m = nd(); assert(d(d(m)) == m - 2); }";
    assert!(read(text).horn().predicates.is_empty());
    let options = COptions {
        inline: 0,
        ..plain()
    };
    let program = read_with(text, &options);
    assert_eq!(predicates(&program), ["d(x, result)"]);
    assert_eq!(shapes(&program), [(0, true), (2, false)]);
}

#[test]
fn a_program_that_asserts_nothing_is_said_to() {
    let program = read("int main(void) { return 0; }");
    assert!(program.horn().clauses.is_empty());
    assert_eq!(program.warnings.len(), 1);
}

#[test]
fn nothing_wraps_and_no_question_is_asked_where_ranges_show_it() {
    // `y` stays below 1024 and `i` below an unsigned number: one variable each, and no case for wrapping.
    let program = read_with(
        "extern unsigned nd(void);
         int main(void) {
             unsigned n = nd(), i = 0, y = 0;
             while (i < n) { i++; if (y < 1000) y++; }
             assert(i == n || y == 7);
         }",
        &COptions::default(),
    );
    let horn = program.horn();
    let names = |c: &suppose_model::chc::Clause| -> Vec<String> {
        let vars = horn.variables(c);
        vars.iter()
            .map(|v| horn.terms.name(*v).to_owned())
            .collect()
    };
    for clause in &horn.clauses {
        assert!(!names(clause).iter().any(|n| n == "wrapped"));
    }
    let program = read_with(
        "extern unsigned nd(void);
         int main(void) { unsigned n = nd(); assert(n + 1 > n); }",
        &COptions::default(),
    );
    let horn = program.horn();
    let vars = horn.variables(&horn.clauses[0]);
    assert!(vars.iter().any(|v| horn.terms.name(*v) == "wrapped"));
}

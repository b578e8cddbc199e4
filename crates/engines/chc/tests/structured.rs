//! Clauses with arrays and datatypes: verdicts that are known, and random systems against z3's Spacer.
//!
//! The long mode: `SUPPOSE_CASES=5000 cargo test --release -p suppose-chc --test structured -- --ignored --nocapture`.

mod support;

use suppose_certify::chc::{check_definitions, check_structured};
use suppose_chc::portfolio::Settings;
use suppose_chc::theory::Structured;
use suppose_control::{Context, Stopped, Supervisor, Unsupervised};
use suppose_frontends::smtlib::{Read, read_text};
use suppose_model::chc::Verdict;
use suppose_testkit::Rng;

/// Stops engines after some work.
struct Limited(u64);

impl Supervisor for Limited {
    fn context(&self) -> Context {
        Context::default().with_work(self.0)
    }

    fn over(&self) -> Option<Stopped> {
        None
    }

    fn begin(&self, _: &str) {}
}

fn read(text: &str) -> Read {
    match read_text("clauses.smt2", text) {
        Ok((read, _)) => read,
        Err((errors, _)) => panic!("{errors:?}\n{text}"),
    }
}

/// The verdict, after its evidence was accepted.
fn decided(text: &str, supervisor: &dyn Supervisor) -> Option<bool> {
    let read = read(text);
    let settings = Settings::default();
    let Some(theory) = &read.theory else {
        let (found, _) = suppose_chc::recmc::solve(
            &read.horn,
            suppose_chc::recmc::RecmcOptions::default(),
            &supervisor.context(),
        );
        return support::judged(&read.horn, &found);
    };
    let structured = Structured {
        horn: &read.horn,
        theory,
        settings: &settings,
        supervisor,
    };
    let reply = structured.decide().expect("not refused");
    match &reply.answer.verdict {
        Verdict::Unknown(_) => None,
        Verdict::Holds(proof) => {
            check_definitions(proof.system(&read.horn), proof, &Context::default())
                .unwrap_or_else(|why| panic!("{why}\n{text}"));
            Some(true)
        }
        Verdict::Violated(found) => {
            let structures = found.structures.clone().unwrap_or_default();
            check_structured(&read.horn, theory, &found.derivation, &structures)
                .unwrap_or_else(|why| panic!("{why}\n{structures:?}\n{text}"));
            Some(false)
        }
    }
}

#[track_caller]
fn verdict(expected: bool, text: &str) {
    assert_eq!(decided(text, &Unsupervised), Some(expected), "{text}");
}

/// An array is filled with 0 up to `n`, and read below.
fn filled(read: &str) -> String {
    format!(
        "(declare-fun p ((Array Int Int) Int Int) Bool)
         (assert (forall ((a (Array Int Int)) (n Int)) (p a 0 n)))
         (assert (forall ((a (Array Int Int)) (i Int) (n Int))
            (=> (and (p a i n) (< i n)) (p (store a i 0) (+ i 1) n))))
         (assert (forall ((a (Array Int Int)) (i Int) (n Int) (k Int))
            (=> (and (p a i n) (>= i n) (<= 0 k) (< k n) {read}) false)))"
    )
}

#[test]
fn an_array_is_filled() {
    verdict(true, &filled("(not (= (select a k) 0))"));
    verdict(false, &filled("(= (select a k) 0) (= n 2)"));
}

#[test]
fn a_written_element_is_there() {
    let text = |claim: &str| {
        format!(
            "(declare-fun p ((Array Int Int) Int Int) Bool)
             (assert (forall ((a (Array Int Int)) (i Int) (v Int)) (p (store a i v) i v)))
             (assert (forall ((a (Array Int Int)) (i Int) (v Int)) (=> (and (p a i v) {claim}) false)))"
        )
    };
    verdict(true, &text("(not (= (select a i) v))"));
    verdict(false, &text("(not (= (select a (+ i 1)) v))"));
}

#[test]
fn arrays_with_the_same_elements_are_equal() {
    verdict(
        true,
        "(declare-fun p ((Array Int Int) (Array Int Int)) Bool)
         (assert (forall ((a (Array Int Int)) (i Int)) (p a (store a i (select a i)))))
         (assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (p a b) (not (= a b))) false)))",
    );
    verdict(
        false,
        "(declare-fun p ((Array Int Int) (Array Int Int)) Bool)
         (assert (forall ((a (Array Int Int)) (i Int)) (p a (store a i (+ 1 (select a i))))))
         (assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (p a b) (not (= a b))) false)))",
    );
}

#[test]
fn arrays_of_arrays_and_constant_ones() {
    let text = |claim: &str| {
        format!(
            "(declare-fun p ((Array Int (Array Int Bool))) Bool)
             (assert (forall ((a (Array Int (Array Int Bool))) (i Int))
                (=> (= a ((as const (Array Int (Array Int Bool))) ((as const (Array Int Bool)) true)))
                    (p (store a 3 (store (select a 3) i false))))))
             (assert (forall ((a (Array Int (Array Int Bool))) (i Int) (j Int) (k Int)) (=> (and (p a) {claim}) false)))"
        )
    };
    verdict(true, &text("(not (select (select a 4) i))"));
    verdict(false, &text("(not (select (select a i) 7))"));
}

#[test]
fn records_options_and_enumerations_are_taken_apart() {
    let text = |claim: &str| {
        format!(
            "(declare-datatypes ((pair 0) (option 0) (color 0))
                (((pair (first Int) (second (Array Int Int)))) ((none) (some (value pair))) ((red) (green) (blue))))
             (declare-fun p (option color) Bool)
             (assert (p none red))
             (assert (forall ((o option) (c color)) (=> (and (p o c) (= c red)) (p (some (pair 1 ((as const (Array Int Int)) 2))) green))))
             (assert (forall ((o option) (c color)) (=> (and (p o c) ((_ is some) o))
                (p (some (pair (+ 1 (first (value o))) (second (value o)))) c))))
             (assert (forall ((o option) (c color)) (=> (and (p o c) {claim}) false)))"
        )
    };
    verdict(true, &text("((_ is some) o) (= c red)"));
    verdict(true, &text("(= c blue)"));
    verdict(true, &text("((_ is some) o) (< (first (value o)) 1)"));
    verdict(false, &text("((_ is some) o) (= (first (value o)) 3)"));
    verdict(
        false,
        &text("(match o ((none false) ((some x) (= (select (second x) 5) 2))))"),
    );
}

/// What a selector gives of another constructor is not specified, so nothing follows from it.
#[test]
fn a_selector_of_another_constructor_proves_nothing() {
    let text = "(declare-datatype option ((none) (some (value Int))))
         (declare-fun p (option) Bool)
         (assert (p none))
         (assert (forall ((o option)) (=> (and (p o) (= (value o) 7)) false)))";
    assert_ne!(decided(text, &Limited(50_000)), Some(false));
}

/// A sort of which nothing is known may have only one value.
#[test]
fn values_of_a_declared_sort_need_not_differ() {
    let text = |claim: &str| {
        format!(
            "(declare-sort S 0) (declare-fun p (S) Bool)
             (assert (forall ((x S)) (p x)))
             (assert (forall ((x S) (y S)) (=> (and (p x) (p y) {claim}) false)))"
        )
    };
    assert_ne!(
        decided(&text("(not (= x y))"), &Limited(50_000)),
        Some(false)
    );
    verdict(false, &text("(= x y)"));
}

/// The sorts of random terms, with their variables and what is written for the sort.
const SORTS: [(&str, [&str; 2], &str); 7] = [
    ("Int", ["x", "y"], "Int"),
    ("array", ["a", "b"], "(Array Int Int)"),
    ("pair", ["r", "s"], "pair"),
    ("nested", ["m", "n"], "(Array Int (Array Int Int))"),
    ("list", ["l", "k"], "list"),
    ("option", ["o", "w"], "option"),
    ("free", ["u", "v"], "S"),
];
const INT: usize = 0;
const ARRAY: usize = 1;
const PAIR: usize = 2;
const NESTED: usize = 3;
const LIST: usize = 4;
const OPTION: usize = 5;
const FREE: usize = 6;

/// Random terms over the variables of a clause.
struct Terms {
    rng: Rng,
    /// The sorts that occur.
    sorts: Vec<usize>,
}

impl Terms {
    fn one_of(&mut self, sorts: &[usize]) -> usize {
        let known: Vec<usize> = (sorts.iter().copied())
            .filter(|s| self.sorts.contains(s))
            .collect();
        known[self.rng.below(known.len())]
    }

    /// A term of a sort.
    fn term(&mut self, sort: usize, depth: u32) -> String {
        if depth == 0 || self.rng.percent(30) {
            let constant = self.rng.percent(40);
            return match (sort, constant) {
                (INT, true) => self.rng.below(3).to_string(),
                (LIST, true) => "nil".to_owned(),
                (OPTION, true) => "none".to_owned(),
                _ => SORTS[sort].1[self.rng.below(2)].to_owned(),
            };
        }
        if self.rng.percent(10) {
            let condition = self.truth(depth - 1);
            return self.apply(&format!("ite {condition}"), &[sort, sort], depth);
        }
        let more = self.rng.percent(50);
        match (sort, more) {
            (INT, false) => {
                let from = self.one_of(&[INT, ARRAY, PAIR, LIST, OPTION]);
                self.part(from, depth)
            }
            (INT, true) => self.apply("+ 1", &[INT], depth),
            (ARRAY, false) if self.sorts.contains(&NESTED) => {
                self.apply("select", &[NESTED, INT], depth)
            }
            (ARRAY, false) if self.sorts.contains(&PAIR) => self.apply("second", &[PAIR], depth),
            (ARRAY, _) if self.rng.percent(25) => {
                self.apply("(as const (Array Int Int))", &[INT], depth)
            }
            (ARRAY, _) => self.apply("store", &[ARRAY, INT, INT], depth),
            (PAIR, _) => self.apply("pair", &[INT, ARRAY], depth),
            (NESTED, _) if self.rng.percent(25) => {
                self.apply("(as const (Array Int (Array Int Int)))", &[ARRAY], depth)
            }
            (NESTED, _) => self.apply("store", &[NESTED, INT, ARRAY], depth),
            (LIST, false) => self.apply("tail", &[LIST], depth),
            (LIST, true) => self.apply("cons", &[INT, LIST], depth),
            (OPTION, _) => self.apply("some", &[INT], depth),
            _ => SORTS[sort].1[self.rng.below(2)].to_owned(),
        }
    }

    /// A number that is a part of a value.
    fn part(&mut self, from: usize, depth: u32) -> String {
        match from {
            ARRAY => self.apply("select", &[ARRAY, INT], depth),
            PAIR => self.apply("first", &[PAIR], depth),
            LIST if self.rng.percent(50) => {
                let (list, other) = (self.term(LIST, depth - 1), self.term(INT, depth - 1));
                format!("(match {list} ((nil {other}) ((cons h t) h)))")
            }
            LIST => self.apply("head", &[LIST], depth),
            OPTION => self.apply("value", &[OPTION], depth),
            _ => self.apply("- 1", &[INT], depth),
        }
    }

    fn apply(&mut self, what: &str, sorts: &[usize], depth: u32) -> String {
        let args: Vec<String> = sorts.iter().map(|&s| self.term(s, depth - 1)).collect();
        format!("({what} {})", args.join(" "))
    }

    fn truth(&mut self, depth: u32) -> String {
        match self.rng.below(if depth == 0 { 3 } else { 7 }) {
            0 => format!("(<= {} {})", self.term(INT, depth), self.term(INT, depth)),
            1..=3 => {
                let sort = self.sorts[self.rng.below(self.sorts.len())];
                format!("(= {} {})", self.term(sort, depth), self.term(sort, depth))
            }
            4 => format!("(not {})", self.truth(depth - 1)),
            5 if self.sorts.contains(&LIST) => {
                format!("((_ is cons) {})", self.term(LIST, depth - 1))
            }
            5 if self.sorts.contains(&OPTION) => {
                format!("((_ is none) {})", self.term(OPTION, depth - 1))
            }
            _ => {
                let word = ["and", "or"][self.rng.below(2)];
                format!(
                    "({word} {} {})",
                    self.truth(depth - 1),
                    self.truth(depth - 1)
                )
            }
        }
    }

    fn app(&mut self, name: &str, depth: u32) -> String {
        let sorts = self.sorts.clone();
        self.apply(name, &sorts, depth + 1)
    }

    fn clause(&mut self, body: &[&str], head: Option<&str>) -> String {
        let sorts = self.sorts.iter().map(|&s| SORTS[s]);
        let variables: Vec<String> = sorts
            .flat_map(|(_, names, sort)| names.map(|name| format!("({name} {sort})")))
            .collect();
        let mut parts: Vec<String> = body.iter().map(|name| self.app(name, 0)).collect();
        parts.push(self.truth(2));
        let head = head.map_or("false".to_owned(), |name| self.app(name, 2));
        format!(
            "(assert (forall ({}) (=> (and {}) {head})))\n",
            variables.join(" "),
            parts.join(" ")
        )
    }
}

const DECLARATIONS: &str = "(set-logic HORN)
(declare-datatype pair ((pair (first Int) (second (Array Int Int)))))
(declare-datatype list ((nil) (cons (head Int) (tail list))))
(declare-datatype option ((none) (some (value Int))))
(declare-sort S 0)\n";

fn random(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let sorts: &[usize] = match rng.below(6) {
        0 | 1 => &[INT, ARRAY, PAIR],
        2 => &[INT, ARRAY, NESTED],
        3 => &[INT, LIST],
        4 => &[INT, ARRAY, OPTION, FREE],
        _ => &[INT, LIST, ARRAY],
    };
    let mut terms = Terms {
        rng,
        sorts: sorts.to_vec(),
    };
    let arguments: Vec<&str> = sorts.iter().map(|&s| SORTS[s].2).collect();
    let mut text = DECLARATIONS.to_owned();
    for name in ["p", "q"] {
        text += &format!("(declare-fun {name} ({}) Bool)\n", arguments.join(" "));
    }
    text += &terms.clause(&[], Some("p"));
    if terms.rng.percent(60) {
        text += &terms.clause(&["p"], Some("p"));
    }
    let body: &[&str] = if terms.rng.percent(20) {
        &["p", "p"]
    } else {
        &["p"]
    };
    text += &terms.clause(body, Some("q"));
    if terms.rng.percent(40) {
        text += &terms.clause(&["q"], Some("q"));
    }
    text += &terms.clause(&["q"], None);
    text + "(check-sat)\n"
}

fn compare(count: u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let first = number("SUPPOSE_SEED").unwrap_or(0);
    let count = number("SUPPOSE_CASES").unwrap_or(count);
    let (mut holds, mut violated, mut ours, mut theirs) = (0, 0, 0, 0);
    let seeds: Vec<u64> = (first..first + count).collect();
    for batch in seeds.chunks(50) {
        let texts: Vec<String> = batch.iter().map(|&seed| random(seed)).collect();
        for ((seed, text), said) in batch
            .iter()
            .zip(&texts)
            .zip(support::spacer(&texts, 200_000))
        {
            let found = decided(text, &Limited(3_000));
            match (found, said.as_str()) {
                (Some(true), "sat") => holds += 1,
                (Some(false), "unsat") => violated += 1,
                (Some(_), "sat" | "unsat") => {
                    panic!("SUPPOSE_SEED={seed}: we say {found:?}, z3 says {said}\n{text}")
                }
                (Some(_), _) => ours += 1,
                (None, "sat" | "unsat") => theirs += 1,
                (None, _) => {}
            }
        }
    }
    let report =
        format!("both hold {holds}, both violated {violated}, only we {ours}, only z3 {theirs}");
    #[allow(clippy::print_stderr, reason = "the long mode tells how far it came")]
    if count > 100 {
        eprintln!("{report}");
    }
    assert!(holds + violated > count / 3, "{report}");
}

#[test]
fn verdicts_are_those_of_spacer() {
    compare(60);
}

#[test]
#[ignore = "takes minutes; the long mode"]
fn many_systems() {
    compare(3_000);
}

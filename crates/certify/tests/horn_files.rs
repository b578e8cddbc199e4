//! Files of evidence about Horn clauses: what is written is read back, and nothing else harms.
#![allow(clippy::unwrap_used)]

mod clauses;

use clauses::*;
use suppose_certify::chc::file::{Evidence, read, write_certificate, write_counterexample};
use suppose_certify::file::{Malformed, Model, ReadLimits};
use suppose_model::chc::{Definitions, Horn, Lin, Lit, ProofStep, Sort, Terms, Value};
use suppose_number::Rat;
use suppose_testkit::for_each_seed;

fn models() -> Vec<Model> {
    vec![Model::of("two \"2\".smt2", b"(check-sat)")]
}

fn parse(horn: &Horn, text: &[u8]) -> Result<Evidence, Malformed> {
    read(text, horn, &models(), &ReadLimits::default())
}

fn certificate(horn: &Horn, evidence: &Definitions) -> Vec<u8> {
    let mut out = Vec::new();
    write_certificate(&mut out, horn, &models(), evidence).unwrap();
    out
}

fn even() -> (Horn, Vec<u8>) {
    let horn = steps_of_two();
    let text = certificate(&horn, &even_and_small());
    (horn, text)
}

fn definitions(evidence: Evidence) -> Definitions {
    match evidence {
        Evidence::Definitions(definitions) => *definitions,
        Evidence::Derivation(..) => panic!("a derivation"),
    }
}

/// Accepted by reader and checker.
fn accepted(horn: &Horn, text: &[u8]) -> Result<(), String> {
    match parse(horn, text).map_err(|error| error.to_string())? {
        Evidence::Definitions(definitions) => verdict(horn, &definitions),
        Evidence::Derivation(derivation, _) => derived(horn, &derivation),
    }
}

fn refused(horn: &Horn, text: &str, why: &str) {
    let message = parse(horn, text.as_bytes())
        .expect_err("it must not be read")
        .to_string();
    assert!(message.contains(why), "{message}");
}

#[test]
fn certificates_are_read_back() {
    let (horn, text) = even();
    let read = definitions(parse(&horn, &text).unwrap());
    assert_eq!(verdict(&horn, &read), Ok(()));
    assert_eq!(
        certificate(&horn, &read),
        text,
        "the same evidence gives the same bytes"
    );
    assert_eq!(read.proofs.len(), 4);
}

#[test]
fn counterexamples_are_read_back() {
    let (horn, derivation) = sums();
    let mut text = Vec::new();
    write_counterexample(&mut text, &horn, &models(), &derivation, None).unwrap();
    match parse(&horn, &text).unwrap() {
        Evidence::Derivation(read, _) => {
            assert_eq!(read, derivation);
            assert_eq!(derived(&horn, &read), Ok(()));
        }
        Evidence::Definitions(_) => panic!("a certificate"),
    }
}

/// Variables that are not the system's, constants as literals, big numbers and fractions.
#[test]
fn unusual_parts_are_read_back() {
    let mut terms = Terms::default();
    let x = terms.fresh("x", Sort::Int);
    let horn = query(terms.clone(), Terms::FALSE);
    terms.fresh("unused", Sort::Bool);
    let y = terms.fresh("y", Sort::Real);
    let flag = terms.fresh("flag", Sort::Bool);
    let huge = "123456789012345678901234567890"
        .parse::<suppose_number::Int>()
        .unwrap();
    let inner = terms.divides(&huge, &Lin::var(x).plus(huge.clone()).plus(-1));
    let quotient = terms.quotient(inner);
    let outer = terms.divides(&int(3), &Lin::var(quotient));
    let mixed = terms.lt(times(2, x).sub(&times(3, y)).plus(1));
    let flag = terms.var(flag);
    let both = terms.iff(flag, mixed);
    let either = terms.or([both, outer]);
    let clause: Vec<Lit> = [either, mixed, Terms::TRUE, Terms::FALSE, inner]
        .iter()
        .flat_map(|&t| [terms.literal(t), not(terms.literal(t))])
        .collect();
    let factors = vec![
        Rat::new(huge, int(7)),
        Rat::new(int(-1), int(2)),
        Rat::from(5),
    ];
    let steps = vec![
        ProofStep::Propagation {
            clause: clause.clone(),
        },
        ProofStep::Farkas {
            clause: clause.clone(),
            factors: factors.clone(),
        },
        ProofStep::Cut { clause, factors },
    ];
    let evidence = refuted(terms, steps);
    let text = certificate(&horn, &evidence);
    let read = definitions(parse(&horn, &text).unwrap());
    assert_eq!(certificate(&horn, &read), text);
    let shape = |d: &Definitions| format!("{:?}", d.proofs[0].steps.len());
    assert_eq!(shape(&read), shape(&evidence));
}

#[test]
fn a_file_about_something_else_is_refused() {
    let (horn, text) = even();
    let other = [Model::of("two.smt2", b"(exit)")];
    let error = read(&text[..], &horn, &other, &ReadLimits::default()).expect_err("other model");
    assert!(error.to_string().contains("other model files"));
    let (other, _) = sums();
    refused(
        &other,
        std::str::from_utf8(&text).unwrap(),
        "other predicates",
    );
    let text = String::from_utf8(text).unwrap();
    refused(
        &horn,
        &text.replace("\"version\":1", "\"version\":2"),
        "version 2",
    );
    refused(
        &horn,
        &text.replace("suppose horn", "suppose hornet"),
        "no evidence about Horn",
    );
    refused(
        &horn,
        &text.replace("\"clauses\":4", "\"clauses\":5"),
        "other predicates",
    );
}

/// A certificate with these rows, definitions and proofs, for a system with an integer, a rational and a
/// Boolean variable, and no predicates.
fn crafted(rows: &str, rest: &str) -> (Horn, String) {
    let mut terms = Terms::default();
    terms.fresh("x", Sort::Int);
    terms.fresh("y", Sort::Real);
    terms.fresh("b", Sort::Bool);
    let horn = query(terms, Terms::TRUE);
    let (_, text) = even();
    let text = String::from_utf8(text).unwrap();
    let models = text
        .lines()
        .find(|line| line.starts_with("\"models\""))
        .unwrap();
    let text = format!(
        "{{\"format\":\"suppose horn certificate\",\"version\":1,{models}\"predicates\":[],\
         \"clauses\":1,\"variables\":3,\"terms\":[{rows}],{rest}}}"
    );
    (horn, text)
}

#[test]
fn crafted_rows_are_refused() {
    let plain = "\"definitions\":[],\"proofs\":[[[\"p\"]]]";
    for (rows, why) in [
        ("[\"v\",0]", "wrong sort"),
        ("[\"v\",7]", "no variable 7"),
        ("[\"v\",4294967295]", "no variable"),
        ("[\"v\",2],[\"and\",2,3]", "no formula 3"),
        ("[\"and\",0]", "no formula 0"),
        ("[\"and\",-9223372036854775808]", "no formula"),
        ("[\"iff\",1]", "two parts"),
        ("[\"<=\"]", "too short"),
        ("[\"<=\",1,0]", "too short"),
        ("[\"<=\",1,0,0]", "in order"),
        ("[\"<=\",1,1,1,0,1]", "in order"),
        ("[\"<=\",1,2,1]", "wrong sort"),
        ("[\"<=\",\"1/2\",0,1]", "integer"),
        ("[\"<=\",\"x\",0,1]", "decimal"),
        ("[\"|\",0,0,0,1]", "positive"),
        ("[\"|\",-2,0,0,1]", "positive"),
        ("[\"|\",2,0,1,1]", "wrong sort"),
        ("[\"quotient\",1]", "only divisibility"),
        (
            "[\"|\",2,0,0,1],[\"quotient\",2],[\"quotient\",2]",
            "declared twice",
        ),
        ("[\"|\",2,0,0,1],[\"quotient\",-2]", "only divisibility"),
        (
            "[\"|\",2,0,0,1],[\"quotient\",2],[\"and\",3,1]",
            "no formula 3",
        ),
        ("[\"new\",\"Float\"]", "no sort"),
        ("[\"new\",\"Int\",1]", "too long"),
        ("[\"v\",2,2]", "too long"),
        ("[\"nand\",1,1]", "no kind of formula"),
        ("[]", "too short"),
    ] {
        let (horn, text) = crafted(rows, plain);
        refused(&horn, &text, why);
    }
}

#[test]
fn crafted_steps_are_refused() {
    for (rest, why) in [
        ("\"definitions\":[5],\"proofs\":[]", "no formula 5"),
        (
            "\"definitions\":[],\"proofs\":[[[\"p\",9]]]",
            "no formula 9",
        ),
        (
            "\"definitions\":[],\"proofs\":[[[\"q\",[1],[1]]]]",
            "no kind of step",
        ),
        ("\"definitions\":[],\"proofs\":[[[\"f\",[1]]]]", "too short"),
        (
            "\"definitions\":[],\"proofs\":[[[\"f\",[1],[1],[1]]]]",
            "too long",
        ),
        (
            "\"definitions\":[],\"proofs\":[[[\"f\",[1],[\"1/0\"]]]]",
            "denominator",
        ),
        (
            "\"definitions\":[],\"proofs\":[[[\"f\",[1],[\"1/-2\"]]]]",
            "denominator",
        ),
        ("\"definitions\":[],\"proofs\":[[[]]]", "too short"),
        (
            "\"definitions\":[],\"proofs\":[],\"more\":1",
            "unexpected field",
        ),
        ("\"proofs\":[]", "definitions"),
    ] {
        let (horn, text) = crafted("", rest);
        refused(&horn, &text, why);
    }
    for count in [79_000, 90_000] {
        let digits = "9".repeat(count);
        let rest = format!("\"definitions\":[],\"proofs\":[[[\"f\",[1],[\"{digits}\"]]]]");
        let (horn, text) = crafted("", &rest);
        refused(&horn, &text, "more than 262144 bits");
    }
}

/// Rows that the store would write in another way are read as what they mean.
#[test]
fn rows_in_another_form_mean_the_same() {
    // not (x <= 4) written as -x + 5 <= 0, an `and` of nothing, and 4 | 2x, which is 2 | x.
    let rows = "[\"<=\",5,0,-1],[\"and\"],[\"|\",4,0,0,2],[\"<=\",-4,0,1]";
    let (horn, text) = crafted(rows, "\"definitions\":[2,3,4,5],\"proofs\":[]");
    let read = definitions(parse(&horn, text.as_bytes()).unwrap());
    let mut terms = read.terms.clone();
    let at_most = terms.le(Lin::var(suppose_model::chc::Var(0)).plus(-4));
    assert_eq!(read.definitions[0], terms.not(at_most));
    assert_eq!(read.definitions[1], Terms::TRUE);
    assert_eq!(read.definitions[3], at_most);
    let even = terms.divides(&int(2), &Lin::var(suppose_model::chc::Var(0)));
    assert_eq!(read.definitions[2], even);
}

#[test]
fn crafted_values_are_refused() {
    let (horn, derivation) = sums();
    let mut text = Vec::new();
    write_counterexample(&mut text, &horn, &models(), &derivation, None).unwrap();
    let text = String::from_utf8(text).unwrap();
    let values = "\"values\":[[3,0]]";
    let first = text.find("\"values\":[").unwrap();
    let end = text[first..].find("]").unwrap() + first + 1;
    let with = |values: &str| format!("{}{values}{}", &text[..first], &text[end..]);
    assert!(accepted(&horn, with(values).as_bytes()).is_ok());
    for wrong in [
        "\"values\":[[3,true]]",
        "\"values\":[[3,\"1/2\"]]",
        "\"values\":[[3,0],[3,0]]",
        "\"values\":[[99,0]]",
        "\"values\":[[4294967295,0]]",
    ] {
        refused(&horn, &with(wrong), "cannot have this value");
    }
}

#[test]
fn limits_are_kept() {
    let (horn, text) = even();
    let short = ReadLimits {
        bytes: text.len() as u64 - 1,
        ..ReadLimits::default()
    };
    assert!(read(&text[..], &horn, &models(), &short).is_err());
    let few = ReadLimits {
        vectors: 10,
        ..ReadLimits::default()
    };
    let error = read(&text[..], &horn, &models(), &few).expect_err("too many rows");
    assert!(error.to_string().contains("too large"));
}

/// Damaged files are refused or rejected, never accepted as something else, and never a panic.
#[test]
fn damaged_files_do_no_harm() {
    let (horn, text) = even();
    for length in 0..text.len() {
        // Without the last line break it is still whole.
        let result = accepted(&horn, &text[..length]);
        assert_eq!(result.is_ok(), length == text.len() - 1, "{length}");
    }
    let (other, derivation) = sums();
    let mut run = Vec::new();
    write_counterexample(&mut run, &other, &models(), &derivation, None).unwrap();
    for_each_seed(3000, |rng| {
        let (horn, text) = if rng.percent(70) {
            (&horn, &text)
        } else {
            (&other, &run)
        };
        let mut damaged = text.clone();
        for _ in 0..rng.between(1, 3) {
            let at = rng.below(damaged.len());
            damaged[at] = match rng.below(3) {
                0 => b"0123456789-[],\"{}"[rng.below(17)],
                1 => damaged[rng.below(damaged.len())],
                _ => rng.next_u64() as u8,
            };
        }
        // What is still accepted is still a proof; there is no more to ask than that nothing breaks.
        let _ = accepted(horn, &damaged);
    });
}

#[test]
fn evidence_that_cannot_be_written_is_an_error() {
    let horn = steps_of_two();
    let mut evidence = even_and_small();
    evidence.definitions[0] = suppose_model::chc::TermId(1 << 30);
    assert!(write_certificate(&mut Vec::new(), &horn, &models(), &evidence).is_err());
    let (horn, mut derivation) = sums();
    let var = horn.clauses[3].body[0].args[1];
    derivation.steps[4].values.set(var, Value::Num(Rat::ONE));
    assert!(write_counterexample(&mut Vec::new(), &horn, &models(), &derivation, None).is_err());
    derivation.steps[4].clause = 99;
    assert!(write_counterexample(&mut Vec::new(), &horn, &models(), &derivation, None).is_err());
}

/// `x = 0 -> p(x)`; `p(x), y = x + 1 -> p(y)`; `p(x), x < 0 -> false`: the clauses of the documentation's example.
fn documented() -> (Horn, Definitions) {
    use suppose_model::chc::{App, Clause, Pred, Proof, TermId, Var};
    let mut horn = Horn::default();
    let p = horn.add_predicate("p", &[Sort::Int]);
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| horn.terms.fresh(name, Sort::Int));
    let terms = &mut horn.terms;
    let zero = terms.eq(Lin::var(a));
    let next = terms.eq(Lin::var(c).sub(&Lin::var(b)).plus(-1));
    let negative = terms.lt(Lin::var(d));
    let app = |var: Var| App {
        pred: p,
        args: vec![var],
    };
    let clause = |body: Option<App>, constraint: TermId, head: Option<App>| Clause {
        body: body.into_iter().collect(),
        constraint,
        head,
        place: None,
    };
    horn.clauses = vec![
        clause(None, zero, Some(app(a))),
        clause(Some(app(b)), next, Some(app(c))),
        clause(Some(app(d)), negative, None),
    ];
    let mut terms = horn.terms.clone();
    let x = horn.predicate(Pred(0)).formals[0];
    let at_least = |terms: &mut Terms, var: Var| {
        let term = terms.le(Lin::var(var).neg());
        terms.literal(term)
    };
    let definition = terms.le(Lin::var(x).neg());
    let [of_a, of_b, of_c] = [a, b, c].map(|v| at_least(&mut terms, v));
    let (zero, next) = (terms.literal(zero), terms.literal(next));
    let proofs = vec![
        vec![farkas(&[of_a, not(zero)], &[1, -1]), propagation(&[])],
        vec![
            farkas(&[of_c, not(of_b), not(next)], &[1, 1, 1]),
            propagation(&[]),
        ],
        vec![propagation(&[])],
    ];
    let evidence = Definitions {
        terms,
        definitions: vec![definition],
        proofs: proofs.into_iter().map(|steps| Proof { steps }).collect(),
        about: None,
    };
    (horn, evidence)
}

/// The example of the documentation is a certificate, byte for byte.
#[test]
fn the_documented_example_is_accepted() {
    let (horn, evidence) = documented();
    assert_eq!(verdict(&horn, &evidence), Ok(()));
    let page = include_str!("../../../docs/certificates.md");
    let start = page
        .find("{\n\"format\":\"suppose horn certificate\"")
        .unwrap();
    let example = &page[start..start + page[start..].find("```").unwrap()];
    let clauses = page
        .split("```smt2\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let models = [Model::of("counter.smt2", clauses.as_bytes())];
    let mut text = Vec::new();
    write_certificate(&mut text, &horn, &models, &evidence).unwrap();
    assert_eq!(example, String::from_utf8(text).unwrap());
}

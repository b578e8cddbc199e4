//! What is made of programs that are right.

#![allow(clippy::unwrap_used)]

use suppose_frontends::promela::{read, read_text};
use suppose_model::program::{Action, Expr, Question, Type};
use suppose_source::{FileId, ParserLimits, Sources};

#[test]
fn defines_replace_the_programs_numbers() {
    let text = "#ifndef N\n#define N 1\n#endif\nbyte a[N]; active proctype P() { skip }";
    for (defines, slots) in [(vec![], 1), (vec![("N".to_owned(), 4)], 4)] {
        let mut sources = Sources::single("m.pml", text);
        let mut none = |_: &str| Err(String::new());
        let read = read(
            FileId(0),
            &mut sources,
            &mut none,
            &defines,
            &ParserLimits::default(),
        )
        .unwrap();
        assert_eq!(read.program.globals.len(), slots);
    }
}

#[test]
fn liveness_claims_have_accepting_places() {
    let text = "byte x; active proctype P() { accept: x = 1; progress: skip }
        ltl live { <> (x == 1) } ltl until { (x == 0) U (x == 1) } ltl safe { [] (x < 2) }
        never again { do :: x == 0 -> skip :: x == 1 -> break od; accept_it: do :: x == 1 od }";
    let (read, _) = read_text("m.pml", text).unwrap();
    assert!(read.undecided.is_empty());
    let claims: Vec<&str> = read
        .program
        .claims
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(claims, ["again", "live", "until", "safe"]);
    let live = (0..4).map(|n| read.program.is_liveness(Question::Claim(n)));
    assert_eq!(live.collect::<Vec<bool>>(), [true, true, true, false]);
    let asked = read.program.questions();
    assert!(asked.contains(&Question::Acceptance) && asked.contains(&Question::Progress));
}

/// SPIN 6.5.2 reads `-->` as `->`, also behind a variable, and so `n-->3` compares nothing.
#[test]
fn a_long_arrow_is_an_arrow() {
    let program = |arrow: &str| {
        let text = format!("byte n; active proctype P() {{ if :: n{arrow}3 fi; n-- }}");
        read_text("m.pml", &text).unwrap().0.program
    };
    let (long, short) = (program("-->"), program(" -> "));
    let locations = |p: &suppose_model::program::Program| p.proctypes[0].locations.len();
    assert_eq!(locations(&long), locations(&short));
}

/// `[] p` is one place with one way to the end.
#[test]
fn an_invariant_is_a_small_claim() {
    let (read, _) = read_text("m.pml", "byte x; init { skip } ltl { [] (x < 2) }").unwrap();
    let claim = &read.program.claims[0];
    assert_eq!(
        (claim.name.as_str(), claim.locations.len(), claim.end),
        ("ltl_0", 2, 1)
    );
    let [bad, good] = claim.locations[0].edges.as_slice() else {
        panic!("{:?}", claim.locations[0].edges);
    };
    assert!(matches!(&bad.action, Action::Guard(Expr::Unary(..))) && bad.target == claim.end);
    assert!(good.action == Action::Else && good.target == 0);
}

#[test]
fn texts_are_those_of_the_user() {
    let text = "#define FULL (x == 3)\n#define BOTH x = 1; x = 2\nbyte x;\ninline f(v) { x = v * 2 }\n\
        active proctype P() {\n  FULL   ->\n x  =  x\n + 1;\n BOTH;\n f(x + 4) }";
    let text = text.replace("x  =  x\n + 1", "x  =  x + 1");
    let (read, _) = read_text("m.pml", &text).unwrap();
    let edges = read.program.proctypes[0]
        .locations
        .iter()
        .flat_map(|l| &l.edges);
    let texts: Vec<&str> = edges.map(|e| e.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "FULL",
            "x = x + 1",
            "x = 1",
            "x = 2",
            "x = x + 4 * 2",
            "-end-"
        ]
    );
    let body = read.processes[0].body;
    assert_eq!(&text[body.start as usize..][..1], "{");
}

#[test]
fn arrays_of_bits_hold_bytes_where_it_matters() {
    let ty = |text: &str| read_text("m.pml", text).unwrap().0.program.globals[0].ty;
    assert_eq!(
        ty("bool b[2]; init { b[0] = true; b[1] = !b[0] }"),
        Type::Bool
    );
    assert_eq!(ty("bit b[2]; init { b[0]++ }"), Type::Byte);
    assert_eq!(ty("bit b; init { b++ }"), Type::Bit);
}

#[test]
fn what_is_not_read_may_hold_any_text() {
    let text = "#if 0\nit's only a comment, \"isn't it\n`@é\n#endif\n\
        #ifdef NOT\n#define A don't\n#endif\nactive proctype P() { skip }\n";
    assert!(suppose_frontends::promela::read_text("m.pml", text).is_ok());
    for wrong in [
        "active proctype P() { skip; 'ab }",
        "#define A don't\nactive proctype P() { skip }",
    ] {
        let Err((errors, _)) = suppose_frontends::promela::read_text("m.pml", wrong) else {
            panic!("{wrong}");
        };
        assert!(errors[0].message.contains("not a character"), "{errors:?}");
    }
}

#[test]
fn letters_of_any_kind_stand_in_comments_and_texts() {
    let text = "/* café */ // naïve\nactive proctype P() { printf(\"é\\n\") }\n";
    assert!(suppose_frontends::promela::read_text("m.pml", text).is_ok());
}

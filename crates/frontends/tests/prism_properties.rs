//! Properties: what they say, and whose states they are about.

#![allow(clippy::unwrap_used)]

use suppose_frontends::prism::{
    Exploration, Grouping, Lowered, PrismModel, PrismOptions, Properties, read_text,
};
use suppose_model::mdp::{
    Comparison, Labels, PathFormula, Query, RewardPaths, StateFormula, Steps,
};
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources};

const MODEL: &str = "mdp const int K = 2;
module a x : [0..3] init 0; [s] x<3 -> 1/2 : (x'=x+1) + 1/2 : true; endmodule
module b y : [0..3] init 0; [s] y<3 -> (y'=y+1); endmodule
label \"bad\" = x=3;
label \"both\" = x=3 & y>=K;
";

fn model(text: &str) -> PrismModel {
    read_text("m.nm", text, &PrismOptions::default()).unwrap().0
}

fn read(model: &PrismModel, text: &str) -> Result<Properties, Vec<Diagnostic>> {
    let sources = Sources::single("p.pctl", text);
    model.properties(FileId(0), &sources, &[], &ParserLimits::default())
}

fn lower(text: &str) -> Lowered {
    let model = model(MODEL);
    let properties = read(&model, text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    model
        .system(
            &Grouping::default(),
            &properties,
            Labels::new(),
            &Exploration::unlimited(),
        )
        .unwrap()
}

fn shown(formula: &StateFormula, lowered: &Lowered) -> String {
    let all = |fs: &[StateFormula], op: &str| {
        let parts: Vec<String> = fs.iter().map(|f| shown(f, lowered)).collect();
        format!("({})", parts.join(op))
    };
    match formula {
        StateFormula::True => "true".to_owned(),
        StateFormula::False => "false".to_owned(),
        StateFormula::Deadlock => "deadlock".to_owned(),
        StateFormula::Proposition(number) => {
            let it = &lowered.system.propositions[*number as usize];
            format!("{}@{}", it.name, it.component)
        }
        StateFormula::Not(a) => format!("!{}", shown(a, lowered)),
        StateFormula::And(fs) => all(fs, " & "),
        StateFormula::Or(fs) => all(fs, " | "),
        StateFormula::Probability {
            comparison,
            bound,
            paths,
        } => {
            let op = match comparison {
                Comparison::AtMost => "<=",
                Comparison::Below => "<",
                Comparison::AtLeast => ">=",
                Comparison::Above => ">",
            };
            format!("P{op}{bound}[{}]", path(paths, lowered))
        }
        StateFormula::Reward {
            structure,
            bound,
            paths,
            ..
        } => format!("R?{bound}[{}]", earned(*structure, paths, lowered)),
    }
}

fn path(paths: &PathFormula, lowered: &Lowered) -> String {
    let bound = |steps: &Steps| steps.to_string();
    match paths {
        PathFormula::Next(a) => format!("X {}", shown(a, lowered)),
        PathFormula::Until { left, right, steps } => format!(
            "{} U{} {}",
            shown(left, lowered),
            bound(steps),
            shown(right, lowered)
        ),
        PathFormula::Globally { always, steps } => {
            format!("G{} {}", bound(steps), shown(always, lowered))
        }
        PathFormula::Not(paths) => format!("!({})", path(paths, lowered)),
    }
}

fn earned(structure: u32, paths: &RewardPaths, lowered: &Lowered) -> String {
    let name = &lowered.system.rewards[structure as usize];
    match paths {
        RewardPaths::Until(goal) => format!("{name} F {}", shown(goal, lowered)),
        RewardPaths::Within(steps) => format!("{name} C<={steps}"),
        RewardPaths::After(steps) => format!("{name} I={steps}"),
    }
}

fn check(text: &str, expected: &str) -> Lowered {
    let lowered = lower(text);
    let found = match &lowered.properties[0].query {
        Query::Holds(formula) => shown(formula, &lowered),
        Query::Greatest(paths) => format!("max {}", path(paths, &lowered)),
        Query::Least(paths) => format!("min {}", path(paths, &lowered)),
        Query::Reward {
            greatest,
            structure,
            paths,
        } => {
            let word = if *greatest { "max" } else { "min" };
            format!("{word} {}", earned(*structure, paths, &lowered))
        }
        Query::Over(..) => "over".to_owned(),
    };
    assert_eq!(found, expected, "{text}");
    lowered
}

#[test]
fn meaning() {
    check("P<=0.1 [ F \"bad\" ]", "P<=1/10[true U \"bad\"@0]");
    check("P>1/3 [ X x=1 ]", "P>1/3[X x=1@0]");
    check("P<0.5 [ x=0 U<=5 y=1 ]", "P<1/2[x=0@0 U<=5 y=1@1]");
    check("P>=1 [ G<K y<3 ]", "P>=1[G<=1 y<3@1]");
    check("P>=1 [ F<=(K+1) !(y=2) ]", "P>=1[true U<=3 !y=2@1]");
    check("Pmax=? [ F \"bad\" ]", "max true U \"bad\"@0");
    check("Pmin=? [ G x=0 ]", "min G x=0@0");
    check(
        "P<=0 [ F \"deadlock\" & \"init\" ]",
        "P<=0[true U (deadlock & (\"init\"@0 & \"init\"@1))]",
    );
    check(
        "\"named\": P<=0 [ F P>=1 [ X x=1 ] ];",
        "P<=0[true U P>=1[X x=1@0]]",
    );
    check(
        "P>=0.9 [ x<3 W y=1 ]",
        "P>=9/10[!((x<3@0 & !y=1@1) U (!x<3@0 & !y=1@1))]",
    );
    check("\"bad\" => x=3", "(!\"bad\"@0 | x=3@0)");
}

#[test]
fn paths_may_stand_in_brackets_and_be_negated() {
    check("P<=0.1 [ (F \"bad\") ]", "P<=1/10[true U \"bad\"@0]");
    check("P<=0.1 [ ((x=0 U<=5 (y=1))) ]", "P<=1/10[x=0@0 U<=5 y=1@1]");
    check("P<=0.1 [ !(F<=3 \"bad\") ]", "P<=1/10[G<=3 !\"bad\"@0]");
    check("P<=0.1 [ !!(X x=1) ]", "P<=1/10[X !!x=1@0]");
    check("P<=0.1 [ !(G x=1) ]", "P<=1/10[true U !x=1@0]");
    check("Pmax=? [ !(x=0 R y=1) ]", "max !x=0@0 U !y=1@1");
    check("Pmax=? [ !(x=0 U y=1) ]", "max !(!!x=0@0 U !!y=1@1)");
    // Brackets around states, or around a probability, are no brackets around a path.
    check("Pmax=? [ (x=0) U (y=1) ]", "max x=0@0 U y=1@1");
    check(
        "Pmax=? [ !(P>=1 [ F x=1 ]) U (P>=1 [ X x=1 ]) ]",
        "max !P>=1[true U x=1@0] U P>=1[X x=1@0]",
    );
    for unclosed in [
        "Pmax=? [ (F x=1 ]",
        "Pmax=? [ (F x=1",
        "Pmax=? [ !(",
        "Pmax=? [ (F x=1)) ]",
    ] {
        assert!(read(&model(MODEL), unclosed).is_err(), "{unclosed}");
    }
}

#[test]
fn conditions_are_split_by_component() {
    let lowered = check("P<=0.1 [ F \"both\" ]", "P<=1/10[true U (x=3@0 & y>=2@1)]");
    assert_eq!(lowered.system.components.len(), 2);
    check(
        "P<=0.1 [ F (x=1 => y=2) ]",
        "P<=1/10[true U (!x=1@0 | y=2@1)]",
    );
    let lowered = check("P<=0.1 [ F x+y=5 ]", "P<=1/10[true U x+y=5@0]");
    assert_eq!(lowered.system.components.len(), 1);
    assert_eq!(
        lowered.notes,
        ["modules a and b are one component: the property compares variables of both"]
    );
    let bad = &lower("P<=0.1 [ F \"bad\" ]").system.components[0].lpts;
    let holds = |s| bad.satisfies(s, 0).unwrap();
    let names: Vec<String> = (0..4)
        .filter(|s| holds(*s))
        .map(|s| bad.state_name(s))
        .collect();
    assert_eq!(names, ["x=3"]);
}

#[test]
fn files_of_properties() {
    let model = model(MODEL);
    let text = "// comment\nconst int T; label \"late\" = y>T;\n\"one\": P<=0.5 [ F \"late\" ];\n\nP>=0 [ X x=0 ];\n\"r\": Pmax=? [ G F \"bad\" ];\nfilter(avg, Pmax=? [ F x=1 ], \"init\");";
    let sources = Sources::single("p.pctl", text);
    let given = [("T".to_owned(), "1".to_owned())];
    let limits = ParserLimits::default();
    let read = model
        .properties(FileId(0), &sources, &given, &limits)
        .unwrap();
    assert_eq!(read.names(), ["one", "P>=0 [ X x=0 ]"]);
    let undecided: Vec<&str> = read.undecided.iter().map(|u| u.reason.as_str()).collect();
    assert_eq!(undecided.len(), 2, "{undecided:?}");
    assert!(undecided[0].contains("LTL"), "{undecided:?}");
    assert!(undecided[1].contains("filter"), "{undecided:?}");
}

#[test]
fn mistakes() {
    let model = model(MODEL);
    for (text, expected) in [
        ("", "no property"),
        ("P<=0.1 [ F \"nothing\" ]", "no label \"nothing\""),
        ("P<=1.5 [ F \"bad\" ]", "not a probability"),
        ("P=? [ F \"bad\" ]", "depends on the choices"),
        ("Pmax<=0.1 [ F \"bad\" ]", "go with `=?`"),
        ("Rmax=? [ F \"bad\" ]", "no such rewards"),
        ("P<=0.1 [ \"bad\" ]", "unexpected"),
        ("P<=0.1 [ F z=1 ]", "`z` is not declared"),
        ("P<=0.1 [ F x ]", "a property is a condition"),
        ("P<=0.1 [ F<=x \"bad\" ]", "not known here"),
        ("P<=0.1 [ F \"bad\" ] x", "unexpected"),
        ("P<=0.1 [ F P=? [ X x=1 ] ]", "needs a bound"),
        ("x+1", "a property is a condition"),
    ] {
        let errors = read(&model, text).unwrap_err();
        assert!(errors[0].message.contains(expected), "{text}: {errors:?}");
    }
}

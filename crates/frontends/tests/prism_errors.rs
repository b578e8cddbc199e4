//! What is wrong with a model is said in the user's words, with a place; nothing panics or hangs.

#![allow(clippy::unwrap_used)]

use std::cell::Cell;

use suppose_frontends::prism::{
    Counts, Exploration, ExplorationError, ModelType, PrismModel, PrismOptions, read_text,
};
use suppose_model::mdp::{Labels, SizeLimits};
use suppose_source::ParserLimits;

fn options(constants: &[(&str, &str)]) -> PrismOptions {
    let pair = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
    PrismOptions {
        constants: constants.iter().map(pair).collect(),
        ..PrismOptions::default()
    }
}

fn read(text: &str) -> PrismModel {
    match read_text("m.nm", text, &PrismOptions::default()) {
        Ok((model, _)) => model,
        Err((errors, sources)) => panic!("{}", errors[0].render(&sources, false)),
    }
}

fn count(text: &str) -> Counts {
    match read(text).count(&Exploration::unlimited()) {
        Ok(counts) => counts,
        Err(failure) => panic!("{failure:?}\n{text}"),
    }
}

/// The first error, as it is shown, of reading or of exploring.
fn error(text: &str) -> String {
    match read_text("m.nm", text, &PrismOptions::default()) {
        Err((errors, sources)) => errors[0].render(&sources, false),
        Ok((model, sources)) => match model.count(&Exploration::unlimited()) {
            Err(ExplorationError::Invalid(errors)) => errors[0].render(&sources, false),
            other => panic!("no error but {other:?}\n{text}"),
        },
    }
}

fn refused(text: &str, expected: &[&str]) {
    let shown = error(text);
    for part in expected {
        assert!(shown.contains(part), "`{part}` is not in:\n{shown}\n{text}");
    }
}

/// A module with one variable `x : [0..2]` and these commands.
fn module(commands: &str) -> String {
    format!("mdp\nmodule m\n  x : [0..2] init 0;\n{commands}\nendmodule\n")
}

#[test]
fn form() {
    refused("mdp module m x : [0..1] endmodule", &["expected `;`"]);
    refused(&module("[a] x=0 -> x'=1;"), &["round brackets"]);
    refused(&module("[a] x==0 -> true;"), &["one `=`"]);
    refused(&module("[a] x=0 && x=1 -> true;"), &["one `&`"]);
    refused(&module("[a] x=0 || x=1 -> true;"), &["written `|`"]);
    refused(&module("[F] true -> true;"), &["word of the language"]);
    refused(&module("[] foo(x)=1 -> true;"), &["no function `foo`"]);
    refused(&module("[] mod(x)=1 -> true;"), &["takes 2 arguments"]);
    refused(&module("[] x=1e99999 -> true;"), &["too large"]);
    refused("mdp \u{1F600}", &["unexpected character"]);
    refused("", &["there is no module"]);
    refused("mdp mdp", &["given twice"]);
}

#[test]
fn other_kinds_of_models() {
    refused(
        "ctmc",
        &["`ctmc` models are not read", "expected `mdp` or `dtmc`"],
    );
    refused("stochastic", &["not read"]);
    refused("pta", &["not read"]);
    refused("pomdp", &["not read"]);
    refused("smg", &["not read"]);
    refused("mdp module m c : clock; endmodule", &["clocks"]);
    refused(
        &module("[] true -> [0.1,0.2]:true + [0.8,0.9]:true;"),
        &["intervals"],
    );
}

#[test]
fn names_and_types() {
    refused(&module("[] y=0 -> true;"), &["`y` is not declared"]);
    refused(&module("[] X0=0 -> true;"), &["`X0` is not declared"]);
    refused(
        &module("[] true -> (y'=1);"),
        &["the variable `y` is not declared"],
    );
    for (near, written) in [
        ("[] countr=0 -> true;", "countr"),
        ("[] true -> (Counter'=1);", "Counter"),
    ] {
        let text = module(near).replace("x :", "counter :");
        refused(
            &text,
            &[written, "is not declared", "did you mean `counter`?"],
        );
    }
    refused(&module("[] true -> (x'=1)&(x'=2);"), &["assigned twice"]);
    refused(
        &module("[] x -> true;"),
        &["a guard must be of type bool", "this is int"],
    );
    refused(&module("[] x=true -> true;"), &["cannot be compared"]);
    refused(
        &module("[] true -> (x'=x/2);"),
        &["must be of type int", "floor"],
    );
    refused(&module("[] true -> (x'=true);"), &["must be of type int"]);
    refused(
        &module("[] true -> true : true;"),
        &["a probability must be of type double"],
    );
    refused(
        "const int x = 1; const int x = 2;",
        &["declared twice", "first here"],
    );
    refused(
        "mdp module m x : bool; endmodule module n y : bool; [] true -> (x'=true); endmodule",
        &["belongs to another module", "`global`"],
    );
    refused(
        "mdp module m x : bool; endmodule module n = m [y=z] endmodule",
        &["must rename the variable `x`"],
    );
    refused("mdp module n = m [x=y] endmodule", &["no module `m`"]);
    refused("mdp module n = n [x=y] endmodule", &["copy of itself"]);
    refused(
        "mdp global g : bool; module m x : bool; [a] true -> (g'=true); endmodule
         module n y : bool; [a] true -> true; endmodule",
        &["`g` is global"],
    );
    refused(
        "mdp module m x : bool; endmodule label \"init\" = x;",
        &["already a label"],
    );
}

#[test]
fn definitions_by_themselves() {
    refused(
        "formula f = f; module m endmodule",
        &["`f` is defined in terms of itself"],
    );
    refused(
        "formula f = g+1; formula g = f; module m endmodule",
        &["defined in terms of itself"],
    );
    refused(
        "const int a = b; const int b = a; module m endmodule",
        &["defined in terms of itself"],
    );
}

#[test]
fn ranges() {
    refused("mdp module m x : [2..1]; endmodule", &["2..1", "is empty"]);
    refused(
        "mdp module m x : [0..4294967296]; endmodule",
        &["too large"],
    );
    refused(
        "mdp module m x : [0..3] init 4; endmodule",
        &["outside its range 0..3"],
    );
    refused(
        "mdp module m x : [0..y]; y : bool; endmodule",
        &["type int"],
    );
    refused(
        "mdp module m x : [0..y]; y : [0..1]; endmodule",
        &["only constants"],
    );
    refused(
        &module("[] true -> (x'=x+1);"),
        &["`x` would become 3", "state x=2", "m.nm:4"],
    );
}

#[test]
fn probabilities() {
    let short = module("[a] x=0 -> 0.5 : (x'=1) + 0.4 : (x'=2);");
    refused(
        &short,
        &["add up to 9/10 and not to 1", "m.nm:4", "state x=0"],
    );
    refused(
        &module("[] x<2 -> x/4 : true + 1/2 : (x'=x+1);"),
        &["add up to 1/2 and not to 1", "state x=0"],
    );
    refused(
        &module("[] true -> 1-2*x : true + 2*x : (x'=1) ;[] x=0 -> (x'=1);"),
        &["the probability -1 is negative", "state x=1"],
    );
    refused(&module("[] true -> -1/2:true + 3/2:true;"), &["negative"]);
    refused(
        &module("[] true -> pow(2, 0.5)/2 : true + 1/2 : true;"),
        &["irrational"],
    );
    refused(
        &module("[] true -> log(3, 2)/2 : true + 1/2 : true;"),
        &["irrational"],
    );
    // What is never enabled is never examined.
    assert_eq!(count(&module("[] x=2 -> 0.5 : true;")).states, 1);
}

#[test]
fn zero_probabilities_lead_nowhere() {
    let counts = count(&module("[] x=0 -> 0 : (x'=2) + 1 : (x'=1);"));
    assert_eq!((counts.states, counts.transitions), (2, 2));
    // Not even out of range.
    assert_eq!(count(&module("[] x=0 -> 0 : (x'=7) + 1 : true;")).states, 1);
}

#[test]
fn division_by_zero() {
    refused(
        &module("[] 1/x>0 -> true;"),
        &["division by zero", "state x=0"],
    );
    refused(&module("[] mod(1,x)=0 -> true;"), &["must be positive"]);
    refused(&module("[] pow(0.0,-1)>1 -> true;"), &["division by zero"]);
    refused(&module("[] log(0, 2)>1 -> true;"), &["not defined"]);
    // Decided before it comes to that, as in PRISM.
    assert_eq!(count(&module("[] x!=0 & 1/x>0 -> true;")).deadlocks, 1);
    refused(&module("[] 1/x>0 & x!=0 -> true;"), &["division by zero"]);
}

#[test]
fn logarithms_and_roots_are_compared_exactly() {
    let holds = |condition: &str| {
        let counts = count(&module(&format!("[] x=0 & ({condition}) -> (x'=1);")));
        counts.states == 2
    };
    for condition in [
        "log(8, 2) = 3",
        "log(8, 4) = 1.5",
        "log(0.5, 2) = -1",
        "log(3, 2) > 1.58",
        "log(3, 2) < 1.59",
        "floor(log(1000, 10)) = 3",
        "ceil(log(1001, 10)) = 4",
        "round(log(3, 2)) = 2",
        "floor(log(0.1, 2)) = -4",
        "pow(4, 0.5) = 2",
        "pow(2, 0.5) > 1.41",
        "pow(2, 0.5) < 1.42",
        "floor(pow(1000, 1/3)) = 10",
        "floor(pow(999, 1/3)) = 9",
        "pow(2, -2.0) = 0.25",
        "pow(2, 10) = 1024",
        "max(log(3, 2), 1) > 1",
        "log(9, 1/3) = -2",
        "0.1 + 0.2 = 0.3",
        "x + 1e-3 > x",
        "x<-1 | x=0",
        "mod(-1, 3) = 2",
        "round(0.5) = 1 & round(-0.5) = 0 & round(2.4) = 2",
        "min(3, x, 2.5) = 0 & max(x, 1, 2) = 2",
        "(x=0 ? 1 : 2) = 1",
        "func(min, 1, 2) = 1 & func(floor, 1.5) = 1",
        "(false => false) & (true <=> !false)",
        "!x=1",
        "2*3-1-1=4 & 8/2/2=2",
    ] {
        assert!(holds(condition), "{condition}");
    }
    assert!(!holds("log(3, 2) = 1.5849"));
    let near = module("[] log(3, 2) < 1.584962500721156 -> true;");
    refused(&near, &["too large to be compared exactly"]);
    refused(&module("[] pow(2, -1) > 0 -> true;"), &["exponent -1"]);
    refused(
        &module("[] log(3, 2) < log(5, 3) -> true;"),
        &["not compared"],
    );
}

#[test]
fn constants_from_outside() {
    let text = "mdp const int N; const double p; const bool b = N>2;
        module m x : [0..N]; [] x<N -> p : (x'=x+1) + 1-p : true; endmodule";
    let states = |constants: &[(&str, &str)]| match read_text("m", text, &options(constants)) {
        Ok((model, _)) => Ok(model.count(&Exploration::unlimited()).unwrap().states),
        Err((errors, _)) => Err(errors[0].message.clone()),
    };
    assert_eq!(states(&[("N", "3"), ("p", "0.5")]), Ok(4));
    assert_eq!(states(&[("N", "2*5"), ("p", "1/3")]), Ok(11));
    assert_eq!(states(&[("N", "3"), ("p", "1")]), Ok(4));
    let missing = states(&[("N", "3")]).unwrap_err();
    assert!(missing.contains("`p` has no value"), "{missing}");
    let wrong = states(&[("N", "0.5"), ("p", "1")]).unwrap_err();
    assert!(wrong.contains("`N`") && wrong.contains("int"), "{wrong}");
    let unknown = states(&[("N", "3"), ("p", "1"), ("q", "1")]).unwrap_err();
    assert!(unknown.contains("no constant `q`"), "{unknown}");
    let twice = states(&[("N", "3"), ("p", "1"), ("b", "true")]).unwrap_err();
    assert!(
        twice.contains("has a value in the model already"),
        "{twice}"
    );
}

#[test]
fn the_type_may_be_missing_or_late() {
    let late = "module m x : [0..1]; [] x=0 -> (x'=1); [] x=0 -> true; endmodule ";
    assert_eq!(read(late).model_type(), ModelType::Mdp);
    assert_eq!(count(late).choices, 3);
    let dtmc = format!("{late} probabilistic");
    assert_eq!(read(&dtmc).model_type(), ModelType::Dtmc);
    assert_eq!(count(&dtmc).choices, 2);
    assert_eq!(
        read(&format!("nondeterministic {late}")).model_type(),
        ModelType::Mdp
    );
}

#[test]
fn deadlocks_empty_modules_and_lonely_states() {
    let counts = count("mdp module m endmodule");
    let one = Counts {
        states: 1,
        initial: 1,
        choices: 1,
        transitions: 1,
        deadlocks: 1,
    };
    assert_eq!(counts, one);
    // b alone can do c, but a blocks it: both have it.
    let blocked = "mdp module a x : bool; [c] false -> true; endmodule
        module b y : bool; [c] true -> (y'=true); endmodule";
    assert_eq!(count(blocked), one);
    assert_eq!(count(&module("[] x=1 -> (x'=2);")).states, 1);
    refused(&module("[] true -> (x'=7);"), &["would become 7"]);
}

#[test]
fn several_initial_states() {
    let text = "mdp module m x : [0..3]; y : bool; [] x=0 -> (x'=3); endmodule init x<2 & (y <=> x=0) endinit";
    let counts = count(text);
    assert_eq!((counts.initial, counts.states), (2, 3));
    let whole = read(text).whole(&mut Labels::new(), &Exploration::unlimited());
    let Err(ExplorationError::Invalid(errors)) = whole else {
        panic!("{whole:?}");
    };
    assert!(errors[0].message.contains("2 initial states"));
    let one = text.replace("x<2", "x=1");
    let whole = read(&one)
        .whole(&mut Labels::new(), &Exploration::unlimited())
        .unwrap();
    assert_eq!(whole.lpts.state_name(0), "x=1, y=false");
    refused(&text.replace("x<2", "x>7"), &["no state is initial"]);
    refused(
        "mdp module m x : [0..3] init 1; endmodule init true endinit",
        &["keep one of the two"],
    );
}

#[test]
fn systems() {
    let modules = "mdp module a x : bool; [s] !x -> (x'=true); endmodule
        module b y : bool; [s] !y -> (y'=true); endmodule ";
    let states = |system: &str| count(&format!("{modules} system {system} endsystem")).states;
    assert_eq!(states("a || b"), 2);
    assert_eq!(states("a ||| b"), 4);
    assert_eq!(states("a |[s]| b"), 2);
    assert_eq!(states("a |[t]| b"), 4);
    assert_eq!(states("(a / {s}) || b"), 4);
    assert_eq!(states("(a || b) / {s}"), 2);
    assert_eq!(states("a {s <- t} || b"), 4);
    assert_eq!(states("a {s <- t} || b {s <- t}"), 2);
    assert_eq!(states("a {s <- t} |[s,t]| b"), 1);
    refused(
        &format!("{modules} system a endsystem"),
        &["`b` is not in the system"],
    );
    refused(
        &format!("{modules} system a || a || b endsystem"),
        &["twice"],
    );
    refused(
        &format!("{modules} system a || c endsystem"),
        &["no module `c`"],
    );
}

#[test]
fn formulas_in_copies_are_renamed() {
    let text = "mdp formula free = x=0 & y=0;
        module a x : [0..1]; [] free -> (x'=1); endmodule
        module b = a [x=y, y=x] endmodule";
    assert_eq!(count(text).states, 3);
    let through = "mdp formula up = x=1; formula down = x=0;
        module a x : [0..1]; [] down -> (x'=1); endmodule
        module b = a [x=z, down=up] endmodule";
    // The copy waits for the original: its formula is another one, as it stands.
    assert_eq!(count(through).states, 3);
}

#[test]
fn deep_and_long_texts() {
    let nested = format!(
        "mdp module m [] {}true{} -> true; endmodule",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    refused(&nested, &["levels deep"]);
    let nots = format!(
        "mdp module m [] {}true -> true; endmodule",
        "!".repeat(100_000)
    );
    refused(&nots, &["levels deep"]);
    let chain = format!(
        "mdp module m [] {}true -> true; endmodule",
        "true & ".repeat(100_000)
    );
    assert_eq!(count(&chain).states, 1);
    let sum = format!(
        "mdp module m x : [0..1]; [] x+{}0=0 -> true; endmodule",
        "0+".repeat(100_000)
    );
    assert_eq!(count(&sum).states, 1);
    let implications = format!(
        "mdp module m [] {}true -> true; endmodule",
        "true => ".repeat(100_000)
    );
    refused(&implications, &["levels deep"]);
    // Each formula uses the one before it twice: too large to write out.
    let mut doubling = String::from("mdp formula f0 = x; ");
    for i in 1..100 {
        doubling.push_str(&format!("formula f{i} = f{0}+f{0}; ", i - 1));
    }
    doubling.push_str("module m x : [0..1]; [] f99=0 -> true; endmodule");
    let small = PrismOptions {
        limits: ParserLimits {
            states: 100_000,
            ..ParserLimits::default()
        },
        ..PrismOptions::default()
    };
    let failed = read_text("m", &doubling, &small).unwrap_err().0;
    assert!(failed[0].message.contains("too large"), "{failed:?}");
    // A chain of constants against their order.
    let mut constants: Vec<String> = (1..20_000)
        .map(|i| format!("const int c{i} = c{}+1;", i - 1))
        .collect();
    constants.reverse();
    let text = format!(
        "mdp {} const int c0 = 0; module m x : [0..c19999]; [] x=0 -> (x'=c19999); endmodule",
        constants.join("\n")
    );
    assert_eq!(count(&text).states, 2);
}

#[test]
fn a_hundred_thousand_lines() {
    let mut text = String::from("mdp\nmodule m\n  x : [0..100000] init 0;\n");
    for i in 0..100_000 {
        text.push_str(&format!(
            "  [a] x={i} -> 1/2 : (x'={}) + 1/2 : (x'=0);\n",
            i + 1
        ));
    }
    text.push_str("endmodule\n");
    let model = read(&text);
    // Every state tries every command, so only a few states are examined here.
    let how = Exploration {
        limits: SizeLimits {
            states: 100,
            ..SizeLimits::default()
        },
        stop: &|| false,
    };
    let failure = model.count(&how).unwrap_err();
    assert!(matches!(failure, ExplorationError::TooLarge(m) if m.contains("more than 100 states")));
}

#[test]
fn limits_and_stop() {
    let text = "mdp module m x : int; [] true -> (x'=x+1); endmodule";
    let how = Exploration {
        limits: SizeLimits {
            states: 1000,
            ..SizeLimits::default()
        },
        stop: &|| false,
    };
    let failure = read(text).count(&how).unwrap_err();
    assert!(
        matches!(&failure, ExplorationError::TooLarge(m) if m.contains("more than 1000 states")),
        "{failure:?}"
    );
    let asked = Cell::new(0);
    let how = Exploration {
        limits: SizeLimits::default(),
        stop: &|| {
            asked.set(asked.get() + 1);
            asked.get() > 10
        },
    };
    assert!(matches!(
        read(text).count(&how),
        Err(ExplorationError::Stopped)
    ));
    let wide = "mdp module m x : [0..1000000]; y : [0..1000000]; z : [0..1000000]; endmodule init x+y+z=-1 endinit";
    asked.set(0);
    assert!(matches!(
        read(wide).count(&how),
        Err(ExplorationError::Stopped)
    ));
    let huge = "mdp module m x : [0..4000000000]; [] x=0 -> (x'=4000000000); endmodule";
    assert_eq!(count(huge).states, 2);
}

#[test]
fn rewards_are_read() {
    let text = "mdp module m x : bool; [a] true -> true; endmodule
        rewards \"r\" x : 1; [a] true : 2; [] true : 0.5; endrewards";
    let model = read(text);
    assert!(model.warnings().is_empty());
}

/// Any beginning of a model, and any model with a few characters changed, is read or refused.
#[test]
fn damaged_models_do_no_harm() {
    let text = "mdp const int N = 3; const double p = 0.25; formula f = min(x, N) > 1 ? true : x=0;
        global g : [0..1] init 0;
        module m x : [0..N] init 0; [a] f -> p : (x'=mod(x+1, N)) + 1-p : true; [] g=0 -> (g'=1); endmodule
        module n = m [x=y, a=b] endmodule
        label \"l\" = x=1; rewards x=1 : 2; endrewards
        system (m || n) / {a} endsystem";
    for end in 0..text.len() {
        let _ = read_text("m", &text[..end], &PrismOptions::default());
    }
    suppose_testkit::for_each_seed(3000, |rng| {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..rng.between(1, 4) {
            let at = rng.below(bytes.len());
            let from = rng.below(bytes.len());
            match rng.below(3) {
                0 => bytes[at] = bytes[from],
                1 => {
                    bytes.remove(at);
                }
                _ => bytes.insert(at, b"()[]:;'=&|<>-+*/?,\"0x"[rng.below(21)]),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let how = Exploration {
            limits: SizeLimits {
                states: 1000,
                transitions: 10_000,
            },
            stop: &|| false,
        };
        match read_text("m", &text, &PrismOptions::default()) {
            Ok((model, _)) => {
                let _ = model.count(&how);
                let _ = model.whole(&mut Labels::new(), &how);
            }
            Err((errors, sources)) => {
                assert!(!errors.is_empty());
                for error in errors {
                    let _ = error.render(&sources, false);
                }
            }
        }
    });
}

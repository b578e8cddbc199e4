//! What a PRISM model may have, from outside: several initial states, rewards, steps, properties that are not decided.

use serde_json::Value;

use crate::markov::MODEL;
use crate::support::{Folder, suppose};

/// The channel of the other tests, with rewards.
fn channel() -> String {
    let rewards = "\
rewards \"sent\" [send] true : 1; endrewards
rewards \"time\" s=1 : 2; s=2 : 1/3; [fail] r=1 : 5; endrewards
";
    format!("{MODEL}{rewards}")
}

/// The values of a run, by claim.
fn values(model: &str, properties: &[&str]) -> Vec<(String, String)> {
    let folder = Folder::new();
    let model = folder.file("model.nm", model);
    let mut args = vec!["--format", "json", "check", &model];
    for property in properties {
        args.extend(["--property", property]);
    }
    let ran = suppose(args);
    assert_eq!(ran.status, 0, "{ran:#?}");
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    let all = document["markov"]["values"].as_array().unwrap();
    let text = |v: &Value, field: &str| v[field].as_str().unwrap().to_owned();
    all.iter()
        .map(|v| (text(v, "lower"), text(v, "upper")))
        .collect()
}

fn value(model: &str, property: &str) -> String {
    let all = values(model, &[property]);
    assert_eq!(all[0].0, all[0].1, "{property}");
    all[0].0.clone()
}

#[test]
fn a_component_that_is_huge_alone_is_explored_with_the_others() {
    let alone = "\
mdp
module a
  x : [0..999] init 0;
  y : [0..999] init 0;
  z : [0..999] init 0;
  [u] x<999 -> (x'=x+1);
  [v] y<999 -> (y'=y+1);
  [w] z<999 -> (z'=z+1);
endmodule
module b
  s : [0..3] init 0;
  [u] s=0 -> (s'=1);
  [v] s=1 -> (s'=2);
  [w] s=2 -> (s'=3);
endmodule
";
    assert_eq!(value(alone, "Pmax=? [ F s=3 ]"), "1");
    let folder = Folder::new();
    let model = folder.file("alone.nm", alone);
    let ran = suppose(["check", &model, "--property", "P<=1/2 [ F s=3 ]"]);
    ran.ended(10, "violated(P<=1/2 [ F s=3 ])");
    assert!(
        ran.stdout.contains("all modules are one component"),
        "{ran:#?}"
    );
    let ran = suppose(["check", &model]);
    assert!(ran.stdout.contains("4 states"), "{ran:#?}");
}

#[test]
fn several_initial_states_are_all_meant() {
    let init = "\
mdp
module m
  x : [0..1];
  [a] true -> (x'=0);
endmodule
init true endinit
";
    let all = values(
        init,
        &[
            "Pmax=? [ X x=0 ]",
            "Pmax=? [ F<=0 x=1 ]",
            "filter(max, Pmax=? [ F<=0 x=1 ], \"init\")",
        ],
    );
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(all, [pair("1", "1"), pair("0", "1"), pair("1", "1")]);
    let folder = Folder::new();
    let model = folder.file("init.nm", init);
    let ran = suppose(["check", &model]);
    ran.ended(0, "holds");
    assert!(
        ran.stdout.contains("2 states, 2 choices, 2 transitions"),
        "{ran:#?}"
    );
    let ran = suppose(["check", &model, "--property", "P>=1 [ X x=0 ]"]);
    ran.ended(0, "holds");
    let ran = suppose(["check", &model, "--property", "P>=1 [ F<=0 x=0 ]"]);
    ran.ended(10, "violated(P>=1 [ F<=0 x=0 ])");
    let ran = suppose(["check", &model, "--spec", &model]);
    assert_eq!(ran.status, 2, "{ran:#?}");
    assert!(
        ran.stderr.contains("the model has 2 initial states"),
        "{ran:#?}"
    );
}

#[test]
fn a_property_that_is_not_decided_leaves_the_others() {
    let folder = Folder::new();
    let model = folder.file("channel.nm", channel());
    let mix = "\
\"a\": Pmax=? [ F \"lost\" ];
\"b\": Pmax=? [ G F \"lost\" ];
\"c\": Pmax=? [ F>=2 \"lost\" ];
\"d\": Pmax=? [ F^{rew{\"sent\"}<=2} \"lost\" ];
\"e\": R{\"sent\"}max=? [ C ];
\"f\": filter(avg, Pmax=? [ F \"lost\" ], \"init\");
\"g\": R{\"sent\"}min=? [ F \"lost\" ];
";
    let properties = folder.file("mix.props", mix);
    let ran = suppose(["check", &model, "--property-file", &properties]);
    assert_eq!(ran.status, 5, "{ran:#?}");
    for (name, decided) in [("a", true), ("c", true), ("g", true)] {
        assert_eq!(
            ran.stdout.contains(&format!("\n{name}: holds")),
            decided,
            "{ran:#?}"
        );
    }
    for why in [
        "b: temporal",
        "d: bounds",
        "e: rewards without",
        "f: of filters",
    ] {
        assert!(
            ran.stdout.contains(why) || ran.stderr.contains(why),
            "{why}: {ran:#?}"
        );
    }
}

#[test]
fn steps_are_counted_from_either_end() {
    // Lost at steps 1, 3, 5, ... with probability 1/4 each.
    assert_eq!(value(&channel(), "Pmax=? [ F<=3 \"lost\" ]"), "7/16");
    assert_eq!(value(&channel(), "Pmax=? [ F>=2 \"lost\" ]"), "1");
    assert_eq!(value(&channel(), "Pmax=? [ F=3 \"lost\" ]"), "1/4");
    assert_eq!(value(&channel(), "Pmax=? [ F=2 \"lost\" ]"), "0");
    assert_eq!(value(&channel(), "Pmax=? [ F[2,5] \"lost\" ]"), "7/16");
    assert_eq!(value(&channel(), "Pmin=? [ G[2,5] !\"lost\" ]"), "9/16");
    assert_eq!(value(&channel(), "Pmax=? [ \"lost\" R !\"lost\" ]"), "0");
    assert_eq!(value(&channel(), "Pmax=? [ false R<=3 !\"lost\" ]"), "9/16");
    assert_eq!(value(&channel(), "Pmax=? [ !\"lost\" W \"lost\" ]"), "1");
}

#[test]
fn rewards_are_added_up() {
    // A message is lost one time in four: four are sent, and three times there is an acknowledgement.
    assert_eq!(value(&channel(), "R{\"sent\"}max=? [ F \"lost\" ]"), "4");
    assert_eq!(value(&channel(), "R{\"time\"}min=? [ F \"lost\" ]"), "6");
    assert_eq!(value(&channel(), "R{2}max=? [ C<=2 ]"), "17/6");
    assert_eq!(value(&channel(), "Rmax=? [ C<=5 ]"), "3");
    assert_eq!(value(&channel(), "R{\"time\"}max=? [ I=1 ]"), "19/12");
    assert_eq!(
        value(&channel(), "R{\"sent\"}max=? [ F false ]"),
        "infinity"
    );
    let folder = Folder::new();
    let model = folder.file("channel.nm", channel());
    let certificate = folder.path("reward.cert");
    let holds = "R{\"sent\"}<=4 [ F \"lost\" ]";
    let ran = suppose([
        "check",
        &model,
        "--property",
        holds,
        "--certificate",
        &certificate,
    ]);
    ran.ended(0, "holds");
    assert!(ran.stdout.contains("reward         4"), "{ran:#?}");
    suppose(["certify", &certificate, &model]).ended(0, "holds");
    let ran = suppose([
        "check",
        &model,
        "--property",
        "R{\"sent\"}<4 [ F \"lost\" ]",
    ]);
    assert_eq!(ran.status, 10, "{ran:#?}");
    let negative = channel().replace("s=1 : 2;", "s=1 : -2;");
    let model = folder.file("negative.nm", negative);
    let ran = suppose(["check", &model, "--property", "R{\"time\"}max=? [ C<=2 ]"]);
    assert_eq!(ran.status, 2, "{ran:#?}");
    assert!(ran.stderr.contains("the reward -2 is negative"), "{ran:#?}");
}

#[test]
fn whole_numbers_in_fractions_may_be_long() {
    let long = "\
dtmc
const double p = 12345678901234567890123/98765432109876543210987;
module m
  x : [0..2] init 0;
  [] x=0 -> p : (x'=1) + 1-p : (x'=2);
endmodule
";
    let expected = "4115226300411522630041/32921810703292181070329";
    assert_eq!(value(long, "P=? [ F x=1 ]"), expected);
}

#[test]
fn numbers_of_10000_digits_are_decided_and_certified() {
    let folder = Folder::new();
    let model = |digits: usize| {
        let (n, less) = ("7".repeat(digits), "7".repeat(digits - 1) + "6");
        format!(
            "dtmc\nmodule a\n x : [0..2];\n [] x=0 -> 1/{n} : (x'=1) + {less}/{n} : (x'=2);\n\
             [] x>0 -> true;\nendmodule\n"
        )
    };
    let file = folder.file("long.nm", model(9_999));
    let cert = folder.path("long.cert");
    let line = [
        "check",
        &file,
        "-p",
        "P<=1/2 [ F x=1 ]",
        "--certificate",
        &cert,
    ];
    suppose(line).ended(0, "holds");
    suppose(["certify", &cert, &file]).ended(0, "holds");
    let longer = folder.file("longer.nm", model(10_001));
    let ran = suppose(["check", &longer]);
    ran.refused(2, "77777777777777777777... is too large");
    assert!(ran.stderr.contains("at most 10000 digits"), "{ran:#?}");
}

#[test]
fn a_chain_that_needs_a_million_iterations_is_solved_at_once() {
    // From the middle of a line whose steps lead back to the start with a half: the way to either end is of length 2^20.
    let chain = "\
dtmc
const int N = 20;
module m
  x : [0..2*N] init N;
  [] x=0 | x=2*N -> true;
  [] x>0 & x<N -> 1/2 : (x'=x-1) + 1/2 : (x'=N);
  [] x>N & x<2*N -> 1/2 : (x'=x+1) + 1/2 : (x'=N);
  [] x=N -> 1/2 : (x'=N-1) + 1/2 : (x'=N+1);
endmodule
";
    assert_eq!(value(chain, "P=? [ F x=0 ]"), "1/2");
}

//! The resource arbiter of the Mars rovers, with failures (MER).

use super::{Instance, Variant, numbered, renamed};

const ABOUT: &str = "\
//
// A user asks for communication (1) or driving (2). The arbiter grants it if neither is in use;
// otherwise it denies, or rescinds the grant and waits until the holder has cancelled. Which of
// the two it does is left open. A user may crash before it asks, while it uses a resource, and
// after it has given one up; it then has forgotten what it held, and cancels when told to. It
// may also hang until it is told to leave or a watchdog cancels for it. The arbiter may wear when
// it takes a request, and then reboots: it still knows the holder, but no longer of what.
//
// After the arbiter of Holzmann and Joshi (2004) and Pasareanu et al. (2008), with the failures
// that Feng, Kwiatkowska and Parker (2010, 2011) added to all components; rebuilt from the
// descriptions. The arbiter alone, the users alone and the specification have the numbers of
// states in Table 6.2 of Komuravelli (2015); the whole system has about a tenth less.
";

const FORGETS: &str = "\
//
// Wrong: the arbiter forgets the holder, too, when it reboots.
";

const CONSTANTS: &str = "
mdp

const double crash = 1/20; // of a user
const double hang = 1/20;  // of a user
const double wear = 1/50;  // of the arbiter

// Stages: 0 open, 1 judging, 2 granting, 3 rescinding, 4 waiting for the cancellation on behalf
// of the asker, 5 waiting without one, 6 to 8 rebooting.
module arbiter
  stage : [0..8] init 0;
  worn : bool init false;
";

/// Of resource `@`; `want`, `asked`, `using` and `leaving` are the states of the user.
const USER_COMMANDS: &str = "
  [] u1=0 -> 1-crash : (u1'=want) + crash : (u1'=9);
  [ask1_@] u1=want -> (u1'=asked);
  [grant1_@] u1=asked -> (u1'=using);
  [deny1_@] u1=asked -> (u1'=0);
  [use1] u1=using -> 1-crash-hang : true + crash : (u1'=9) + hang : (u1'=11);
  [cancel1_@] u1=using -> (u1'=0);
  [rescind1_@] u1=using -> (u1'=leaving);
  [cancel1_@] u1=leaving -> 1-crash : (u1'=0) + crash : (u1'=9);
  [rescind1_@] u1=11 -> 1-hang : (u1'=leaving) + hang : true;
  [cancel1_@] u1=11 -> (u1'=0);
  // It has forgotten the grant, and gives it up when told to or at once.
  [rescind1_@] u1<=4 | u1=10 -> true;
  [cancel1_@] u1<=4 | u1=10 -> true;
";

const ABOUT_SPECIFICATION: &str = "\
//
// Nobody is granted a resource before the last holder has cancelled, and user 1 crashes with the
// probability 1/20 when it plans, uses or gives up. All the rest is left open.

mdp

const double crash = 1/20;

module lock
";

const SPECIFICATION_OF_USER: &str = "
// 0 in order, 1 crashed, 2 recovering
module user1
  u1 : [0..2] init 0;
  [] u1=0 -> 1-crash : true + crash : (u1'=1);
  [use1] u1=0 -> 1-crash : true + crash : (u1'=1);
  [ask1_1] u1=0 -> true;
  [ask1_2] u1=0 -> true;
  [grant1_1] u1=0 -> true;
  [grant1_2] u1=0 -> true;
  [deny1_1] u1=0 -> true;
  [deny1_2] u1=0 -> true;
  [rescind1_1] u1!=1 -> true;
  [rescind1_2] u1!=1 -> true;
  [cancel1_1] u1!=1 -> true;
  [cancel1_2] u1!=1 -> true;
  [cancel1_1] u1=0 -> 1-crash : true + crash : (u1'=1);
  [cancel1_2] u1=0 -> 1-crash : true + crash : (u1'=1);
  [fail1] u1=1 -> (u1'=2);
  [recover1] u1=2 -> (u1'=0);
endmodule
";

/// What a user is renamed by.
const USER_NAMES: [&str; 14] = [
    "u#",
    "use#",
    "fail#",
    "recover#",
    "ask#_1",
    "grant#_1",
    "deny#_1",
    "rescind#_1",
    "cancel#_1",
    "ask#_2",
    "grant#_2",
    "deny#_2",
    "rescind#_2",
    "cancel#_2",
];

/// The arbiter of two resources for `n` users; all of them may fail.
#[must_use]
pub fn arbiter(n: usize, variant: Variant) -> Instance {
    Instance {
        system: system(n, variant),
        specification: specification(n),
        split: [vec!["arbiter".to_owned()], numbered("user", n)],
    }
}

fn system(n: usize, variant: Variant) -> String {
    let mut t = String::new();
    put!(
        t,
        "// The resource arbiter of the Mars rovers: {n} users, two resources that exclude each other."
    );
    t += ABOUT;
    if variant == Variant::Wrong {
        t += FORGETS;
    }
    arbiter_module(&mut t, n, variant);
    user_module(&mut t);
    (2..=n).for_each(|i| renamed(&mut t, "user", [1, i], &USER_NAMES));
    let holds = |i| format!("(u{i}>=5 & u{i}<=8 | u{i}=11 ? 1 : 0)");
    let holding: Vec<String> = (1..=n).map(holds).collect();
    put!(t, "\n// Two users hold a resource at once.");
    put!(t, "label \"bad\" = {} > 1;", holding.join(" + "));
    put!(t, "// User 1 has crashed.");
    put!(t, "label \"down\" = u1=9;");
    put!(t, "// The arbiter reboots.");
    put!(t, "label \"reboot\" = stage=6;");
    t
}

fn arbiter_module(t: &mut String, n: usize, variant: Variant) {
    *t += CONSTANTS;
    put!(t, "  holder : [0..{n}] init 0; held : [0..2] init 0;");
    put!(t, "  asker : [0..{n}] init 0; asked : [0..2] init 0;");
    for u in 1..=n {
        for r in 1..=2 {
            answers(t, u, r);
            cancellations(t, u, r);
        }
    }
    put!(t, "\n  [] stage=1 & holder=0 -> (stage'=2);");
    put!(t, "  [] stage=1 & holder!=0 -> (stage'=3);");
    let forget = match variant {
        Variant::Right => "",
        Variant::Wrong => " & (holder'=0)",
    };
    put!(
        t,
        "  [reboot] stage=0 & worn -> (stage'=6) & (worn'=false) & (held'=0){forget};"
    );
    put!(t, "  [boot] stage=6 | stage=7 -> (stage'=stage+1);");
    put!(t, "  [boot] stage=8 & holder=0 -> (stage'=0);");
    put!(t, "endmodule");
}

/// What the arbiter does with the request of user `u` for resource `r`.
fn answers(t: &mut String, u: usize, r: usize) {
    let taken = format!("(stage'=1) & (asker'={u}) & (asked'={r})");
    let asks = format!("asker={u} & asked={r}");
    let done = "(asker'=0) & (asked'=0)";
    put!(
        t,
        "\n  [ask{u}_{r}] stage=0 & !worn -> 1-wear : {taken} + wear : {taken} & (worn'=true);"
    );
    put!(t, "  [ask{u}_{r}] stage=0 & worn -> {taken};");
    put!(
        t,
        "  [grant{u}_{r}] stage=2 & {asks} -> (stage'=0) & (holder'={u}) & (held'={r}) & {done};"
    );
    put!(
        t,
        "  [deny{u}_{r}] stage=1 & holder!=0 & {asks} -> (stage'=0) & {done};"
    );
    put!(
        t,
        "  [deny{u}_{r}] stage=4 & {asks} -> (stage'=5) & {done};"
    );
}

/// What the arbiter does with the grant of resource `r` that user `u` has.
fn cancellations(t: &mut String, u: usize, r: usize) {
    let holds = format!("holder={u} & held={r}");
    let free = "(holder'=0) & (held'=0)";
    put!(t, "  [rescind{u}_{r}] stage=3 & {holds} -> (stage'=4);");
    put!(
        t,
        "  [rescind{u}_{r}] stage=8 & holder={u} -> (stage'=5) & (held'={r});"
    );
    put!(
        t,
        "  [cancel{u}_{r}] (stage=0 | stage=1) & {holds} -> {free};"
    );
    put!(
        t,
        "  [cancel{u}_{r}] (stage=3 | stage=4) & {holds} -> (stage'=2) & {free};"
    );
    put!(
        t,
        "  [cancel{u}_{r}] stage=5 & {holds} -> (stage'=0) & {free};"
    );
}

fn user_module(t: &mut String) {
    put!(
        t,
        "\n// 0 idle; 1, 2 about to ask for resource 1, 2; 3, 4 asked; 5, 6 using it; 7, 8 told to leave it;"
    );
    put!(t, "// 9 crashed, 10 recovering, 11 hanging");
    put!(t, "module user1");
    put!(t, "  u1 : [0..11] init 0;");
    for r in 1..=2 {
        let mut commands = USER_COMMANDS.replace('@', &r.to_string());
        for (state, at) in [
            ("want", r),
            ("asked", r + 2),
            ("using", r + 4),
            ("leaving", r + 6),
        ] {
            commands = commands.replace(state, &at.to_string());
        }
        *t += &commands;
    }
    put!(t, "\n  [fail1] u1=9 -> (u1'=10);");
    put!(t, "  [recover1] u1=10 -> (u1'=0);");
    put!(t, "endmodule\n");
}

fn specification(n: usize) -> String {
    let mut t = String::new();
    put!(
        t,
        "// Specification of the resource arbiter of the Mars rovers for {n} users."
    );
    t += ABOUT_SPECIFICATION;
    put!(t, "  holder : [0..{n}] init 0;");
    for u in 1..=n {
        for r in 1..=2 {
            put!(t, "  [grant{u}_{r}] holder=0 -> (holder'={u});");
            put!(t, "  [cancel{u}_{r}] holder={u} -> (holder'=0);");
            put!(t, "  [ask{u}_{r}] true -> true;");
            put!(t, "  [deny{u}_{r}] true -> true;");
            put!(t, "  [rescind{u}_{r}] true -> true;");
        }
    }
    for u in 2..=n {
        put!(t, "  [use{u}] true -> true;");
        put!(t, "  [fail{u}] true -> true;");
        put!(t, "  [recover{u}] true -> true;");
    }
    put!(t, "  [reboot] true -> true;");
    put!(t, "  [boot] true -> true;");
    put!(t, "  [] true -> true;");
    put!(t, "endmodule");
    t += SPECIFICATION_OF_USER;
    t
}

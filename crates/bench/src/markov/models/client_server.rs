//! Clients and a server with mutual exclusion and failures (CS1 and CSN).

use super::{Instance, Variant, numbered, renamed};

/// Which clients of the client-server model may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    /// Client 1 only (CS1).
    One,
    /// Every client (CSN).
    All,
}

const ABOUT: &str = "\
//
// The server takes one request at a time, grants it if nobody holds the resource and denies
// it otherwise. A client that may fail either does not notice its own cancellation and goes on
// using the resource (a slip), or crashes and has to recover. The server ignores the
// cancellation of a client that holds nothing.
//
// After the client-server example of Pasareanu et al. (2008) with the failures that Feng,
// Kwiatkowska and Parker (2010, 2011) added; rebuilt from the descriptions, with the numbers
// of states in Table 6.2 of Komuravelli (2015), which it meets exactly.
";

const CRASHES_MORE: &str = "\
//
// Wrong: the client crashes twice as often as the specification allows.
";

const GRANTS_MORE: &str = "\
//
// Wrong: the server grants whether or not somebody holds the resource.
";

const FAILING_CLIENT: &str = "
// 0 idle, 1 asked, 2 using, 3 crashed, 4 down
module client1
  c1 : [0..4] init 0;
  [request1] c1=0 -> (c1'=1);
  [grant1] c1=1 -> (c1'=2);
  [deny1] c1=1 -> (c1'=0);
  [cancel1] c1=2 -> 1-slip-crash : (c1'=0) + slip : (c1'=2) + crash : (c1'=3);
  [fail1] c1=3 -> (c1'=4);
  [recover1] c1=4 -> (c1'=0);
endmodule

";

const RELIABLE_CLIENT: &str = "\
// 0 idle, 1 asked, 2 using
module client2
  c2 : [0..2] init 0;
  [request2] c2=0 -> (c2'=1);
  [grant2] c2=1 -> (c2'=2);
  [deny2] c2=1 -> (c2'=0);
  [cancel2] c2=2 -> (c2'=0);
endmodule

";

const ABOUT_SPECIFICATION: &str = "\
//
// Grants exclude each other, a slip and a crash have the probability 1/20 each, and nobody
// fails who has not cancelled. Requests and denials are left open.

mdp

const double slip = 1/20;
const double crash = 1/20;

";

const FAILING_SPECIFICATION: &str = "
// 0 in order, 1 holds the resource, 2 uses it without holding it, 3 out of order
module client1
  c1 : [0..3] init 0;
  [request1] c1=0 -> true;
  [deny1] c1=0 -> true;
  [grant1] c1=0 -> (c1'=1);
  [cancel1] c1=1 | c1=2 -> 1-slip-crash : (c1'=0) + slip : (c1'=2) + crash : (c1'=3);
  [fail1] c1=3 -> true;
  [recover1] c1=3 -> (c1'=0);
endmodule

";

const RELIABLE_SPECIFICATION: &str = "\
// 0 does not hold the resource, 1 holds it
module client2
  c2 : [0..1] init 0;
  [request2] c2=0 -> true;
  [deny2] c2=0 -> true;
  [grant2] c2=0 -> (c2'=1);
  [cancel2] c2=1 -> (c2'=0);
endmodule

";

/// Clients and a server with mutual exclusion, of which one or all may fail.
#[must_use]
pub fn client_server(n: usize, failing: Failing, variant: Variant) -> Instance {
    let clients_of = numbered("client", n);
    let server_of = vec!["server".to_owned()];
    Instance {
        system: system(n, failing, variant),
        specification: specification(n, failing),
        split: match failing {
            Failing::One => [server_of, clients_of],
            Failing::All => [clients_of, server_of],
        },
    }
}

fn system(n: usize, failing: Failing, variant: Variant) -> String {
    let mut t = String::new();
    let (who, fault) = match failing {
        Failing::One => ("client 1 of", CRASHES_MORE),
        Failing::All => ("each of", GRANTS_MORE),
    };
    put!(t, "// Client and server; {who} {n} clients may fail.");
    t += ABOUT;
    let wrong = variant == Variant::Wrong;
    if wrong {
        t += fault;
    }
    let crash = if wrong && failing == Failing::One {
        10
    } else {
        20
    };
    put!(t, "\nmdp\n");
    put!(t, "const double slip = 1/20;");
    put!(t, "const double crash = 1/{crash};\n");
    server(&mut t, n, wrong && failing == Failing::All);
    clients(&mut t, n, failing, [FAILING_CLIENT, RELIABLE_CLIENT]);
    let using: Vec<String> = (1..=n).map(|i| format!("(c{i}=2 ? 1 : 0)")).collect();
    put!(t, "\n// Two clients use the resource at once.");
    put!(t, "label \"bad\" = {} > 1;", using.join(" + "));
    put!(t, "// Client 1 is out of order.");
    put!(t, "label \"down\" = c1=3 | c1=4;");
    t
}

fn server(t: &mut String, n: usize, careless: bool) {
    let free = if careless { "" } else { " & holder=0" };
    put!(t, "module server");
    put!(t, "  asking : [0..{n}] init 0; // whose request is open");
    put!(t, "  holder : [0..{n}] init 0; // who holds the resource");
    for i in 1..=n {
        put!(t, "  [request{i}] asking=0 -> (asking'={i});");
        put!(
            t,
            "  [grant{i}] asking={i}{free} -> (asking'=0) & (holder'={i});"
        );
        put!(t, "  [deny{i}] asking={i} & holder!=0 -> (asking'=0);");
        put!(t, "  [cancel{i}] holder={i} -> (holder'=0);");
        put!(t, "  [cancel{i}] holder!={i} -> true;");
    }
    put!(t, "endmodule");
}

/// All clients: the first of each kind is written out, the others are it renamed.
fn clients(t: &mut String, n: usize, failing: Failing, [first, reliable]: [&str; 2]) {
    let names = [
        "c#", "request#", "grant#", "deny#", "cancel#", "fail#", "recover#",
    ];
    *t += first;
    match failing {
        Failing::All => (2..=n).for_each(|i| renamed(t, "client", [1, i], &names)),
        Failing::One if n > 1 => {
            *t += reliable;
            (3..=n).for_each(|i| renamed(t, "client", [2, i], &names[..5]));
        }
        Failing::One => {}
    }
}

fn specification(n: usize, failing: Failing) -> String {
    let mut t = String::new();
    let who = match failing {
        Failing::One => "the first",
        Failing::All => "each",
    };
    put!(
        t,
        "// Specification of the client-server system of {n} clients, of which {who} may fail."
    );
    t += ABOUT_SPECIFICATION;
    put!(t, "module lock");
    put!(t, "  holder : [0..{n}] init 0;");
    for i in 1..=n {
        put!(t, "  [grant{i}] holder=0 -> (holder'={i});");
        put!(t, "  [cancel{i}] holder={i} -> (holder'=0);");
        put!(t, "  [cancel{i}] holder!={i} -> true;");
    }
    put!(t, "endmodule");
    clients(
        &mut t,
        n,
        failing,
        [FAILING_SPECIFICATION, RELIABLE_SPECIFICATION],
    );
    t
}

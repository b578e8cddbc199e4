//! Random programs whose processes can be exchanged and speak of each other: they hold numbers of processes, with 0 or with 255
//! for nobody.

use crate::rng::Rng;

/// A program with any number of such processes.
#[derive(Clone, Debug)]
pub struct Exchangeable {
    steps: Vec<String>,
    has_server: bool,
    ends: bool,
    claim: Option<&'static str>,
}

impl Exchangeable {
    /// A random one, without a claim.
    pub fn random(rng: &mut Rng) -> Exchangeable {
        Exchangeable {
            steps: (0..2 + rng.below(5)).map(|_| statement(rng)).collect(),
            has_server: rng.below(2) == 1,
            ends: rng.below(3) == 0,
            claim: None,
        }
    }

    /// With a random safety claim.
    pub fn with_claim(mut self, rng: &mut Rng) -> Exchangeable {
        let all = [
            "[] (x <= 1)",
            "[] (x == 0 || lock)",
            "[] ((x == 1) -> X (x != 0))",
            "[] (len(c) == 0 || x < 2)",
        ];
        self.claim = Some(all[rng.below(all.len())]);
        self
    }

    /// Its text, with so many processes.
    pub fn text(&self, count: usize) -> String {
        let body = self.steps.join("; ");
        let server = match self.has_server {
            false => "",
            true => {
                "active proctype S() { byte v; end: do :: c?v -> who = v :: (who != NONE) -> next[who - ADD] = NONE od }"
            }
        };
        let body = match self.ends {
            true => body,
            false => format!("do :: {body} od"),
        };
        // Process 0 is S, if it is there; otherwise nobody is 255.
        let (none, add) = match self.steps.len().is_multiple_of(2) {
            true => (255, 0),
            false => (0, 1),
        };
        let claim = self.claim.map(|c| format!("ltl p {{ {c} }}\n"));
        format!(
            "#define NONE {none}\n#define ADD {add}\n#define ME (_pid + ADD)\n\
             bool lock; byte x; byte who = NONE; chan c = [1] of {{ byte }}; byte next[9] = NONE; bool mine[9];\n\
             {server}\nactive [{count}] proctype P() {{ byte y = NONE; byte z = NONE; byte n; {body} }}\n{}",
            claim.unwrap_or_default()
        )
    }
}

/// A statement of a process that speaks of others.
fn statement(rng: &mut Rng) -> String {
    let all = [
        "atomic { who == NONE -> who = ME }",
        "who = ME",
        "who = NONE",
        "y = who",
        "atomic { y = who; who = ME }",
        "atomic { who == ME -> who = NONE }",
        "(who != ME)",
        "if :: y != NONE -> next[y - ADD] = ME :: else fi",
        "if :: y != NONE -> mine[y - ADD] = true :: else fi",
        "y = next[_pid]",
        "next[_pid] = NONE",
        "mine[_pid] = false",
        "(mine[_pid])",
        "c!ME",
        "c?y",
        "if :: c?eval(ME) :: skip fi",
        "y = NONE",
        "z = y",
        "z = who; (z != y)",
        "n = 1 - n",
        "(n == 0)",
        "if :: z != NONE -> next[z - ADD] = y :: else fi",
        "assert(z != ME || n == 0)",
        "atomic { !lock -> lock = true }",
        "lock = false",
        "x++",
        "x--",
        "assert(y != ME)",
        "assert(who == ME)",
        "assert(next[_pid] != ME)",
        "assert(x <= 1)",
        "assert(who != NONE || y == NONE)",
        "assert(!mine[_pid] || lock)",
    ];
    all[rng.below(all.len())].to_owned()
}

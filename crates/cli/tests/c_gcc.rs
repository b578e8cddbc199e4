//! Random C programs against gcc, from text to verdict: each is run by the compiled program on all its inputs, with every signed overflow
//! caught, and what the engines find of its assertions and of overflow must agree. The evidence is checked as well.
//!
//! What is compared is what clauses, interval analysis and engines make of conversions, promotions, wrapping and overflow. The long mode:
//!
//!     SUPPOSE_MODELS=20000 cargo test --release -p suppose-cli --test c_gcc

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use suppose_certify::chc::{check_definitions, check_derivation};
use suppose_chc::{ChcVerdict, evidence, induction, recmc};
use suppose_control::Context;
use suppose_frontends::c::{COptions, CProgram, Claim, read_text};
use suppose_testkit::Rng;

/// Programs that are compiled together.
const TOGETHER: usize = 25;
/// How often an engine may ask whether to stop.
const WORK: u64 = 4_000;
const TYPES: &[&str] = &[
    "signed char",
    "unsigned char",
    "char",
    "short",
    "unsigned short",
    "int",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "enum E",
];
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "10",
    "100",
    "127",
    "128",
    "255",
    "256",
    "1000",
    "32767",
    "65535",
    "2147483647",
    "(-2147483647 - 1)",
    "1u",
    "4294967295u",
    "2147483648u",
    "9223372036854775807l",
    "18446744073709551615ul",
    "-1",
    "-2",
    "-100",
];
const FACTORS: &[&str] = &[
    "2", "3", "-1", "-3", "7u", "16", "1000", "65536", "16777216", "4l",
];
const DIVISORS: &[&str] = &["2", "3", "-1", "-3", "7u", "10", "16l", "255", "3ul"];
const MASKS: &[&str] = &["1", "7", "255", "1u", "65535", "15l"];

struct Generator<'a> {
    rng: &'a mut Rng,
    vars: Vec<String>,
    out: String,
    loops: usize,
}

impl Generator<'_> {
    fn of(&mut self, all: &'static [&'static str]) -> &'static str {
        self.rng.pick(all).unwrap()
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.rng.below(4) {
                0 => format!("K({})", self.of(NUMBERS)),
                _ => self.rng.pick(&self.vars.clone()).unwrap().clone(),
            };
        }
        let a = self.expr(depth - 1);
        match self.rng.below(17) {
            0..=2 => format!("I({a} + {})", self.expr(depth - 1)),
            3..=5 => format!("I({a} - {})", self.expr(depth - 1)),
            6 => format!("I({a} * {})", self.of(FACTORS)),
            7 => format!("I({a} / {})", self.of(DIVISORS)),
            8 => format!("I({a} % {})", self.of(DIVISORS)),
            9 => format!("({a} << {})", self.rng.below(9)),
            10 => format!("({a} >> {})", self.rng.below(9)),
            11 => format!("({a} & {})", self.of(MASKS)),
            12 => format!("(({}){a})", self.of(TYPES)),
            13 => format!("I({}({a}))", ["-", "~", "!", "+"][self.rng.below(4)]),
            14 => {
                let (c, b) = (self.condition(), self.expr(depth - 1));
                format!("({c} ? {a} : {b})")
            }
            15 => format!("({})", self.condition()),
            _ => format!("g({a}, {})", self.expr(0)),
        }
    }

    fn condition(&mut self) -> String {
        let op = ["<", "<=", ">", ">=", "==", "!="][self.rng.below(6)];
        let depth = self.rng.below(2);
        let (a, b) = (self.expr(1), self.expr(depth));
        let first = format!("{a} {op} {b}");
        match self.rng.below(5) {
            0 => format!("{first} && {}", self.expr(1)),
            1 => format!("{first} || {}", self.expr(1)),
            _ => first,
        }
    }

    fn statement(&mut self, depth: usize) {
        let var = self.rng.pick(&self.vars.clone()).unwrap().clone();
        match self.rng.below(9) {
            0..=2 => {
                let e = self.expr(2);
                let _ = writeln!(self.out, "{var} = {e};");
            }
            3 => {
                let (op, e) = (["+=", "-="][self.rng.below(2)], self.expr(1));
                let _ = writeln!(self.out, "{var} {op} (signed char){e};");
            }
            4 => {
                let op = ["*= 3", "/= 3", "%= 10", "<<= 2", ">>= 1", "&= 255", "*= -1"];
                let _ = writeln!(self.out, "{var} {};", op[self.rng.below(op.len())]);
            }
            5 => {
                let step = ["++", "--"][self.rng.below(2)];
                let _ = match self.rng.percent(50) {
                    true => writeln!(self.out, "{var}{step};"),
                    false => writeln!(self.out, "v0 = {step}{var};"),
                };
            }
            6 if depth > 0 => {
                let c = self.condition();
                let _ = writeln!(self.out, "if ({c}) {{");
                self.statement(depth - 1);
                self.out.push_str("} else {\n");
                self.statement(depth - 1);
                self.out.push_str("}\n");
            }
            7 if depth > 0 => {
                let (n, bound) = (self.loops, 1 + self.rng.below(3));
                self.loops += 1;
                let ty = ["int", "unsigned char", "long"][self.rng.below(3)];
                let _ = writeln!(self.out, "for ({ty} i{n} = 0; i{n} < {bound}; i{n}++) {{");
                self.statement(depth - 1);
                self.out.push_str("}\n");
            }
            8 if depth > 0 => {
                let e = self.expr(1);
                let _ = writeln!(self.out, "switch ({e}) {{");
                for case in ["case 0:", "case -1:", "case 300:", "default:"] {
                    self.out.push_str(case);
                    self.statement(0);
                    self.out
                        .push_str(if self.rng.percent(70) { "break;\n" } else { "" });
                }
                self.out.push_str("}\n");
            }
            _ => {
                let e = self.expr(1);
                let _ = writeln!(self.out, "{var} = {e};");
            }
        }
    }
}

/// Types of the inputs, and the functions `g` and `f`.
struct Program {
    inputs: (&'static str, &'static str),
    text: String,
}

fn program(rng: &mut Rng) -> Program {
    const INPUTS: &[&str] = &["signed char", "unsigned char", "_Bool", "char"];
    let inputs = (*rng.pick(INPUTS).unwrap(), *rng.pick(INPUTS).unwrap());
    let mut it = Generator {
        rng,
        vars: vec!["p".to_owned(), "q".to_owned()],
        out: String::new(),
        loops: 0,
    };
    let (result, p, q) = (it.of(TYPES), it.of(TYPES), it.of(TYPES));
    let (inner, result_of_f) = (
        it.of(&["p + q", "p - q", "p", "-p", "p < q", "q * 2"]),
        it.of(TYPES),
    );
    let _ = writeln!(it.out, "{result} g({p} p, {q} q) {{ return I({inner}); }}");
    let (a, b) = inputs;
    let _ = writeln!(it.out, "{result_of_f} f({a} a, {b} b) {{");
    it.vars = vec!["a".to_owned(), "b".to_owned()];
    for i in 0..2 + it.rng.below(3) {
        let (ty, e) = (it.of(TYPES), it.expr(2));
        let _ = writeln!(it.out, "{ty} v{i} = {e};");
        it.vars.push(format!("v{i}"));
    }
    for _ in 0..1 + it.rng.below(4) {
        it.statement(2);
    }
    let e = it.expr(2);
    let _ = writeln!(it.out, "return {e}; }}");
    Program {
        inputs,
        text: it.out,
    }
}

/// What gcc's program does on all inputs.
#[derive(Debug)]
struct Known {
    overflows: bool,
    /// The values of `f` on runs without an overflow, in order; none if there are too many.
    values: Option<Vec<i64>>,
    least: i64,
    most: i64,
}

const ENUM: &str = "enum E { E0, E1 = 5, EM = -1 };\n";
/// gcc must not compute with numbers before the program runs, nor with fewer bits where only those are kept later: it does not catch
/// overflows there.
const HARNESS: &str = r#"
#define I(e) ({ volatile __auto_type t = (e); t; })
#define K(n) (*(volatile __typeof__(n) *)&(__typeof__(n)){n})
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static sigjmp_buf back;
/* What gcc calls on an overflow, instead of its library's functions: a signal for every input takes longer than all else. */
#define CAUGHT(name) void __ubsan_handle_##name(void) { siglongjmp(back, 1); }
CAUGHT(add_overflow) CAUGHT(sub_overflow) CAUGHT(mul_overflow) CAUGHT(negate_overflow) CAUGHT(divrem_overflow)
static void caught(int s) { siglongjmp(back, 1); }
static long long seen[64]; static int count, many; static volatile int overflows;
static long long least, most; static int any;
static void reset(void) { count = many = overflows = any = 0; least = most = 0; }
static void note(long long z) {
  if (!any || z < least) least = z;
  if (!any || z > most) most = z;
  any = 1;
  for (int i = 0; i < count; i++) if (seen[i] == z) return;
  if (count == 64) { many = 1; return; }
  seen[count++] = z;
}
static void print(void) {
  printf("%d %d %d %lld %lld", overflows, any, many, least, most);
  for (int i = 0; i < count; i++) printf(" %lld", seen[i]);
  printf("\n");
}
"#;

fn bounds(ty: &str) -> (i32, i32) {
    match ty {
        "_Bool" => (0, 1),
        "unsigned char" => (0, 255),
        _ => (-128, 127),
    }
}

fn known(folder: &Path, programs: &[Program]) -> Vec<Known> {
    let mut text = format!("{ENUM}{HARNESS}");
    let mut calls = String::new();
    for (i, program) in programs.iter().enumerate() {
        let _ = writeln!(text, "#define f f_{i}\n#define g g_{i}\n{}", program.text);
        text.push_str("#undef f\n#undef g\n");
        let ((a0, a1), (b0, b1)) = (bounds(program.inputs.0), bounds(program.inputs.1));
        let _ = writeln!(
            calls,
            "reset(); for (volatile int a = {a0}; a <= {a1}; a++) for (volatile int b = {b0}; b <= {b1}; b++) \
             if (sigsetjmp(back, 0)) overflows = 1; else note((long long)f_{i}(a, b)); print();"
        );
    }
    let _ = writeln!(
        text,
        "int main(void) {{ struct sigaction s = {{ .sa_handler = caught, .sa_flags = SA_NODEFER }}; sigaction(SIGILL, &s, 0); sigaction(SIGFPE, &s, 0);\n{calls} return 0; }}"
    );
    let (source, object, binary) = (
        folder.join("all.c"),
        folder.join("all.o"),
        folder.join("all"),
    );
    std::fs::write(&source, &text).unwrap();
    let gcc = |flags: &[&str], from: &Path, to: &Path| {
        let mut gcc = Command::new("gcc");
        let output = gcc.args(flags).arg("-o").args([to, from]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}\n{text}");
    };
    let checks = "-fsanitize=signed-integer-overflow";
    gcc(&["-c", "-w", "-O0", checks], &source, &object);
    // Without the flag, and so without the library: the functions above must be all that it needs.
    gcc(&[], &object, &binary);
    let output = Command::new(&binary).output().unwrap();
    assert!(output.status.success(), "{output:?}\n{text}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let of_line = |line: &str| {
        let words: Vec<i64> = line.split(' ').map(|w| w.parse().unwrap()).collect();
        let mut values = words[5..].to_vec();
        values.sort_unstable();
        Known {
            overflows: words[0] != 0,
            values: (words[2] == 0).then_some(values),
            least: words[3],
            most: words[4],
        }
    };
    printed.lines().map(of_line).collect()
}

fn literal(n: i64) -> String {
    match n {
        i64::MIN => "(-9223372036854775807ll - 1)".to_owned(),
        _ => format!("({n}ll)"),
    }
}

/// An assertion about `z`, and whether it holds on all runs without an overflow.
fn assertion(rng: &mut Rng, known: &Known) -> (String, bool) {
    let (least, most) = (known.least, known.most);
    let empty = known.values.as_ref().is_some_and(Vec::is_empty);
    let n = match (&known.values, rng.below(4)) {
        (_, 0) => return (format!("z >= {}", literal(least)), true),
        (_, 1) => return (format!("z < {}", literal(most)), empty),
        (Some(values), 2) if !empty => *rng.pick(values).unwrap(),
        _ => least.wrapping_add(rng.below(7) as i64 - 3),
    };
    match &known.values {
        Some(values) => (format!("z != {}", literal(n)), !values.contains(&n)),
        None if n < least || n > most => (format!("z != {}", literal(n)), true),
        None => (format!("z != {}", literal(least)), false),
    }
}

fn whole(program: &Program, assertion: &str) -> String {
    let name = |ty: &str| match ty {
        "_Bool" => "bool",
        "unsigned char" => "uchar",
        _ => "char",
    };
    let (a, b) = program.inputs;
    format!(
        "#include <assert.h>\n#define K(n) (n)\n#define I(e) (e)\n{ENUM}extern {a} __VERIFIER_nondet_{}(void);\nextern {b} __VERIFIER_nondet_{}(void);\n{}\
         int main(void) {{ {a} a = __VERIFIER_nondet_{}(); {b} b = __VERIFIER_nondet_{}(); long long z = (long long)f(a, b); \
         assert({assertion}); return 0; }}\n",
        name(a),
        name(b),
        program.text,
        name(a),
        name(b)
    )
}

/// The verdict, with checked evidence; none if it is not decided within the bounds.
fn verdict(program: &CProgram, text: &str) -> Option<bool> {
    let horn = program.horn();
    let cx = Context::default().with_work(WORK);
    if let Some(found) = program.search(2_000, &mut || false) {
        check_derivation(horn, &found).unwrap_or_else(|e| panic!("{e}\n{text}"));
        return Some(false);
    }
    let first = induction::solve(horn, &cx).0;
    let found = match first {
        ChcVerdict::Unknown { .. } => {
            let cx = Context::default().with_work(WORK);
            recmc::solve(horn, recmc::RecmcOptions::default(), &cx).0
        }
        other => other,
    };
    match found {
        ChcVerdict::Unknown { .. } => None,
        ChcVerdict::Violated(derivation) => {
            check_derivation(horn, &derivation).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert!(program.call_tree(&derivation).is_some(), "no run\n{text}");
            Some(false)
        }
        ChcVerdict::Holds { terms, definitions } => {
            let cx = Context::default().with_work(WORK);
            let proof = evidence::with_proofs(horn, &terms, &definitions, &cx).ok()??;
            check_definitions(horn, &proof, &suppose_control::Context::default())
                .unwrap_or_else(|e| panic!("{e}\n{text}"));
            Some(true)
        }
    }
}

#[test]
fn verdicts_are_those_of_gcc_on_all_inputs() {
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|n| n.parse::<usize>().ok())
    };
    let count = number("SUPPOSE_MODELS").unwrap_or(300);
    let first = number("SUPPOSE_SEED").unwrap_or(1);
    let folder: PathBuf =
        std::env::temp_dir().join(format!("suppose-c-gcc-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (mut asked, mut decided, mut violated, mut refused) = (0, 0, 0, 0);
    for batch in 0..count.div_ceil(TOGETHER) {
        let seed = (first + batch) as u64;
        let mut rng = Rng::new(seed);
        let programs: Vec<Program> = (0..TOGETHER).map(|_| program(&mut rng)).collect();
        let known = known(&folder, &programs);
        assert_eq!(known.len(), programs.len());
        for (program, known) in programs.iter().zip(&known) {
            let (assertion, holds) = assertion(&mut rng, known);
            let text = whole(program, &assertion);
            for (claim, expected) in [
                (Claim::Assertions, holds),
                (Claim::NoOverflow, !known.overflows),
            ] {
                let options = COptions {
                    claim,
                    ..COptions::default()
                };
                let Ok((read, _)) = read_text("p.c", &text, &options) else {
                    refused += 1;
                    continue;
                };
                asked += 1;
                let Some(found) = verdict(&read, &text) else {
                    continue;
                };
                decided += 1;
                violated += u32::from(!found);
                assert_eq!(
                    found, expected,
                    "SUPPOSE_SEED={seed} {claim:?}\n{known:?}\n{text}"
                );
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{asked} claims, {decided} decided, {violated} violated, {refused} refused");
    if count >= 100 {
        assert!(decided * 10 > asked * 7, "{decided} of {asked} are decided");
        assert!(refused * 4 < asked, "{refused} are refused");
        assert!(
            violated * 5 > decided,
            "{violated} of {decided} are violated"
        );
    }
}

//! Programs with arrays, structures and pointers, against gcc: every run must end the same way in the compiled program, in the
//! plain machine for memory, and in the program whose memory was resolved.

use std::fmt::Write as _;

use suppose_number::Int;
use suppose_testkit::{Rng, for_each_seed};

use super::{Script, check_derivation, reference, run};
use crate::c::run::outcome;
use crate::c::{COptions, Claim, Integers, RunResult, read_text};

const START: &str = "#include <assert.h>
extern int nondet_0(void);
extern int nondet_1(void);
typedef unsigned long size; extern void *malloc(size n); extern void *calloc(size n, size m); extern void free(void *p);
struct S { int a; int b[3]; struct S *next; };
typedef struct { char c; short d; struct S in; } T;
int g[4] = {3, 1, [3] = 7};
int m[2][3] = {{1, 2, 3}, {4}};
struct S gs[2] = {{1, {2, 3}, 0}, {.a = 5}};
int *gp = &g[1];
char text[] = \"a\\n\";
enum { K = 2 };
static int inc(int v) { return v + 1; }
static int dec(int v) { return v - 1; }
static void put(int *p, int n) { *p += n; if (n > 3) g[K] -= n; }
static int sum(struct S *p) { int r = 0; while (p) { r += p->a + p->b[1]; p = p->next; } return r; }
static struct S make(int v) { struct S r = {v, {v, 1}}; r.b[2] = v - 1; return r; }
static int first(struct S v) { v.a++; return v.a + v.b[0]; }
static int twice(int (*h)(int), int v) { return h(h(v)); }
static void swap(int *a, int *b) { int c = *a; *a = *b; *b = c; }
static void clear(int n, int *a) { for (int i = 0; i < n; i++) a[i] = i; }
";

struct Generator<'a> {
    rng: &'a mut Rng,
    out: String,
    loops: usize,
}

impl Generator<'_> {
    fn index(&mut self, most: usize) -> String {
        match self.rng.below(3) {
            0 => format!("((unsigned){} % {most}u)", self.number(0)),
            _ => self.rng.below(most).to_string(),
        }
    }

    fn place(&mut self) -> String {
        match self.rng.below(15) {
            0 => "x".to_owned(),
            1 => "y".to_owned(),
            2 | 3 => format!("l[{}]", self.index(5)),
            4 => format!("g[{}]", self.index(4)),
            5 => "s.a".to_owned(),
            6 => format!("s.b[{}]", self.index(3)),
            7 => format!("gs[{}].a", self.index(2)),
            8 => format!("gs[{}].b[{}]", self.index(2), self.index(3)),
            9 => "*p".to_owned(),
            10 => "q->a".to_owned(),
            11 => format!("q->b[{}]", self.index(3)),
            12 => format!("m[{}][{}]", self.index(2), self.index(3)),
            13 => ["u.in.a", "u.in.b[1]", "(*q).b[0]", "*gp"][self.rng.below(4)].to_owned(),
            _ => "p[0]".to_owned(),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.rng.below(3) {
                0 => (self.rng.below(9) as i64 - 3).to_string(),
                1 => ["x", "y"][self.rng.below(2)].to_owned(),
                _ => self.place(),
            };
        }
        let (a, b) = (self.number(depth - 1), self.number(depth - 1));
        match self.rng.below(14) {
            0..=2 => format!("({a} + {b})"),
            3 | 4 => format!("({a} - {b})"),
            5 => format!("({a} < {b} ? {a} : {b})"),
            6 => format!("({a} == {b})"),
            7 => format!("first(make({a}))"),
            8 => format!("twice({}, {a})", ["inc", "dec", "&inc"][self.rng.below(3)]),
            9 => "(p == &x)".to_owned(),
            10 => "(q == &s || q->next)".to_owned(),
            11 => "(int)(sizeof(T) + sizeof l + sizeof(s.b) + sizeof *q)".to_owned(),
            12 => format!("(u.c + text[{}] + u.d)", self.index(3)),
            _ => format!("sum({})", ["&s", "&gs[1]", "&u.in", "0"][self.rng.below(4)]),
        }
    }

    fn address(&mut self) -> String {
        match self.rng.below(9) {
            0 => "l".to_owned(),
            1 => format!("l + {}", self.index(5)),
            2 => format!("&g[{}]", self.index(4)),
            3 => "&x".to_owned(),
            4 => format!("&gs[{}].b[{}]", self.index(2), self.index(3)),
            5 => "&s.a".to_owned(),
            6 => format!("q->b + {}", self.index(3)),
            7 => format!("&m[{}][1]", self.index(2)),
            _ => "gp".to_owned(),
        }
    }

    fn statement(&mut self, depth: usize) {
        let line = match self.rng.below(18) {
            0..=3 => format!("{} = {};", self.place(), self.number(2)),
            4 => format!("{} += {};", self.place(), self.number(1)),
            5 => format!("{{ int z = {}++; y = z; }}", self.place()),
            6 => format!("{{ int z = --{}; x = z; }}", self.place()),
            7 | 8 => format!("p = {};", self.address()),
            9 => format!(
                "q = {};",
                ["&s", "&t", "&u.in", "&gs[1]", "gs"][self.rng.below(5)]
            ),
            10 => [
                "s = t;",
                "gs[1] = s;",
                "*q = make(x);",
                "t = *q;",
                "u.in = gs[0];",
            ][self.rng.below(5)]
            .to_owned(),
            11 => format!("put({}, {});", self.address(), self.number(1)),
            12 => format!("u.c = {}; u.d = {};", self.number(1), self.number(1)),
            13 => format!("swap({}, {});", self.address(), self.address()),
            14 if depth > 0 => {
                let condition = self.number(2);
                let _ = writeln!(self.out, "if ({condition}) {{");
                self.statement(depth - 1);
                self.out.push_str("} else {\n");
                self.statement(depth - 1);
                "}".to_owned()
            }
            15 if depth > 0 => {
                let (n, most) = (self.loops, 1 + self.rng.below(4));
                self.loops += 1;
                let _ = writeln!(self.out, "for (int i{n} = 0; i{n} < {most}; i{n}++) {{");
                let number = self.number(1);
                let _ = writeln!(self.out, "l[i{n}] += {number};");
                self.statement(depth - 1);
                "}".to_owned()
            }
            16 if depth > 0 => {
                let (n, most) = (self.loops, self.rng.below(4));
                self.loops += 1;
                let room = ["malloc(sizeof(struct S))", "calloc(1, sizeof *h)"][self.rng.below(2)];
                let value = self.number(1);
                format!(
                    "{{ struct S *h = 0; for (int i{n} = 0; i{n} < {most}; i{n}++) {{ struct S *n = {room}; \
                     n->a = {value}; n->b[1] = i{n}; n->next = h; h = n; }} x += sum(h); \
                     while (h) {{ struct S *n = h->next; free(h); h = n; }} }}"
                )
            }
            _ => format!(
                "{{ int *a = malloc(4 * sizeof(int)); clear(4, a); int *e = a + {}; y = *e + (e - a); free(a); }}",
                self.index(4)
            ),
        };
        let _ = writeln!(self.out, "{line}");
    }
}

fn program(rng: &mut Rng) -> String {
    let mut it = Generator {
        rng,
        out: START.to_owned(),
        loops: 0,
    };
    it.out.push_str(
        "int main(void) {
int x = nondet_0(); int y = nondet_1(); int l[5] = {1, 2}; struct S s = {4}; struct S t = make(y); T u = {1, 2};
int *p = &l[2]; struct S *q = &s;\n",
    );
    for _ in 0..3 + it.rng.below(6) {
        it.statement(2);
    }
    for _ in 0..4 {
        let (place, number) = (it.place(), it.rng.below(4));
        let _ = writeln!(it.out, "assert(({place} & 3) != {number});");
    }
    it.out.push_str("return 0; }\n");
    it.out
}

#[test]
fn memory_is_what_gcc_makes_of_it() {
    let folder = reference::Folder::new("c-memory");
    let (mut violated, mut ended, mut runs, mut inexact) = (0u32, 0u32, 0u32, 0u32);
    for_each_seed(60, |rng| {
        let text = program(rng);
        let binary = folder.compile(&text, 2);
        let options = COptions {
            integers: Integers::Wrap,
            ..COptions::default()
        };
        let (program, _) = read_text("p.c", &text, &options)
            .unwrap_or_else(|(e, s)| panic!("{}\n{text}", e.render(&s, false)));
        for _ in 0..4 {
            let script = Script::from([
                ("nondet_0".to_owned(), rng.below(9) as i128 - 4),
                ("nondet_1".to_owned(), rng.below(200) as i128 - 100),
            ]);
            let real = binary.violates(&script);
            let context = || format!("{text}\n{script:?}");
            let mut choose = |name: Option<&str>| {
                let value = name.and_then(|n| script.get(n)).copied();
                Int::from(value.unwrap_or(0))
            };
            runs += 1;
            let plain = outcome(&program, Claim::Assertions, &mut choose);
            assert_eq!(plain, Some(real), "{}", context());
            if !program.approximations().is_empty() {
                inexact += 1;
                continue;
            }
            match run(&program, &script) {
                RunResult::Violated { derivation, .. } => {
                    violated += 1;
                    assert!(real, "gcc's run ends\n{}", context());
                    check_derivation(program.horn(), &derivation)
                        .unwrap_or_else(|e| panic!("{e}\n{}", context()));
                }
                RunResult::Ended => {
                    ended += 1;
                    assert!(!real, "gcc's run fails\n{}", context());
                }
                RunResult::Stopped => panic!("stopped\n{}", context()),
            }
        }
    });
    if runs > 100 {
        assert!(
            violated > runs / 10 && ended > runs / 20,
            "{violated} {ended} of {runs}"
        );
        assert!(inexact < runs / 2, "{inexact} of {runs}");
    }
}

fn first_reason(text: &str, claim: Claim) -> String {
    let options = COptions {
        claim,
        ..COptions::default()
    };
    let (program, _) = read_text("p.c", text, &options)
        .unwrap_or_else(|(e, s)| panic!("{}\n{text}", e.render(&s, false)));
    let reasons = program.approximations().iter();
    reasons
        .map(|(why, _)| why.as_str())
        .collect::<Vec<_>>()
        .join("; ")
}

#[test]
fn what_is_exact_and_what_is_not() {
    let cases = [
        (
            "int main(void) { int a[3]; a[1] = 2; assert(a[1] == 2); }",
            "",
        ),
        (
            "int n(void); int main(void) { int a[100]; int i = n(); if (i >= 0 && i < 100) a[i] = 1; assert(a[i] == 1); }",
            "only some elements",
        ),
        (
            "int *f(void); int main(void) { int *p = f(); assert(*p == 1); }",
            "a pointer that may point anywhere",
        ),
        (
            "int main(void) { int x = 1; char *p = (char *)&x; assert(*p == 1); }",
            "as another type",
        ),
    ];
    for (text, expected) in cases {
        let found = first_reason(text, Claim::Assertions);
        assert!(
            found.contains(expected) && found.is_empty() == expected.is_empty(),
            "{text}: {found}"
        );
    }
}

/// Undefined uses of memory are ends of runs for the assertions, and violations of their own claims.
#[test]
fn undefined_uses_of_memory_are_claims_of_their_own() {
    let deref = [
        "int main(void) { int a[3]; a[3] = 1; assert(0); }",
        "int main(void) { int a[3] = {0}; int i = a[-1]; assert(0); }",
        "int main(void) { int *p = 0; *p = 1; assert(0); }",
        "int *f(void) { int x = 1; int *p = &x; return p; } int main(void) { int *p = f(); *p = 2; assert(0); }",
        "void *malloc(unsigned long); void free(void *); int main(void) { int *p = malloc(4); free(p); *p = 2; assert(0); }",
        "void *malloc(unsigned long); int main(void) { int *p = malloc(7); p[1] = 2; assert(0); }",
        "int main(void) { int m[2][3]; m[0][3] = 1; assert(0); }",
    ];
    let free = [
        "void *malloc(unsigned long); void free(void *); int main(void) { int *p = malloc(4); free(p); free(p); assert(0); }",
        "void free(void *); int main(void) { int x; free(&x); assert(0); }",
        "void *malloc(unsigned long); void free(void *); int main(void) { int *p = malloc(8); free(p + 1); assert(0); }",
    ];
    let both = [
        (&deref[..], Claim::ValidDeref),
        (&free[..], Claim::ValidFree),
    ];
    for (texts, claim) in both {
        for text in texts {
            for (asked, expected) in [(Claim::Assertions, false), (claim, true)] {
                let program = super::read_claim(text, &COptions::default(), asked);
                let found = matches!(run(&program, &Script::new()), RunResult::Violated { .. });
                assert_eq!(found, expected, "{text} {asked:?}");
                let plain = outcome(&program, asked, &mut |_| Int::ZERO);
                assert_eq!(plain, Some(expected), "{text} {asked:?}");
            }
        }
    }
}

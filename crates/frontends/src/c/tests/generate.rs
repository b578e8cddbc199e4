//! Random programs, all of which end.

use std::fmt::Write;

use suppose_testkit::Rng;

const TYPES: &[&str] = &[
    "int",
    "int",
    "int",
    "unsigned",
    "char",
    "unsigned char",
    "short",
    "unsigned short",
    "long",
    "unsigned long",
    "_Bool",
    "long long",
];

/// Variables for expressions by themselves.
pub(super) const PRELUDE: &str = "int i = -7; unsigned u = 3000000000u; char c = -100; unsigned char d = 200; short s = \
-30000; unsigned short t = 60000; long l = -5000000000; unsigned long m = 18000000000000000000ul; _Bool b = 1; long long \
k = 9000000000000000000;";

struct Generator<'a> {
    rng: &'a mut Rng,
    out: String,
    vars: Vec<String>,
    /// Functions with the number of their parameters.
    functions: Vec<(String, usize)>,
    nondets: Vec<(String, &'static str)>,
    loops: usize,
    fresh: usize,
    budget: usize,
    with_goto: bool,
}

/// A program, and how many functions `nondet_i` it asks for values.
pub(super) fn program(rng: &mut Rng, with_goto: bool) -> (String, usize) {
    let mut it = Generator {
        rng,
        out: String::new(),
        vars: Vec::new(),
        functions: Vec::new(),
        nondets: Vec::new(),
        loops: 0,
        fresh: 0,
        budget: 0,
        with_goto,
    };
    let mut globals = String::new();
    for i in 0..it.rng.below(4) {
        let ty = it.ty();
        let value = it.number();
        let _ = writeln!(globals, "{ty} g{i} = {value};");
        it.vars.push(format!("g{i}"));
    }
    for i in 0..it.rng.below(4) {
        it.function(i);
    }
    it.main();
    let mut text = String::from("#include <assert.h>\nextern void __VERIFIER_assume(int);\n");
    for (name, ty) in &it.nondets {
        let _ = writeln!(text, "extern {ty} {name}(void);");
    }
    let names = it.nondets.len();
    text.push_str(&globals);
    text.push_str(&it.out);
    (text, names)
}

/// An expression over the variables of [`PRELUDE`].
pub(super) fn closed_expression(rng: &mut Rng) -> String {
    let mut it = Generator {
        rng,
        out: String::new(),
        vars: ["i", "u", "c", "d", "s", "t", "l", "m", "b", "k"]
            .iter()
            .map(|s| (*s).to_owned())
            .collect(),
        functions: Vec::new(),
        nondets: Vec::new(),
        loops: 0,
        fresh: 0,
        budget: 0,
        with_goto: false,
    };
    it.expr(4)
}

impl Generator<'_> {
    fn ty(&mut self) -> &'static str {
        TYPES[self.rng.below(TYPES.len())]
    }

    fn number(&mut self) -> String {
        const LARGE: &[&str] = &[
            "127",
            "128",
            "255",
            "256",
            "65535",
            "0x7fffffff",
            "4294967295u",
            "2147483648",
            "(-1)",
            "'a'",
            "010",
            "100L",
        ];
        if self.rng.percent(15) {
            return LARGE[self.rng.below(LARGE.len())].to_owned();
        }
        let n = self.rng.below(12) as i64 - 3;
        if n < 0 {
            format!("({n})")
        } else {
            n.to_string()
        }
    }

    fn divisor(&mut self) -> String {
        ["2", "3", "7", "10", "(-3)", "4u", "1"][self.rng.below(7)].to_owned()
    }

    fn var(&mut self) -> Option<String> {
        self.rng.pick(&self.vars).cloned()
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.percent(20) {
            return match self.var() {
                Some(var) if self.rng.percent(70) => var,
                _ => self.number(),
            };
        }
        let a = self.expr(depth - 1);
        match self.rng.below(18) {
            0..=2 => format!("({a} + {})", self.expr(depth - 1)),
            3..=4 => format!("({a} - {})", self.expr(depth - 1)),
            5 => format!("({a} * {})", self.number()),
            6 => format!("({a} / {})", self.divisor()),
            7 => format!("({a} % {})", self.divisor()),
            8 => format!("({a} << {})", self.rng.below(6)),
            9 => format!("({a} >> {})", self.rng.below(6)),
            10 => format!("({a} & {})", ["1", "7", "255", "0xffff"][self.rng.below(4)]),
            11 => ["(-{})", "(~{})", "(!{})", "(+{})"][self.rng.below(4)].replace("{}", &a),
            12 => format!("(({}){a})", self.ty()),
            13 => format!(
                "({a} ? {} : {})",
                self.expr(depth - 1),
                self.expr(depth - 1)
            ),
            14 => format!("({a} && {})", self.expr(depth - 1)),
            15 => format!("({a} || {})", self.expr(depth - 1)),
            _ => {
                let op = ["<", "<=", ">", ">=", "==", "!="][self.rng.below(6)];
                format!("({a} {op} {})", self.expr(depth - 1))
            }
        }
    }

    fn condition(&mut self) -> String {
        if self.rng.percent(15)
            && let Some(call) = self.call()
        {
            let e = self.expr(1);
            let op = if self.rng.percent(50) { "&&" } else { "||" };
            return format!("({e} {op} {call})");
        }
        let op = ["<", "<=", ">", ">=", "==", "!="][self.rng.below(6)];
        format!("({} {op} {})", self.expr(2), self.expr(1))
    }

    fn nondet(&mut self) -> String {
        if self.nondets.is_empty() || self.rng.percent(60) {
            let name = format!("nondet_{}", self.nondets.len());
            const PLAIN: &[&str] = &[
                "int",
                "int",
                "unsigned",
                "char",
                "unsigned char",
                "short",
                "_Bool",
                "long",
                "unsigned long",
            ];
            let ty = PLAIN[self.rng.below(PLAIN.len())];
            self.nondets.push((name.clone(), ty));
            return format!("{name}()");
        }
        let (name, _) = &self.nondets[self.rng.below(self.nondets.len())];
        format!("{name}()")
    }

    fn call(&mut self) -> Option<String> {
        let (name, count) = self.rng.pick(&self.functions)?.clone();
        let args: Vec<String> = (0..count).map(|_| self.expr(1)).collect();
        Some(format!("{name}({})", args.join(", ")))
    }

    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(indent));
    }

    fn declare(&mut self, indent: usize) {
        let ty = self.ty();
        let value = match self.rng.below(3) {
            0 => self.nondet(),
            _ => self.expr(2),
        };
        // Now and then a name that hides another one.
        let name = if self.rng.percent(15) && indent > 1 {
            self.vars.last().cloned().unwrap_or("v".to_owned())
        } else {
            self.fresh += 1;
            format!("v{}", self.fresh)
        };
        if value.contains(&name) || self.declared_here(&name, indent) {
            return;
        }
        self.line(indent, &format!("{ty} {name} = {value};"));
        self.vars.push(name);
    }

    /// A second declaration in one block would be an error.
    fn declared_here(&self, name: &str, indent: usize) -> bool {
        let start = "    ".repeat(indent);
        let block = self
            .out
            .rfind(&format!("{}{{", "    ".repeat(indent.saturating_sub(1))))
            .unwrap_or(0);
        let since = self.out.rfind("{\n").unwrap_or(0).min(block);
        self.out[since..]
            .lines()
            .any(|l| l.starts_with(&start) && l.contains(&format!(" {name} = ")))
    }

    fn stmts(&mut self, indent: usize, count: usize) {
        let visible = self.vars.len();
        for _ in 0..count {
            self.stmt(indent);
        }
        self.vars.truncate(visible);
    }

    fn stmt(&mut self, indent: usize) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let Some(var) = self.var() else {
            return self.declare(indent);
        };
        let deep = indent > 4;
        match self.rng.below(20) {
            0..=2 => self.declare(indent),
            3..=6 => {
                let value = self.expr(3);
                self.line(indent, &format!("{var} = {value};"));
            }
            7 => {
                let (op, value) = match self.rng.below(6) {
                    0 => ("+=", self.expr(2)),
                    1 => ("-=", self.expr(2)),
                    2 => ("*=", self.number()),
                    3 => ("/=", self.divisor()),
                    4 => ("%=", self.divisor()),
                    _ => ("&=", "15".to_owned()),
                };
                self.line(indent, &format!("{var} {op} {value};"));
            }
            8 => {
                let text = ["{v}++;", "--{v};", "++{v};", "{v}--;"][self.rng.below(4)]
                    .replace("{v}", &var);
                self.line(indent, &text);
            }
            9..=10 if !deep => {
                let condition = self.condition();
                self.line(indent, &format!("if ({condition}) {{"));
                self.nested(indent);
                if self.rng.percent(50) {
                    self.line(indent, "} else {");
                    self.nested(indent);
                }
                self.line(indent, "}");
            }
            11..=12 if !deep && self.loops < 2 => self.loop_stmt(indent),
            13 if !deep => self.switch(indent, &var),
            14 => match self.call() {
                Some(call) => self.line(indent, &format!("{var} = {call};")),
                None => {
                    let value = self.nondet();
                    self.line(indent, &format!("{var} = {value};"));
                }
            },
            15 => {
                let value = self.nondet();
                self.line(indent, &format!("{var} = {value};"));
            }
            16..=17 => {
                let condition = self.condition();
                let condition = if self.rng.percent(60) {
                    format!("{condition} || {}", self.condition())
                } else {
                    condition
                };
                self.line(indent, &format!("assert({condition});"));
            }
            18 if self.rng.percent(30) => {
                let condition = self.condition();
                self.line(indent, &format!("__VERIFIER_assume({condition});"));
            }
            18 if self.with_goto && !deep => {
                self.fresh += 1;
                let label = format!("label{}", self.fresh);
                let condition = self.condition();
                self.line(indent, &format!("if ({condition}) goto {label};"));
                // No declaration is jumped over: that value would not be gcc's.
                self.line(indent, "{");
                self.nested(indent);
                self.line(indent, "}");
                self.line(indent, &format!("{label}:;"));
            }
            _ => {
                let value = self.expr(2);
                let other = self.var().unwrap_or_default();
                self.line(
                    indent,
                    &format!("{var} = (({other} = {value}), {other} + 1);"),
                );
            }
        }
    }

    fn nested(&mut self, indent: usize) {
        let count = 1 + self.rng.below(3);
        self.stmts(indent + 1, count);
    }

    fn loop_stmt(&mut self, indent: usize) {
        self.loops += 1;
        self.fresh += 1;
        let counter = format!("n{}", self.fresh);
        let bound = 1 + self.rng.below(4);
        let condition = self.condition();
        let kind = self.rng.below(3);
        match kind {
            0 => {
                self.line(
                    indent,
                    &format!("for (int {counter} = 0; {counter} < {bound}; {counter}++) {{"),
                );
            }
            1 => {
                self.line(indent, &format!("int {counter} = 0;"));
                self.line(
                    indent,
                    &format!("while ({counter} < {bound} && {condition}) {{"),
                );
                self.line(indent + 1, &format!("{counter}++;"));
            }
            _ => {
                self.line(indent, &format!("int {counter} = 0;"));
                self.line(indent, "do {");
                self.line(indent + 1, &format!("{counter}++;"));
            }
        }
        self.nested(indent);
        if self.rng.percent(30) {
            let condition = self.condition();
            let word = if self.rng.percent(50) {
                "break"
            } else {
                "continue"
            };
            self.line(indent + 1, &format!("if ({condition}) {word};"));
            self.nested(indent);
        }
        match kind {
            2 => self.line(
                indent,
                &format!("}} while ({counter} < {bound} && {condition});"),
            ),
            _ => self.line(indent, "}"),
        }
        self.loops -= 1;
    }

    fn switch(&mut self, indent: usize, var: &str) {
        self.line(indent, &format!("switch ({var}) {{"));
        for value in 0..1 + self.rng.below(3) {
            self.line(indent, &format!("case {}:", value as i64 * 2 - 1));
            self.nested_flat(indent);
            if self.rng.percent(60) {
                self.line(indent + 1, "break;");
            }
        }
        if self.rng.percent(60) {
            self.line(indent, "default:");
            self.nested_flat(indent);
        }
        self.line(indent, "}");
    }

    /// Statements in a block of their own, so that nothing is declared between cases.
    fn nested_flat(&mut self, indent: usize) {
        self.line(indent + 1, "{");
        self.nested(indent + 1);
        self.line(indent + 1, "}");
    }

    fn function(&mut self, number: usize) {
        let result = self.ty();
        let recursive = self.rng.percent(50);
        let (a, b) = (self.ty(), self.ty());
        let name = format!("f{number}");
        let first = if recursive { "int" } else { a };
        let _ = writeln!(self.out, "{result} {name}({first} p, {b} q) {{");
        let outside = self.vars.len();
        self.vars.extend(["p".to_owned(), "q".to_owned()]);
        self.budget = 8;
        if recursive {
            let value = self.expr(1);
            self.line(1, &format!("if (p <= 0 || p > 4) return {value};"));
            // The first argument goes down, so it ends.
            self.vars.retain(|v| v != "p");
        }
        let count = self.rng.below(4);
        self.stmts(1, count);
        if recursive {
            let e = self.expr(1);
            self.line(1, &format!("q = {name}(p - 1, {e});"));
            if self.rng.percent(40) {
                self.line(1, &format!("q = q + {name}(p - 2, q);"));
            }
        }
        let value = self.expr(2);
        self.line(1, &format!("return {value};"));
        self.line(0, "}");
        self.vars.truncate(outside);
        self.functions.push((name, 2));
    }

    fn main(&mut self) {
        self.out.push_str("int main(void) {\n");
        self.budget = 20;
        self.declare(1);
        let count = 3 + self.rng.below(8);
        self.stmts(1, count);
        let condition = self.condition();
        self.line(1, &format!("assert({condition});"));
        self.line(1, "return 0;");
        self.line(0, "}");
    }
}

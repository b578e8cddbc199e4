//! What is said about C programs that cannot be read: message, place and help.

#![allow(clippy::unwrap_used)]

use suppose_frontends::c::{COptions, read_text};

/// Text, message, line, column, and a part of the help.
type Case = (&'static str, &'static str, usize, usize, &'static str);

const CASES: &[Case] = &[
    ("", "there is no function `main`", 0, 0, "int main(void)"),
    (
        "int f(void) { return 1; }",
        "there is no function `main`",
        0,
        0,
        "int main(void)",
    ),
    (
        "int main(void) { return 0;",
        "expected `}`, found the end of the program",
        1,
        27,
        "",
    ),
    (
        "int main(void) { return 0 }",
        "expected `;`, found `}`",
        1,
        27,
        "",
    ),
    (
        "int main(void) { x = 1; }",
        "the variable `x` is not declared",
        1,
        18,
        "",
    ),
    (
        "int main(void) { int counter; countr = 1; }",
        "the variable `countr` is not declared",
        1,
        31,
        "did you mean `counter`?",
    ),
    (
        "int half(int x);\nint main(void) { return hlaf(2); }",
        "the function `hlaf` is not declared",
        2,
        25,
        "did you mean `half`?",
    ),
    (
        "int main(void) { f(); }",
        "the function `f` is not declared",
        1,
        18,
        "extern int f(void);",
    ),
    (
        "union u { int a; char b; } v;\nint main(void) {}",
        "`v` is a union, which is not supported",
        1,
        28,
        "docs/c.md",
    ),
    (
        "int main(void) {\n  int a[];\n}",
        "the length of this array is not known",
        2,
        7,
        "",
    ),
    (
        "struct s v;\nint main(void) {}",
        "`v` is a structure without its parts, which is not supported",
        1,
        10,
        "",
    ),
    (
        "int main(void) { float f = 1; }",
        "`f` is a floating-point number, which is not supported",
        1,
        24,
        "",
    ),
    (
        "int main(void) { int x = 1.5; }",
        "`1.5` is a floating-point number",
        1,
        26,
        "only integers",
    ),
    (
        "int x; int main(void) { int y = *x; }",
        "`*` of an integer",
        1,
        33,
        "",
    ),
    (
        "struct s { int a; } v; int main(void) { v.b = 1; }",
        "`s` has no part `b`",
        1,
        41,
        "",
    ),
    (
        "int x; int main(void) { x[1] = 2; }",
        "this use of `[` is not supported",
        1,
        25,
        "",
    ),
    (
        "int a[2] = {1, 2, 3}; int main(void) {}",
        "too many values in this list",
        1,
        12,
        "",
    ),
    (
        "int pthread_create(int *t); int main(void) { int t; pthread_create(&t); }",
        "threads are not supported",
        1,
        53,
        "sequential",
    ),
    (
        "extern int nd(void);\nint main(void) { int x = nd(), y = nd(); assert(x * y >= 0); }",
        "a product of two variables is not supported",
        2,
        49,
        "one of the factors must be a number",
    ),
    (
        "extern int nd(void);\nint main(void) { int x = nd(), y = nd(); assert(x / y >= 0); }",
        "division by a variable is not supported",
        2,
        49,
        "must be a number",
    ),
    (
        "extern int nd(void);\nint main(void) { int x = nd(); assert(x / 0 >= 0); }",
        "division by zero",
        2,
        43,
        "",
    ),
    (
        "extern int nd(void);\nint main(void) { int x = nd(); assert((x | 4) >= 0); }",
        "this use of `|` is not supported",
        2,
        39,
        "masks",
    ),
    (
        "extern int nd(void);\nint main(void) { int x = nd(); assert((x << 40) >= 0); }",
        "a shift by 40 places of a type with 32",
        2,
        39,
        "",
    ),
    (
        "int main(void) { break; }",
        "`break` outside of a loop",
        1,
        18,
        "",
    ),
    (
        "int main(void) { goto out; }",
        "there is no label `out` in this function",
        1,
        18,
        "",
    ),
    (
        "int main(void) { a: a: return 0; }",
        "the label `a` is defined twice in this function",
        1,
        21,
        "",
    ),
    (
        "int f(int a) { return a; } int main(void) { f(); }",
        "`f` takes 1 arguments, found 0",
        1,
        45,
        "",
    ),
    (
        "void f(void) {} int main(void) { int x = f(); }",
        "`f` gives back no value",
        1,
        42,
        "",
    ),
    (
        "int f(void) { return 0; } int f(void) { return 1; } int main(void) {}",
        "the function `f` is defined twice",
        1,
        31,
        "",
    ),
    (
        "int main(void) { int x = 1; int x = 2; }",
        "`x` is declared twice in this block",
        1,
        33,
        "",
    ),
    (
        "const int n = 3; int main(void) { n = 4; }",
        "`n` is `const`",
        1,
        35,
        "",
    ),
    (
        "int main(void) { 3 = 4; }",
        "this cannot be assigned to",
        1,
        18,
        "",
    ),
    (
        "int main(void) { switch (1) { case 1: case 1: ; } }",
        "two cases for the value 1",
        1,
        44,
        "",
    ),
    (
        "int main(void) { int x = 99999999999999999999; }",
        "the number `99999999999999999999` is too large for any type",
        1,
        26,
        "",
    ),
    (
        "int main(void) { int x = 12q; }",
        "`12q` is not a number",
        1,
        26,
        "",
    ),
    (
        "int main(void) { /* ",
        "this comment is not closed",
        1,
        18,
        "close it",
    ),
    (
        "int main(void) { char c = 'a; }",
        "this character is not closed",
        1,
        27,
        "close it",
    ),
    (
        "#if 1\nint main(void) {}",
        "this `#if` is not closed",
        1,
        1,
        "#endif",
    ),
    (
        "#endif\nint main(void) {}",
        "`#endif` without `#if`",
        1,
        1,
        "",
    ),
    (
        "#include \"mine.h\"\nint main(void) {}",
        "the file \"mine.h\" is not read",
        1,
        1,
        "gcc -E",
    ),
    (
        "#define F(a) a\nint main(void) { return F(1; }",
        "the arguments of the macro `F` are not closed",
        2,
        25,
        "",
    ),
    (
        "int main(void) { int x = @; }",
        "unexpected character `@`",
        1,
        26,
        "",
    ),
    (
        "main() { return 0; }",
        "expected a declaration or a function, found `main`",
        1,
        1,
        "int f(void)",
    ),
    (
        "int main(void) { else ; }",
        "`else` without `if`",
        1,
        18,
        "",
    ),
];

#[test]
fn each_error_is_told_with_its_place() {
    for (text, message, line, column, help) in CASES {
        let (error, sources) = match read_text("p.c", text, &COptions::default()) {
            Ok(_) => panic!("{text}\nis read; expected: {message}"),
            Err(failed) => failed,
        };
        let (at_line, at_column) = error.span.map_or((0, 0), |span| {
            let position = sources.file(span.file).unwrap().position(span.start);
            (position.line, position.column)
        });
        assert_eq!(error.message, *message, "{text}");
        assert_eq!(
            (at_line, at_column),
            (*line, *column),
            "{text}\n{}",
            error.render(&sources, false)
        );
        assert!(
            error.help.join(" ").contains(help),
            "{text}\n{:?}",
            error.help
        );
    }
}

#[test]
fn what_is_only_declared_may_be_anything() {
    let text = "
        typedef struct _IO_FILE FILE;
        extern FILE *stdout;
        extern void __assert_fail(const char *, const char *, unsigned int, const char *)
            __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
        extern double sqrt(double);
        typedef int (*callback)(void *, int);
        extern int __VERIFIER_nondet_int(void);
        void reach_error(void) { __assert_fail(\"0\", \"p.c\", 3, \"reach_error\"); }
        int main(int argc, char **argv) {
            if (__VERIFIER_nondet_int() == 3) reach_error();
            return 0;
        }";
    let (program, _) = read_text("p.i", text, &COptions::default())
        .unwrap_or_else(|(e, s)| panic!("{}", e.render(&s, false)));
    assert_eq!(program.horn().clauses.len(), 1);
}

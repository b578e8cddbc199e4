//! No text makes the C front-end panic, hang or grow without bounds.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use suppose_frontends::c::{COptions, read_text};
use suppose_source::ParserLimits;

fn options() -> COptions {
    COptions {
        limits: ParserLimits {
            bytes: 1 << 20,
            depth: 100,
            states: 50_000,
            transitions: 500_000,
            labels: 1000,
        },
        ..COptions::default()
    }
}

fn reads(text: &str) -> bool {
    match read_text("p.c", text, &options()) {
        Ok(_) => true,
        Err((error, sources)) => {
            assert!(!error.render(&sources, false).is_empty());
            false
        }
    }
}

#[test]
fn deep_nesting_is_refused_and_long_chains_are_not() {
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("if (1) ", ";"),
        ("-", "1"),
        ("while (1) ", ";"),
        ("f(", ")"),
    ] {
        for count in [50, 150, 100_000] {
            let inner = format!("{}{}", open.repeat(count), close.repeat(count));
            for text in [
                format!("int main(void) {{ {inner} }}"),
                format!("int x = {inner};"),
            ] {
                let _ = reads(&text);
            }
        }
    }
    let chain = format!("int main(void) {{ int x = 1{}; }}", " + 1".repeat(100_000));
    assert!(reads(&chain));
    let commas = format!(
        "int main(void) {{ int x; {}; }}",
        vec!["x = 1"; 100_000].join(", ")
    );
    assert!(!reads(&commas));
}

#[test]
fn long_programs_are_read() {
    // Chains and rows are no nesting.
    let chain = "if (x == 1) x = 2; else ".repeat(300) + ";";
    assert!(reads(&format!(
        "int main(void) {{ int x = 0; {chain} assert(x < 5); }}"
    )));
    let row = "if (nd()) x++; ".repeat(2000);
    assert!(reads(&format!(
        "int nd(void); int main(void) {{ int x = 0; {row} assert(x < 5000); }}"
    )));
    let doubled = "x = x + x; ".repeat(3000);
    assert!(reads(&format!(
        "int nd(void); int main(void) {{ int x = nd(); {doubled} assert(x != 1); }}"
    )));
    let calls = "x = f(x); ".repeat(1000);
    assert!(reads(&format!(
        "int f(int a) {{ while (a > 7) a--; return a; }} int main(void) {{ int x = 0; {calls} assert(x < 8); }}"
    )));
    let optional = "if (nd()) x = f(x); ".repeat(200);
    assert!(reads(&format!(
        "int nd(void); int f(int a) {{ while (a > 7) a--; return a; }} int main(void) {{ int x = 0; {optional} assert(x < 8); }}"
    )));
}

#[test]
fn macros_that_grow_are_stopped() {
    let mut text = String::from("#define A0 1\n");
    for i in 1..40 {
        text.push_str(&format!("#define A{i} A{} + A{}\n", i - 1, i - 1));
    }
    text.push_str("int main(void) { return A39; }");
    assert!(!reads(&text));
    assert!(reads("#define X X\nint X; int main(void) { return X; }"));
}

#[test]
fn programs_cut_off_are_refused() {
    let text = "#define N 3\nint g;\nint f(int a) { while (a > N) { a--; } return a; }\nint main(void) { int x = f(g); switch (x) { case 1: break; default: assert(x < 4 || x == 7 ? 1 : 0); } return 0; }\n";
    assert!(reads(text));
    for end in 0..text.len() - 2 {
        assert!(!reads(&text[..end]), "{}", &text[..end]);
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,80}") {
        let _ = reads(&text);
        let _ = reads(&format!("int main(void) {{ {text} }}"));
    }

    #[test]
    fn any_tokens_are_read_or_refused(words in prop::collection::vec(
        prop::sample::select(vec![
            "int", "main", "(", ")", "{", "}", ";", "x", "y", "=", "+", "-", "*", "/", "%", "1", "0", "7", "if", "else",
            "while", "do", "for", "switch", "case", "default", ":", "?", "break", "continue", "return", "goto", "L",
            "void", ",", "&&", "||", "!", "~", "<<", ">>", "&", "|", "^", "==", "<", "assert", "unsigned", "char", "_Bool",
            "long", "static", "const", "extern", "typedef", "enum", "struct", "sizeof", "++", "--", "+=", "nd", "f",
            "[", "]", ".", "->", "...", "\"t\"", "'a'", "1.5", "0x1f", "\n#define M x\n", "M", "\n#if 1\n", "\n#endif\n",
            "int main(void) {", "int x = nd();", "int nd(void);", "f(x);", "while (x < y)", "x = x + 1;",
        ]), 0..60)) {
        let _ = reads(&words.join(" "));
        let _ = reads(&format!("int nd(void); int f(int a) {{ return a; }} int main(void) {{ int x = nd(), y = nd(); {} }}", words.join(" ")));
    }
}

//! Programs compiled by gcc.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::Script;
use super::generate::PRELUDE;

/// A folder of its own, taken away at the end.
pub(super) struct Folder(PathBuf);

/// How a compiled program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Normally,
    Violated,
    Overflow,
}

pub(super) struct Binary {
    path: PathBuf,
}

impl Folder {
    pub(super) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("suppose-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// `flags` say what a signed overflow does.
    fn gcc(&self, text: &str, flags: &[&str]) -> PathBuf {
        let source = self.0.join("program.c");
        let binary = self.0.join("program");
        std::fs::write(&source, text).unwrap();
        let output = Command::new("gcc")
            .args(["-w", "-O0", "-o"])
            .arg(&binary)
            .arg(&source)
            .args(flags)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}\n{text}");
        binary
    }

    /// A program that takes the values of `nondet_i` as arguments. A violation is exit status 1.
    pub(super) fn compile(&self, text: &str, names: usize) -> Binary {
        self.with_inputs(text, names, &["-fwrapv"])
    }

    /// The same, but a signed overflow ends it by a signal.
    pub(super) fn compile_checked(&self, text: &str, names: usize) -> Binary {
        let checks = [
            "-fsanitize=signed-integer-overflow",
            "-fsanitize-undefined-trap-on-error",
        ];
        self.with_inputs(text, names, &checks)
    }

    fn with_inputs(&self, text: &str, names: usize, flags: &[&str]) -> Binary {
        let mut all = text
            .replace(
                "#include <assert.h>",
                "#define assert(e) ((e) ? (void)0 : exit(1))\nextern void exit(int);",
            )
            .replace("int main(void)", "int program(void)")
            .replace(
                "extern void __VERIFIER_assume(int);",
                "#define __VERIFIER_assume(e) ((e) ? (void)0 : exit(0))",
            );
        all.push_str("\nextern long long atoll(const char *);\nstatic char **given;\n");
        for i in 0..names {
            let declared = text
                .lines()
                .find(|l| l.contains(&format!(" nondet_{i}(void)")))
                .unwrap();
            let head = declared.trim_start_matches("extern ").trim_end_matches(';');
            // `strtoull` would be needed above 2^63: the values are given as signed numbers of the same bits.
            all.push_str(&format!("{head} {{ return atoll(given[{i}]); }}\n"));
        }
        all.push_str(
            "int main(int count, char **values) { given = values + 1; program(); return 0; }\n",
        );
        Binary {
            path: self.gcc(&all, flags),
        }
    }

    /// The values of expressions, as `long long`.
    pub(super) fn print(&self, expressions: &[String]) -> Vec<i64> {
        let mut text = format!("#include <stdio.h>\nint main(void) {{ {PRELUDE}\n");
        for expression in expressions {
            text.push_str(&format!(
                "printf(\"%lld\\n\", (long long)({expression}));\n"
            ));
        }
        text.push_str("return 0; }\n");
        let binary = self.gcc(&text, &["-fwrapv"]);
        let output = Command::new(binary).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        printed.lines().map(|l| l.parse().unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Binary {
    pub(super) fn violates(&self, script: &Script) -> bool {
        match self.end(script) {
            End::Normally => false,
            End::Violated => true,
            End::Overflow => panic!("the program was stopped"),
        }
    }

    pub(super) fn end(&self, script: &Script) -> End {
        // In the order of their numbers, not of their names.
        let values = (0..script.len()).map(|i| (script[&format!("nondet_{i}")] as i64).to_string());
        let status = Command::new(&self.path)
            .args(values)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        match status.code() {
            Some(0) => End::Normally,
            Some(1) => End::Violated,
            // By a signal.
            None => End::Overflow,
            other => panic!("the program ended with {other:?}"),
        }
    }
}

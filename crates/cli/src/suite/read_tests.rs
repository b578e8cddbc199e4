//! What `suppose.toml` may say, and what is said about the rest.

use super::*;

fn read_text(text: &str) -> Result<Suite, Failure> {
    parse("suppose.toml", text, Path::new("models"))
}

#[test]
fn a_suite_is_read() {
    let suite = read_text(
        "[options]\ntimeout = \"30s\"\nengine = \"auto\"\n\n[[model]]\nfiles = \"a.pml\"\n\n[[model]]\n\
         files = [\"b/*.lts\", \"c.lts\"]\noptions = { engine = \"agar\", set = [\"N=3\", \"M=4\"], no-deadlock = true, \
         property-file = \"p.aut\", recheck = false }\n\
         expect = { Order = \"violated\", \"weird name\" = \"unknown(timeout)\" }\n",
    )
    .unwrap();
    let [first, second] = &suite.entries[..] else {
        panic!("{suite:?}")
    };
    assert_eq!(first.files, [PathBuf::from("models/a.pml")]);
    assert_eq!(first.arguments, ["--engine=auto", "--timeout=30s"]);
    assert!(matches!(first.expect, Expect::Nothing));
    let mut arguments: Vec<_> = second
        .arguments
        .iter()
        .map(|a| a.to_str().unwrap())
        .collect();
    arguments.sort_unstable();
    assert_eq!(
        arguments,
        [
            "--engine=agar",
            "--no-deadlock",
            "--property-file=models/p.aut",
            "--set=M=4",
            "--set=N=3",
            "--timeout=30s"
        ]
    );
    let Expect::Claims(claims) = &second.expect else {
        panic!("{suite:?}")
    };
    assert_eq!(
        (claims[0].0.as_str(), &claims[0].1),
        ("Order", &Expected::Violated)
    );
    assert_eq!(claims[1].1, Expected::Unknown(Some("timeout".to_owned())));
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (text, place, words) in [
        (
            "[[modle]]\nfiles = \"a\"\n",
            "suppose.toml:1:3",
            "did you mean `model`?",
        ),
        ("x = \n", "suppose.toml:1", "error"),
        ("", "", "no model is listed"),
        (
            "model = 3\n",
            "suppose.toml:1:9",
            "begin each with [[model]]",
        ),
        (
            "[[model]]\nexpect = \"holds\"\n",
            "suppose.toml:1",
            "a model without files",
        ),
        (
            "[[model]]\nfiles = []\n",
            "suppose.toml:2:9",
            "a name, a pattern or a folder",
        ),
        (
            "[[model]]\nfiles = \"a\"\nexpected = \"holds\"\n",
            "suppose.toml:3:1",
            "did you mean `expect`?",
        ),
        (
            "[[model]]\nfiles = \"a\"\ntimeout = \"3s\"\n",
            "suppose.toml:3:1",
            "options = { timeout",
        ),
        (
            "[[model]]\nfiles = \"a\"\nexpect = \"hold\"\n",
            "suppose.toml:3:10",
            "did you mean `holds`?",
        ),
        (
            "[[model]]\nfiles = \"a\"\nexpect = { P = \"error\" }\n",
            "suppose.toml:3:16",
            "expect = \"error\"",
        ),
        (
            "[[model]]\nfiles = \"a\"\noptions = { engin = \"agar\" }\n",
            "suppose.toml:3:13",
            "did you mean `engine`?",
        ),
        (
            "[[model]]\nfiles = \"a\"\noptions = { engine = \"magic\" }\n",
            "suppose.toml:3:22",
            "invalid value 'magic'",
        ),
        (
            "[[model]]\nfiles = \"a\"\noptions = { timeout = \"soon\" }\n",
            "suppose.toml:3:23",
            "does not start with a number",
        ),
        (
            "[[model]]\nfiles = \"a\"\noptions = { recheck = \"yes\" }\n",
            "suppose.toml:3:23",
            "true or false",
        ),
        (
            "[[model]]\nfiles = \"a\"\noptions = { quiet = true }\n",
            "suppose.toml:3:13",
            "not for one model",
        ),
        (
            "[[model]]\nfiles = \"a\"\noptions = { deadlock = true, no-deadlock = true }\n",
            "suppose.toml:3",
            "cannot be used with",
        ),
        (
            "[[model]]\nfiles = \"a\"\noptions = { engine = [\"agar\"] }\n",
            "suppose.toml:3:22",
            "a text or a number",
        ),
        (
            "[[model]]\nfiles = \"a\"\noptions = { set = \"--full\" }\n",
            "suppose.toml:3:19",
            "NAME=NUMBER",
        ),
    ] {
        let failure = read_text(text).unwrap_err();
        let told = failure.text(false);
        assert!(
            told.contains(place) && told.contains(words),
            "{text}\n{told}"
        );
        assert_eq!(failure.status, ExitStatus::Input);
    }
}

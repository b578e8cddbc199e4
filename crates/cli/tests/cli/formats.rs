//! Conversions and drawings.

use crate::support::{Folder, channel, root, suppose};

#[test]
fn a_system_survives_every_format() {
    let folder = Folder::new();
    let model = channel();
    for system in ["SYS", "BROKEN"] {
        let json = folder.path("m.json");
        let ran = suppose(["convert", &model, &json, "--system", system]);
        assert_eq!(ran.status, 0, "{ran:#?}");
        let direct = suppose(["check", &model, "--system", system, "--quiet"]);
        let through = suppose(["check", &json, "--quiet"]);
        assert_eq!(direct.stdout, through.stdout);
    }
}

#[test]
fn components_and_properties_become_aut_files() {
    let folder = Folder::new();
    let model = channel();
    let part = |name: &str| {
        let path = folder.path(&format!("{name}.aut"));
        let ran = suppose(["convert", &model, &path, "--component", name]);
        assert_eq!(ran.status, 0, "{ran:#?}");
        path
    };
    let (input, output, order) = (part("Input"), part("Output"), part("Order"));
    let check = ["check", &input, &output, "--property-file", &order];
    suppose(check).ended(0, "holds");
    let whole = folder.path("whole.aut");
    assert_eq!(suppose(["convert", &input, &output, &whole]).status, 0);
    suppose(["check", &whole, "--property-file", &order]).ended(0, "holds");
}

#[test]
fn the_aldebaran_example_of_the_tutorial_holds() {
    let file = |name: &str| {
        let folder = root().join("examples/aut/channel");
        folder.join(name).display().to_string()
    };
    let files = [file("sender.aut"), file("receiver.aut"), file("order.aut")];
    let [sender, receiver, order] = &files;
    let check = ["check", sender, receiver, "--property-file", order];
    suppose(check).ended(0, "holds");
    let mut split = check.to_vec();
    split.extend(["--engine", "learn", "--split", "sender/receiver"]);
    suppose(split).ended(0, "holds");
}

#[test]
fn minimising_makes_smaller() {
    let folder = Folder::new();
    let text = "P = (a -> b -> P | a -> b -> b -> a -> b -> P)\\{b}.\n||SYS = P.\n";
    let model = folder.file("m.lts", text);
    let states = |arguments: &[&str]| -> u32 {
        let out = folder.path("out.aut");
        let ran = suppose([&["convert", &model, &out], arguments].concat());
        assert_eq!(ran.status, 0, "{ran:#?}");
        let text = std::fs::read_to_string(&out).unwrap();
        let header = text.lines().next().unwrap();
        let last = header.trim_end_matches(')').rsplit(',').next().unwrap();
        last.trim().parse().unwrap()
    };
    let plain = states(&[]);
    let weak = states(&["--minimise", "weak"]);
    let branching = states(&["--minimise", "branching"]);
    let strong = states(&["--minimise", "strong"]);
    assert!(weak <= branching && branching <= strong && strong <= plain);
    assert!(weak < plain);
}

#[test]
fn drawings_go_to_standard_output_or_files() {
    let folder = Folder::new();
    let model = channel();
    let views: [&[&str]; 4] = [
        &[],
        &["--component", "Input"],
        &["--property", "Order"],
        &["--composition"],
    ];
    for view in views {
        let ran = suppose([&["draw", &model], view].concat());
        assert!(
            ran.status == 0 && ran.stdout.contains("graph"),
            "{view:?}: {ran:#?}"
        );
        let svg = folder.path("a.svg");
        let ran = suppose([&["draw", &model, "-o", &svg], view].concat());
        assert_eq!(ran.status, 0, "{view:?}: {ran:#?}");
        assert!(
            std::fs::read_to_string(&svg).unwrap().contains("<svg"),
            "{view:?}"
        );
    }
    suppose(["draw", &model, "--component", "Inptu"]).refused(1, "Input");
}

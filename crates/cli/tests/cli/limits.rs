//! Limits: time, memory, the keyboard.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::{Folder, Ran, endless, program, suppose};

#[test]
fn a_time_limit_ends_it() {
    let folder = Folder::new();
    let model = endless(&folder);
    for engine in ["monolithic", "auto"] {
        let arguments = [
            "check",
            &model,
            "--deadlock",
            "--engine",
            engine,
            "--timeout",
            "300ms",
        ];
        suppose(arguments).ended(3, "unknown(timeout)");
    }
}

#[test]
fn a_memory_limit_is_kept() {
    let folder = Folder::new();
    let model = endless(&folder);
    let arguments = [
        "check",
        &model,
        "--deadlock",
        "--memory",
        "80MiB",
        "--format",
        "json",
    ];
    let ran = suppose(arguments);
    assert_eq!(ran.status, 3, "{ran:#?}");
    let document = ran.json();
    assert_eq!(document["last_line"], "unknown(memory)");
    assert!(document["claims"][0]["states"].as_u64().unwrap() > 100_000);
    let peak = document["timing"]["peak_memory_bytes"].as_u64().unwrap();
    assert!(peak <= 84 << 20, "{peak} bytes with a limit of 80 MiB");
}

/// Waits until the program listens to the signal, by what the system says of it.
fn wait_for_handler(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    loop {
        let text = std::fs::read_to_string(&status).unwrap();
        let caught = text
            .lines()
            .find_map(|l| l.strip_prefix("SigCgt:"))
            .unwrap();
        let caught = u64::from_str_radix(caught.trim(), 16).unwrap();
        if caught & (1 << 1) != 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
}

pub fn interrupted(arguments: &[&str]) -> Ran {
    let child = program()
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_handler(&child);
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    child.wait_with_output().unwrap().into()
}

#[test]
fn ctrl_c_ends_it_with_what_is_known() {
    let folder = Folder::new();
    let model = endless(&folder);
    interrupted(&["check", &model, "--deadlock"]).ended(3, "unknown(interrupted)");
    let ran = interrupted(&["check", &model, "--deadlock", "--format", "json"]);
    let document = ran.json();
    assert_eq!(document["last_line"], "unknown(interrupted)");
    assert!(document["claims"][0]["states"].as_u64().unwrap() > 0);
}

#[test]
fn quiet_means_no_progress() {
    let folder = Folder::new();
    let model = endless(&folder);
    let arguments = [
        "check",
        &model,
        "--deadlock",
        "--timeout",
        "300ms",
        "--quiet",
    ];
    let ran = suppose(arguments);
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str()),
        ("unknown(timeout)\n", "")
    );
}

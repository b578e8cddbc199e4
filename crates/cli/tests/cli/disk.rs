//! States in a folder, and searches that are resumed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::support::{Folder, Ran, program, suppose};

/// Three counters, each of which goes up and down.
fn counters(folder: &Folder, most: [u32; 3]) -> String {
    let process = |(name, most): (&str, u32)| {
        format!(
            "byte {name};\nactive proctype P{name}() {{ do :: {name} < {most} -> {name}++ :: {name} > 0 -> {name}-- od }}\n"
        )
    };
    let text: String = ["a", "b", "c"].into_iter().zip(most).map(process).collect();
    let broken = "active proctype Watch() { assert(a + b + c < 200) }\n";
    folder.file("counters.pml", text + broken)
}

/// Checksums of the layers, by the manifest of a search.
fn layers(states: &str) -> Vec<String> {
    let manifest = std::fs::read_to_string(Path::new(states).join("1/manifest")).unwrap();
    let body: Value = serde_json::from_str(manifest.split_once('\n').unwrap().1).unwrap();
    assert_eq!(body["progress"]["done"], true);
    let layers = body["progress"]["layers"].as_array().unwrap().iter();
    layers
        .map(|l| l["sha256"].as_str().unwrap().to_owned())
        .collect()
}

fn sizes(ran: &Ran) -> (u64, u64) {
    let claim = &ran.json()["claims"][0];
    (
        claim["states"].as_u64().unwrap(),
        claim["transitions"].as_u64().unwrap(),
    )
}

/// It ended so, and its document says so.
#[track_caller]
fn decided(ran: &Ran, status: i32, last_line: &str) {
    let said = ran.json()["last_line"].clone();
    assert_eq!(
        (ran.status, &said),
        (status, &Value::from(last_line)),
        "{ran:#?}"
    );
}

fn check<'a>(model: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["check", model, "--no-reduction", "--format", "json"];
    all.extend(more);
    all
}

#[test]
fn what_is_found_on_disk_is_what_is_found_in_memory() {
    let folder = Folder::new();
    let model = counters(&folder, [11, 12, 13]);
    let memory = suppose(check(&model, &["--engine", "monolithic"]));
    decided(&memory, 0, "holds");
    for threads in ["1", "2"] {
        let states = folder.path(threads);
        let disk = suppose(check(&model, &["--disk", &states, "--threads", threads]));
        decided(&disk, 0, "holds");
        assert_eq!(sizes(&disk), sizes(&memory));
        assert_eq!(layers(&states), layers(&folder.path("1")));
        // All is done: nothing is left to do.
        let again = suppose(["resume", &states, "--format", "json"]);
        decided(&again, 0, "holds");
        assert_eq!(sizes(&again), sizes(&memory));
    }
}

#[test]
fn a_counterexample_is_found_on_disk_and_is_shortest() {
    let folder = Folder::new();
    let model = folder.file("race.pml", "byte x; active [2] proctype P() { byte t; t = x; x = t + 1; x = x + 1; assert(x != 2 || t > 0) }");
    let memory = suppose([
        "check",
        &model,
        "--engine",
        "monolithic",
        "--no-reduction",
        "--format",
        "json",
    ]);
    decided(&memory, 10, "violated(assertions)");
    let states = folder.path("states");
    let trail = folder.path("t.trail");
    let disk = suppose([
        "check",
        &model,
        "--disk",
        &states,
        "--no-reduction",
        "--format",
        "json",
        "--trail",
        &trail,
    ]);
    decided(&disk, 10, "violated(assertions)");
    let steps = |ran: &Ran| {
        ran.json()["claims"][0]["counterexample"]["steps"]
            .as_array()
            .map(Vec::len)
    };
    assert_eq!(steps(&disk), steps(&memory));
    assert!(Path::new(&trail).exists());
    let page = folder.path("page.html");
    suppose(["resume", &states, "--report", &page]).ended(10, "violated(assertions)");
    assert!(Path::new(&page).exists());
}

/// How many times the search is killed: `SUPPOSE_KILLS` says it for a longer test.
fn kills() -> u32 {
    let asked = std::env::var("SUPPOSE_KILLS").ok();
    asked.and_then(|k| k.parse().ok()).unwrap_or(10)
}

/// `kill -9` at any moment: what was saved is whole, and the end is that of a search that nobody disturbed.
#[test]
fn a_search_that_is_killed_again_and_again_ends_as_if_it_were_not() {
    let folder = Folder::new();
    let model = counters(&folder, [17, 17, 17]);
    let whole = folder.path("whole");
    let undisturbed = suppose(check(&model, &["--disk", &whole]));
    decided(&undisturbed, 0, "holds");
    let mut seed = std::process::id();
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % below
    };
    let mut left = kills();
    for number in 0.. {
        let states = folder.path(&format!("killed-{number}"));
        let mut begun = false;
        let ended = loop {
            // Of a search that was killed before the folder was noted nothing is left to resume.
            begun |= Path::new(&states).join("search.json").exists();
            let threads = ["1", "2", "3"][random(3) as usize];
            let mut command = program();
            match begun {
                true => command.args(["resume", &states, "--threads", threads, "--format", "json"]),
                false => command.args(check(&model, &["--disk", &states, "--threads", threads])),
            };
            let mut child = command
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            if left == 0 {
                assert!(child.wait().unwrap().success());
                break suppose(["resume", &states, "--format", "json"]);
            }
            std::thread::sleep(Duration::from_millis(u64::from(random(900))));
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success(), "{status:?}");
                break suppose(["resume", &states, "--format", "json"]);
            }
            child.kill().unwrap();
            child.wait().unwrap();
            left -= 1;
        };
        decided(&ended, 0, "holds");
        assert_eq!(sizes(&ended), sizes(&undisturbed));
        assert_eq!(layers(&states), layers(&whole));
        std::fs::remove_dir_all(&states).unwrap();
        if left == 0 {
            break;
        }
    }
}

#[test]
fn ctrl_c_and_a_time_limit_leave_what_was_found() {
    let folder = Folder::new();
    let model = counters(&folder, [17, 17, 17]);
    let states = folder.path("states");
    let stopped = suppose([
        "check",
        &model,
        "--disk",
        &states,
        "--no-reduction",
        "--timeout",
        "1ms",
    ]);
    stopped.ended(3, "unknown(timeout)");
    let resumed = suppose(["resume", &states, "--format", "json"]);
    decided(&resumed, 0, "holds");
    assert!(sizes(&resumed).0 > 50_000);
}

#[test]
fn folders_that_cannot_be_used_are_refused() {
    let folder = Folder::new();
    let model = counters(&folder, [5, 5, 5]);
    let states = folder.path("states");
    decided(&suppose(check(&model, &["--disk", &states])), 0, "holds");
    suppose(["check", &model, "--disk", &states]).refused(2, "there is a search in");
    suppose(["resume", &folder.path("nothing")]).refused(2, "there is no search in");
    let full = folder.path("full");
    std::fs::create_dir(&full).unwrap();
    std::fs::write(Path::new(&full).join("notes.txt"), "mine").unwrap();
    suppose(["check", &model, "--disk", &full]).refused(2, "is not empty");
    let under = Path::new(&full)
        .join("notes.txt/states")
        .display()
        .to_string();
    suppose(["check", &model, "--disk", &under]).refused(2, "cannot make");
    for more in [["--order", "depth"], ["--compaction", "20"]] {
        let fresh = folder.path(more[1]);
        let all = ["check", &model, more[0], more[1], "--disk", &fresh];
        suppose(all).refused(1, "means nothing with --disk");
    }
    let other = folder.file("other.pml", "active proctype P() { skip }\n");
    suppose(["check", &model, &other, "--disk", "x"]).refused(1, "--disk is for one model");
    suppose(["check", "-", "--language", "promela", "--disk", "x"])
        .refused(1, "model that is in a file");
    let engine = ["check", &model, "--engine", "learn", "--disk", "x"];
    suppose(engine).refused(1, "--disk");

    let lock = std::fs::File::open(Path::new(&states).join("lock")).unwrap();
    lock.lock().unwrap();
    suppose(["resume", &states]).refused(2, "another search is running");
    drop(lock);
    let text = std::fs::read_to_string(&model).unwrap();
    std::fs::write(&model, text.replace("200", "150")).unwrap();
    suppose(["resume", &states]).refused(2, "another model");
    std::fs::write(&model, &text).unwrap();
    suppose(["resume", &states]).ended(0, "holds");
    let layer = Path::new(&states).join("1/000004.layer");
    let bytes = std::fs::read(&layer).unwrap();
    std::fs::write(&layer, [&bytes[..40], b"x", &bytes[41..]].concat()).unwrap();
    suppose(["resume", &states]).refused(2, "is damaged");
    std::fs::remove_file(&layer).unwrap();
    suppose(["resume", &states]).refused(2, "is missing");
    std::fs::write(&layer, &bytes).unwrap();
    let record = Path::new(&states).join("search.json");
    let noted = std::fs::read_to_string(&record).unwrap();
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    std::fs::write(&record, noted.replace(&version, "\"version\": \"0.0.1\"")).unwrap();
    suppose(["resume", &states]).refused(2, "another version");
    std::fs::write(&record, "{}").unwrap();
    suppose(["resume", &states]).refused(2, "is damaged");
}

/// A file may not grow any more, as on a full disk: there is no verdict, and with more room the search goes on.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new();
    let model = counters(&folder, [17, 17, 17]);
    let states = folder.path("states");
    let line = r#"trap '' XFSZ; ulimit -f 20; exec "$@""#;
    let suppose_ = program();
    let mut command = Command::new("bash");
    command
        .args(["-c", line, "bash"])
        .arg(suppose_.get_program());
    let output = command
        .args(check(&model, &["--disk", &states]))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(
        told.contains("\"last_line\": \"unknown(disk)\"") || told.contains("\"unknown(disk)\""),
        "{told}"
    );
    assert!(told.contains("File too large"), "{told}");
    suppose(["resume", &states]).ended(0, "holds");
}

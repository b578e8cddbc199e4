//! Jobs: their results, their limits, and their end.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use suppose_serve::ServeOptions;

use crate::client::Server;

const CHANNEL: &str = "
Input = (input -> send -> ack -> Input).
Output = (send -> output -> ack -> Output).
property Order = (input -> output -> Order).
||SYS = (Input || Output || Order).
";

const WRONG: &str = "
Input = (input -> send -> Input).
Output = (send -> output -> Output).
property Order = (input -> output -> Order).
||SYS = (Input || Output || Order).
";

/// There is no process `B`.
const BROKEN: &str = "A = (a -> A).\n||SYS = (A || B).\n";

/// Far more states than a test waits for, on the whole composition.
const ENDLESS: &str = "
CELL = COUNT[0], COUNT[i:0..9] = (when (i < 9) up -> COUNT[i + 1] | when (i > 0) down -> COUNT[i - 1]).
||SYS = (forall [i:1..12] c[i]:CELL).
";

#[test]
fn a_check_gives_verdicts_evidence_and_a_run() {
    let server = Server::new(None);
    let _page = server.page("p");
    let job = server.begin("p", "check", "channel.lts", CHANNEL);
    let result = server.result(job);
    assert_eq!(result["last_line"], "holds", "{result}");
    let certified = server
        .post(&format!("/api/jobs/{job}/certify"), &json!({}))
        .json();
    assert_eq!(certified["accepted"], true, "{certified}");
    let file = server.get(&format!("/api/jobs/{job}/certificate"));
    assert!(file.status == 200 && !file.body.is_empty());

    let job = server.begin("p", "check", "wrong.lts", WRONG);
    let result = server.result(job);
    assert_eq!(result["claims"][0]["verdict"], "violated", "{result}");
    let run = server
        .get(&format!("/api/jobs/{job}/run?claim=Order"))
        .json();
    assert!(run["steps"].as_array().unwrap().len() >= 2, "{run}");
    assert_eq!(
        server
            .get(&format!("/api/jobs/{job}/run?claim=None"))
            .status,
        404
    );
    let report = server.get(&format!("/api/jobs/{job}/report"));
    assert!(report.head.contains("application/octet-stream") && report.body.contains("<!"));
}

#[test]
fn an_assumption_is_found() {
    let server = Server::new(None);
    let _page = server.page("p");
    let job = server.begin("p", "assume", "channel.lts", CHANNEL);
    let result = server.result(job);
    let assumption = &result["report"]["claims"][0]["assumptions"][0];
    assert!(
        assumption["states"].as_u64().is_some_and(|n| n > 0),
        "{result}"
    );
}

#[test]
fn an_error_in_a_model_has_a_place() {
    let server = Server::new(None);
    let body = json!({ "model": { "name": "bad.lts", "text": BROKEN } });
    let told = server.post("/api/outline", &body).json();
    let first = &told["failure"]["diagnostics"][0];
    assert_eq!(first["line"], 2, "{told}");
    assert!(
        first["message"].as_str().is_some_and(|m| m.contains('B')),
        "{told}"
    );
    let body = json!({ "model": { "name": "good.lts", "text": CHANNEL } });
    let told = server.post("/api/outline", &body).json();
    assert_eq!(told["components"], json!(["Input", "Output"]), "{told}");
    assert_eq!(told["language"], "fsp");
}

fn walk(server: &Server, job: u64, command: &Value) -> Value {
    server
        .post(&format!("/api/jobs/{job}/walk"), command)
        .json()
}

#[test]
fn a_walk_takes_steps_back_and_forth() {
    let server = Server::new(None);
    let _page = server.page("p");
    let job = server.begin("p", "walk", "channel.lts", CHANNEL);
    let view = walk(&server, job, &json!({ "do": "look" }));
    assert_eq!(view["enabled"][0]["label"], "input", "{view}");
    let view = walk(&server, job, &json!({ "do": "take", "step": 0 }));
    assert_eq!(view["taken"][0]["label"], "input");
    assert_eq!(view["length"], 1);
    let view = walk(&server, job, &json!({ "do": "random", "count": 5 }));
    assert_eq!(view["length"], 6);
    let view = walk(&server, job, &json!({ "do": "undo", "count": 6 }));
    assert_eq!(view["length"], 0);
    let view = walk(
        &server,
        job,
        &json!({ "do": "reach", "name": "Output", "value": "2" }),
    );
    let labels: Vec<&str> = view["taken"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|s| s["label"].as_str())
        .collect();
    assert_eq!(labels, ["input", "send", "output"], "{view}");
    let view = walk(
        &server,
        job,
        &json!({ "do": "reach", "name": "Output", "value": "none" }),
    );
    assert!(
        view["note"]
            .as_str()
            .is_some_and(|n| n.starts_with("no state")),
        "{view}"
    );
    assert!(!walk(&server, job, &json!({ "do": "take", "step": 99 }))["error"].is_null());
    assert_eq!(
        server
            .post(&format!("/api/jobs/{job}/walk"), &json!({ "do": "harm" }))
            .status,
        400
    );
    assert_eq!(
        server
            .ask("DELETE", &format!("/api/jobs/{job}"), None)
            .status,
        200
    );
    assert_eq!(
        server
            .post(&format!("/api/jobs/{job}/walk"), &json!({ "do": "look" }))
            .status,
        404
    );
}

#[test]
fn a_walk_through_what_cannot_be_read_says_why() {
    let server = Server::new(None);
    let _page = server.page("p");
    let job = server.begin("p", "walk", "bad.lts", BROKEN);
    let answer = server.post(&format!("/api/jobs/{job}/walk"), &json!({ "do": "look" }));
    assert!(
        answer.status == 404 || !answer.json()["failure"].is_null(),
        "{answer:?}"
    );
}

/// Explores the whole composition, so that no other engine decides it.
fn exhaustive(page: &str) -> Value {
    json!({
        "page": page,
        "kind": "check",
        "model": { "name": "endless.lts", "text": ENDLESS },
        "question": { "engine": "monolithic", "seconds": 1e9 },
    })
}

fn endless(server: &Server, page: &str) -> u64 {
    let begun = server.post("/api/jobs", &exhaustive(page)).json();
    begun["job"].as_u64().unwrap()
}

/// Waits until that many jobs run.
fn until_running(server: &Server, number: u64) {
    let patience = Instant::now() + Duration::from_secs(60);
    while server.get("/api/hello").json()["running"] != number {
        assert!(
            Instant::now() < patience,
            "{}",
            server.get("/api/hello").body
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_job_stops_on_demand() {
    let server = Server::new(None);
    let _page = server.page("p");
    let job = endless(&server, "p");
    until_running(&server, 1);
    assert_eq!(server.get(&format!("/api/jobs/{job}")).status, 425);
    server.ask("DELETE", &format!("/api/jobs/{job}"), None);
    let result = server.result(job);
    assert_eq!(result["claims"][0]["verdict"], "unknown", "{result}");
    until_running(&server, 0);
}

#[test]
fn jobs_end_when_their_page_is_gone() {
    let server = Server::with(ServeOptions {
        grace: Duration::from_millis(100),
        ..ServeOptions::default()
    });
    let gone = server.page("gone");
    let _stays = server.page("stays");
    let job = endless(&server, "gone");
    let other = server.begin("stays", "walk", "channel.lts", CHANNEL);
    until_running(&server, 2);
    drop(gone);
    until_running(&server, 1);
    assert_eq!(server.get(&format!("/api/jobs/{job}")).status, 404);
    assert_eq!(
        server
            .post(&format!("/api/jobs/{other}/walk"), &json!({ "do": "look" }))
            .status,
        200
    );
}

#[test]
fn there_are_limits_on_jobs() {
    let server = Server::with(ServeOptions {
        jobs: 2,
        ..ServeOptions::default()
    });
    let body = exhaustive("p");
    assert_eq!(
        server.post("/api/jobs", &body).status,
        409,
        "a page that does not listen"
    );
    let _page = server.page("p");
    assert_eq!(server.post("/api/jobs", &body).status, 200);
    assert_eq!(server.post("/api/jobs", &body).status, 200);
    let third = server.post("/api/jobs", &body);
    assert_eq!(third.status, 429);
    assert!(third.body.contains("2 jobs are running"));
}

#[test]
fn a_page_has_one_walk_besides_its_jobs() {
    let server = Server::with(ServeOptions {
        jobs: 1,
        ..ServeOptions::default()
    });
    let (page, _other) = (server.page("p"), server.page("q"));
    let look = |job: u64| {
        let path = format!("/api/jobs/{job}/walk");
        server.post(&path, &json!({ "do": "look" })).status
    };
    let first = server.begin("p", "walk", "channel.lts", CHANNEL);
    assert_eq!(look(first), 200);
    let second = server.begin("p", "walk", "channel.lts", CHANNEL);
    assert_eq!((look(first), look(second)), (404, 200));
    until_running(&server, 1);
    let elsewhere = server.begin("q", "walk", "channel.lts", CHANNEL);
    assert_eq!((look(second), look(elsewhere)), (200, 200));
    assert_eq!(server.post("/api/jobs", &exhaustive("q")).status, 200);
    assert_eq!(server.post("/api/jobs", &exhaustive("q")).status, 429);
    // No grace for a walk: a page that is loaded again begins another.
    drop(page);
    until_running(&server, 2);
    assert_eq!((look(second), look(elsewhere)), (404, 200));
}

#[test]
fn the_time_limit_of_the_server_cannot_be_exceeded() {
    let limits = suppose::Limits {
        timeout: Some(Duration::from_millis(300)),
        ..suppose::Limits::default()
    };
    let server = Server::with(ServeOptions {
        limits,
        ..ServeOptions::default()
    });
    let _page = server.page("p");
    let job = endless(&server, "p");
    let result = server.result(job);
    assert!(
        result["last_line"]
            .as_str()
            .is_some_and(|l| l.starts_with("unknown")),
        "{result}"
    );
}

#[test]
fn what_the_page_offers_is_what_the_library_can_do() {
    let server = Server::new(None);
    let hello = server.get("/api/hello").json();
    let languages = hello["languages"].as_array().unwrap();
    let fsp = languages.iter().find(|l| l["name"] == "fsp").unwrap();
    assert!(
        fsp["engines"]
            .as_array()
            .unwrap()
            .iter()
            .any(|e| e["name"] == "agar")
    );
    let c = languages.iter().find(|l| l["name"] == "c").unwrap();
    assert_eq!(c["simulates"], false);
    let examples = server.get("/api/examples").json();
    for example in examples.as_array().unwrap() {
        let body = json!({ "model": { "name": example["name"], "text": example["text"], "spec": example["spec"] } });
        let told = server.post("/api/outline", &body).json();
        assert!(told["failure"].is_null(), "{}: {told}", example["name"]);
    }
}

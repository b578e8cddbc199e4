//! Only models below the folder can be read and written.

use std::os::unix::fs::symlink;

use serde_json::json;

use crate::client::{Server, Temporary};

const MODEL: &str = "LIGHT = (red -> green -> LIGHT).\n";

fn folder() -> (Temporary, Temporary) {
    let (inside, outside) = (Temporary::new(), Temporary::new());
    inside.write("light.lts", MODEL);
    inside.write("deep/er/other.pml", "init { skip }\n");
    inside.write(".hidden.lts", MODEL);
    inside.write(".git/config.lts", MODEL);
    inside.write("notes.md", "secret");
    inside.write("secret", "secret");
    outside.write("far.lts", "FAR = (secret -> FAR).\n");
    symlink(outside.0.join("far.lts"), inside.0.join("link.lts")).unwrap();
    symlink(&outside.0, inside.0.join("way")).unwrap();
    symlink(inside.0.join(".hidden.lts"), inside.0.join("shown.lts")).unwrap();
    symlink(inside.0.join("light.lts"), inside.0.join("inner.lts")).unwrap();
    (inside, outside)
}

fn encoded(path: &str) -> String {
    path.bytes().map(|b| format!("%{b:02x}")).collect()
}

#[test]
fn models_are_listed_and_read() {
    let (inside, _outside) = folder();
    let server = Server::new(Some(&inside.0));
    let listed = server.get("/api/files").json();
    assert_eq!(listed["files"], json!(["deep/er/other.pml", "light.lts"]));
    let read = server.get("/api/file?path=light.lts").json();
    assert_eq!(read["text"], MODEL);
    assert_eq!(server.get("/api/file?path=inner.lts").json()["text"], MODEL);
}

#[test]
fn nothing_else_is_read() {
    let (inside, outside) = folder();
    let server = Server::new(Some(&inside.0));
    let far = outside.0.join("far.lts").display().to_string();
    let name = outside.0.file_name().unwrap().to_str().unwrap();
    let paths = [
        "link.lts".to_owned(),
        "way/far.lts".to_owned(),
        "shown.lts".to_owned(),
        ".hidden.lts".to_owned(),
        ".git/config.lts".to_owned(),
        "notes.md".to_owned(),
        "secret".to_owned(),
        format!("../{name}/far.lts"),
        format!("deep/../../{name}/far.lts"),
        far.clone(),
        format!("/{far}"),
        "/etc/hostname".to_owned(),
        "../../../../etc/passwd".to_owned(),
        "..\\far.lts".to_owned(),
        "light.lts\0.md".to_owned(),
        "deep".to_owned(),
        String::new(),
        ".".to_owned(),
        "./light.lts/..".to_owned(),
        "light.lts/".repeat(100),
        "x".repeat(5000),
    ];
    for path in paths {
        let answer = server.get(&format!("/api/file?path={}", encoded(&path)));
        assert!(
            matches!(answer.status, 404 | 400),
            "{path:?}: {}",
            answer.status
        );
        assert!(
            !answer.body.contains("secret") && !answer.body.contains("root:"),
            "{path:?}"
        );
    }
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/assets/../../Cargo.toml",
        "/workbench.js/..",
        "//etc/passwd",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn a_model_reads_nothing_from_the_disk_but_what_is_beside_it() {
    let (inside, outside) = folder();
    inside.write("parts.h", "#define LIMIT 3\n");
    let server = Server::new(Some(&inside.0));
    let far = outside.0.join("far.lts").display().to_string();
    let outline = |name: &str, text: &str| {
        let model = json!({ "name": name, "text": text, "stored": true });
        server
            .post("/api/outline", &json!({ "model": model }))
            .json()
    };
    let good = outline(
        "m.pml",
        "#include \"parts.h\"\nbyte n; active proctype P() { assert(n < LIMIT) }",
    );
    assert!(good["failure"].is_null(), "{good}");
    for include in [
        "/etc/hostname",
        "../parts.h",
        "link.lts",
        "way/far.lts",
        far.as_str(),
    ] {
        let told = outline("m.pml", &format!("#include \"{include}\"\ninit {{ skip }}"));
        assert!(!told["failure"].is_null(), "{include}: {told}");
        assert!(!told.to_string().contains("(secret"), "{told}");
    }
    let told = outline("m.lts", "import A = \"link.aut\"\n||S = (A).\n");
    assert!(!told["failure"].is_null(), "{told}");
    for name in ["../m.lts", "/etc/m.lts", "", "-", "a\nb.lts"] {
        assert!(!outline(name, MODEL)["failure"].is_null(), "{name}");
    }
}

#[test]
fn saving_is_for_models_below_the_folder_that_nobody_else_changed() {
    let (inside, outside) = folder();
    let server = Server::new(Some(&inside.0));
    let hash = server.get("/api/file?path=light.lts").json()["hash"].clone();
    let save = |path: &str, text: &str, was: serde_json::Value| {
        let body = json!({ "path": path, "text": text, "was": was });
        server.ask("PUT", "/api/file", Some(&body))
    };
    let saved = save("light.lts", "NEW = STOP.\n", hash.clone());
    assert_eq!(saved.status, 200, "{}", saved.body);
    assert_eq!(
        std::fs::read_to_string(inside.0.join("light.lts")).unwrap(),
        "NEW = STOP.\n"
    );
    assert_eq!(save("light.lts", "LATE = STOP.\n", hash).status, 409);
    assert_eq!(save("light.lts", "LATE = STOP.\n", json!(null)).status, 409);
    assert_eq!(save("new.lts", MODEL, json!(null)).status, 200);
    let far = outside.0.join("made.lts").display().to_string();
    for path in [
        "link.lts",
        "way/made.lts",
        "../made.lts",
        &far,
        ".made.lts",
        "made.sh",
        "made",
        "none/made.lts",
        "deep/.x/made.lts",
    ] {
        assert_eq!(save(path, MODEL, json!(null)).status, 404, "{path}");
    }
    assert_eq!(
        std::fs::read_to_string(outside.0.join("far.lts")).unwrap(),
        "FAR = (secret -> FAR).\n"
    );
    assert!(!outside.0.join("made.lts").exists());
    let hidden = std::fs::read_dir(&inside.0).unwrap().flatten();
    let left: Vec<_> = hidden
        .filter(|e| e.file_name().to_string_lossy().starts_with(".light"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn of_one_file_only_that_file() {
    let (inside, _outside) = folder();
    inside.write("more.lts", MODEL);
    let server = Server::new(Some(&inside.0.join("light.lts")));
    assert_eq!(
        server.get("/api/files").json()["files"],
        json!(["light.lts"])
    );
    assert_eq!(server.get("/api/file?path=light.lts").status, 200);
    assert_eq!(server.get("/api/file?path=more.lts").status, 404);
    let body = json!({ "path": "made.lts", "text": MODEL, "was": null });
    assert_eq!(server.ask("PUT", "/api/file", Some(&body)).status, 404);
}

#[test]
fn without_a_folder_there_are_no_files() {
    let server = Server::new(None);
    assert_eq!(server.get("/api/files").json()["files"], json!([]));
    assert_eq!(server.get("/api/file?path=Cargo.toml").status, 404);
    let body = json!({ "path": "made.lts", "text": MODEL, "was": null });
    assert_eq!(server.ask("PUT", "/api/file", Some(&body)).status, 404);
}

//! What the page can ask for, over HTTP.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Path, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use suppose::options::table;
use suppose::{Failure, Language, SimulateOptions};

use crate::folder::{Denied, LARGEST};
use crate::guard::Refused;
use crate::jobs::{Done, Full};
use crate::request::{Model, Question};
use crate::run::failed;
use crate::walk::{self, Command};
use crate::{App, assets, run};

/// A request has at most this many bytes: a model with its properties and its specification.
const LARGEST_BODY: usize = 4 * LARGEST as usize;
/// How long a walk may take to answer.
const ANSWER: Duration = Duration::from_secs(20);
/// How long a text may take to be read while somebody types.
const READING: Duration = Duration::from_secs(5);
/// How often a page hears of its jobs.
const TICK: Duration = Duration::from_millis(150);
/// And at least every so many ticks.
const HEARTBEAT: u32 = 10;

type Shared = State<Arc<App>>;

/// All that is answered.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/hello", get(hello))
        .route("/api/examples", get(examples))
        .route("/api/files", get(files))
        .route("/api/file", get(read_file).put(write_file))
        .route("/api/outline", post(outline))
        .route("/api/events", get(events))
        .route("/api/jobs", post(begin))
        .route("/api/jobs/{id}", get(result).delete(remove))
        .route("/api/jobs/{id}/run", get(one_run))
        .route("/api/jobs/{id}/certificate", get(certificate))
        .route("/api/jobs/{id}/certify", post(certify))
        .route("/api/jobs/{id}/report", get(report))
        .route("/api/jobs/{id}/walk", post(walk_on))
        .fallback(nothing)
        .layer(from_fn_with_state(Arc::clone(&app), guarded))
        .with_state(app)
}

/// Every request comes through here: where it is from, whether it knows the token, and whether all of it arrives in time.
async fn guarded(State(app): Shared, request: Request, next: Next) -> Response {
    assets::secured(match admitted(&app, request).await {
        Ok(request) if request.uri().path().starts_with("/api/") => next.run(request).await,
        Ok(request) => assets::asset(request.uri().path()),
        Err(refusal) => refusal,
    })
}

async fn admitted(app: &App, request: Request) -> Result<Request, Response> {
    let refuse = |status: StatusCode, why: &str| problem(status, why);
    let (method, headers) = (request.method(), request.headers());
    let is_api = request.uri().path().starts_with("/api/");
    let judged = app.guard.source(method, headers);
    let judged = judged.and_then(|()| match is_api {
        true => app.guard.secret(headers),
        false => Ok(()),
    });
    judged.map_err(|refused| match refused {
        Refused::Host => refuse(
            StatusCode::MISDIRECTED_REQUEST,
            "this is not a name of this server",
        ),
        Refused::Origin => refuse(StatusCode::FORBIDDEN, "this comes from another site"),
        Refused::Token => refuse(
            StatusCode::UNAUTHORIZED,
            "the token is missing or wrong: open the address that `suppose serve` printed",
        ),
    })?;
    if !is_api && method != axum::http::Method::GET {
        return Err(refuse(
            StatusCode::METHOD_NOT_ALLOWED,
            "this can only be read",
        ));
    }
    let (parts, body) = request.into_parts();
    let whole = tokio::time::timeout(app.patience, to_bytes(body, LARGEST_BODY)).await;
    match whole {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(_)) => Err(refuse(StatusCode::PAYLOAD_TOO_LARGE, "this is too large")),
        Err(_) => Err(refuse(
            StatusCode::REQUEST_TIMEOUT,
            "the rest did not come in time",
        )),
    }
}

/// An error that is no failure of a model.
fn problem(status: StatusCode, why: &str) -> Response {
    answer(status, &json!({ "error": why }))
}

fn answer(status: StatusCode, body: &Value) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (status, kind, body.to_string()).into_response()
}

fn ok(body: &Value) -> Response {
    answer(StatusCode::OK, body)
}

async fn nothing() -> Response {
    problem(StatusCode::NOT_FOUND, "there is nothing here")
}

/// A request in JSON.
fn parsed<T: DeserializeOwned>(body: &Bytes) -> Result<T, Box<Response>> {
    serde_json::from_slice(body).map_err(|e| {
        let why = format!("the request cannot be read: {e}");
        Box::new(problem(StatusCode::BAD_REQUEST, &why))
    })
}

/// What the page needs to know first.
async fn hello(State(app): Shared) -> Response {
    let can = |command: &str, language: Language| {
        let mut commands = table::COMMANDS.iter().filter(|c| c.command == command);
        commands.any(|c| c.languages.contains(&language))
    };
    let languages: Vec<Value> = Language::ALL
        .into_iter()
        .map(|language| {
            let engines: Vec<Value> = table::engines(language)
                .map(|e| {
                    let decides: Vec<&str> = e.decides.iter().map(|c| c.name()).collect();
                    json!({ "name": e.name, "summary": e.summary, "decides": decides, "assumes": e.assumes })
                })
                .collect();
            json!({
                "name": language.name(),
                "title": language.title(),
                "endings": language.endings(),
                "simulates": can("simulate", language),
                "assumes": can("assume", language),
                "engines": engines,
            })
        })
        .collect();
    let folder = app.folder.root().and_then(|r| r.file_name());
    ok(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "folder": folder.map(|f| f.to_string_lossy()),
        "only": app.folder.only(),
        "seconds": app.limits.timeout.map(|t| t.as_secs_f64()),
        "memory": app.limits.memory,
        "running": app.jobs.running(),
        "languages": languages,
    }))
}

async fn examples() -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, assets::EXAMPLES).into_response()
}

async fn files(State(app): Shared) -> Response {
    blocking(move || ok(&app.folder.list())).await
}

#[derive(Deserialize)]
struct ByName {
    path: String,
}

async fn read_file(State(app): Shared, Query(asked): Query<ByName>) -> Response {
    blocking(move || match app.folder.read(&asked.path) {
        Ok((text, hash)) => ok(&json!({ "path": asked.path, "text": text, "hash": hash })),
        Err(denied) => refused_file(&denied),
    })
    .await
}

#[derive(Deserialize)]
struct Saved {
    path: String,
    text: String,
    /// The hash of what it replaces; none if the file is new.
    was: Option<String>,
}

async fn write_file(State(app): Shared, body: Bytes) -> Response {
    let saved: Saved = match parsed(&body) {
        Ok(saved) => saved,
        Err(response) => return *response,
    };
    blocking(move || {
        let written = app
            .folder
            .write(&saved.path, &saved.text, saved.was.as_deref());
        match written {
            Ok(hash) => ok(&json!({ "path": saved.path, "hash": hash })),
            Err(denied) => refused_file(&denied),
        }
    })
    .await
}

fn refused_file(denied: &Denied) -> Response {
    match denied {
        Denied::NotFound => problem(
            StatusCode::NOT_FOUND,
            "there is no such model in the folder",
        ),
        Denied::Unfit(why) => problem(StatusCode::UNPROCESSABLE_ENTITY, why),
        Denied::Changed => problem(StatusCode::CONFLICT, "the file was changed on the disk"),
    }
}

/// Work that may take a while, away from the threads that answer.
async fn blocking(work: impl FnOnce() -> Response + Send + 'static) -> Response {
    match tokio::task::spawn_blocking(work).await {
        Ok(response) => response,
        Err(_) => problem(StatusCode::INTERNAL_SERVER_ERROR, "this failed: a bug"),
    }
}

#[derive(Deserialize)]
struct Outlined {
    model: Model,
}

/// What a text is: its language, its claims, or what is wrong with it.
async fn outline(State(app): Shared, body: Bytes) -> Response {
    let asked: Outlined = match parsed(&body) {
        Ok(asked) => asked,
        Err(response) => return *response,
    };
    blocking(move || ok(&outlined(&app, &asked.model))).await
}

fn outlined(app: &App, model: &Model) -> Value {
    let question = Question {
        seconds: Some(READING.as_secs_f64()),
        ..Question::default()
    };
    let read = || -> Result<Value, Failure> {
        let source = model.source(app)?;
        let options = question.check(model, app.limits, None)?;
        let language = source.language(None)?;
        let told = suppose::outline(&source, &options, Arc::new(suppose::Silent));
        let mut body = match told {
            Ok(outline) => json!({
                "claims": outline.claims,
                "undecided": outline.undecided,
                "components": outline.components,
                "warnings": outline.warnings,
            }),
            Err(failure) => failed(&failure),
        };
        body["language"] = language.name().into();
        Ok(body)
    };
    read().unwrap_or_else(|failure| failed(&failure))
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Check,
    Assume,
    Trial,
    Walk,
}

#[derive(Deserialize)]
struct Begun {
    page: String,
    kind: Kind,
    model: Model,
    #[serde(default)]
    question: Question,
    #[serde(default)]
    assumption: String,
}

/// Begins a job, and returns its number.
async fn begin(State(app): Shared, body: Bytes) -> Response {
    let begun: Begun = match parsed(&body) {
        Ok(begun) => begun,
        Err(response) => return *response,
    };
    let (line, commands) = channel();
    let line = matches!(begun.kind, Kind::Walk).then_some(line);
    let (id, progress) = match app.jobs.begin(&begun.page, line) {
        Ok(begun) => begun,
        Err(Full::Jobs(number)) => {
            let why = format!("{number} jobs are running already: stop one first");
            return problem(StatusCode::TOO_MANY_REQUESTS, &why);
        }
        Err(Full::NoPage) => {
            return problem(StatusCode::CONFLICT, "this page does not read its events");
        }
    };
    let own = Arc::clone(&app);
    let work = move || {
        let (model, question) = (&begun.model, &begun.question);
        let done = match begun.kind {
            Kind::Check => run::check(&own, id, model, question, progress),
            Kind::Assume => run::assume(&own, model, question, progress),
            Kind::Trial => run::trial(&own, model, question, &begun.assumption, progress),
            Kind::Walk => {
                let options = SimulateOptions {
                    model: model.options(),
                    run: suppose::RunOptions {
                        limits: suppose::Limits {
                            timeout: None,
                            ..own.limits
                        },
                        ..suppose::RunOptions::default()
                    },
                    ..SimulateOptions::default()
                };
                let driver = move |steps: &mut dyn suppose::steps::Steps, cx: &suppose::Context| {
                    walk::obey(steps, cx, &commands)
                };
                let source = model.source(&own);
                let walked = source.and_then(|s| suppose::drive(&s, &options, driver, progress));
                walked.map(|_| Done::default())
            }
        };
        own.jobs
            .finish(id, done.unwrap_or_else(|failure| Done::failed(&failure)));
    };
    match std::thread::Builder::new()
        .name(format!("job {id}"))
        .spawn(work)
    {
        Ok(_) => ok(&json!({ "job": id })),
        Err(_) => {
            app.jobs.finish(id, Done::default());
            app.jobs.remove(id);
            problem(
                StatusCode::SERVICE_UNAVAILABLE,
                "there are too many threads",
            )
        }
    }
}

/// The result of a job.
async fn result(State(app): Shared, Path(id): Path<u64>) -> Response {
    match app.jobs.done(id) {
        None => nothing().await,
        Some(None) => problem(StatusCode::TOO_EARLY, "the job still runs"),
        Some(Some(done)) => {
            let kind = [(header::CONTENT_TYPE, "application/json")];
            (kind, done.body.clone()).into_response()
        }
    }
}

async fn remove(State(app): Shared, Path(id): Path<u64>) -> Response {
    match app.jobs.remove(id) {
        true => ok(&json!({})),
        false => nothing().await,
    }
}

#[derive(Deserialize)]
struct OfClaim {
    claim: String,
}

async fn one_run(
    State(app): Shared,
    Path(id): Path<u64>,
    Query(asked): Query<OfClaim>,
) -> Response {
    let done = app.jobs.done(id).flatten();
    match done.and_then(|d| d.runs.get(&asked.claim).cloned()) {
        Some(run) => ([(header::CONTENT_TYPE, "application/json")], run).into_response(),
        None => nothing().await,
    }
}

async fn certificate(State(app): Shared, Path(id): Path<u64>) -> Response {
    let done = app.jobs.done(id).flatten();
    blocking(move || {
        let file = done.as_ref().and_then(|d| d.evidence.as_ref());
        let bytes = file.and_then(|e| std::fs::read(&e.options.certificate).ok());
        match bytes {
            Some(bytes) => {
                ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], bytes).into_response()
            }
            None => problem(StatusCode::NOT_FOUND, "there is no certificate"),
        }
    })
    .await
}

async fn certify(State(app): Shared, Path(id): Path<u64>) -> Response {
    let done = app.jobs.done(id).flatten();
    blocking(
        move || match done.as_ref().and_then(|d| d.evidence.as_ref()) {
            Some(evidence) => ok(&run::certify(evidence)),
            None => problem(StatusCode::NOT_FOUND, "there is no certificate"),
        },
    )
    .await
}

async fn report(State(app): Shared, Path(id): Path<u64>) -> Response {
    match app.jobs.done(id).flatten() {
        Some(done) if !done.html.is_empty() => {
            // Downloaded by the page's script, never opened here.
            let kind = [(header::CONTENT_TYPE, "application/octet-stream")];
            (kind, done.html.clone()).into_response()
        }
        _ => nothing().await,
    }
}

/// A command for a walk, and where it is then.
async fn walk_on(State(app): Shared, Path(id): Path<u64>, body: Bytes) -> Response {
    let command: Command = match parsed(&body) {
        Ok(command) => command,
        Err(response) => return *response,
    };
    let Some(line) = app.jobs.line(id) else {
        return problem(StatusCode::NOT_FOUND, "this walk has ended");
    };
    let (send, receive) = tokio::sync::oneshot::channel();
    if line.send((command, send)).is_err() {
        return problem(StatusCode::NOT_FOUND, "this walk has ended");
    }
    // The job may end at once, because the model cannot be read.
    drop(line);
    match tokio::time::timeout(ANSWER, receive).await {
        Ok(Ok(told)) => ok(&told),
        Ok(Err(_)) => match app.jobs.done(id).flatten() {
            Some(done) if !done.body.is_empty() => (
                [(header::CONTENT_TYPE, "application/json")],
                done.body.clone(),
            )
                .into_response(),
            _ => problem(StatusCode::NOT_FOUND, "this walk has ended"),
        },
        Err(_) => problem(
            StatusCode::GATEWAY_TIMEOUT,
            "this takes too long: stop it, or wait",
        ),
    }
}

#[derive(Deserialize)]
struct OfPage {
    page: String,
}

/// Tells a page about its jobs, a line of JSON each, for as long as it listens.
async fn events(State(app): Shared, Query(asked): Query<OfPage>) -> Response {
    let page = asked.page;
    if page.len() > 64 || !app.jobs.enter(&page) {
        return problem(StatusCode::TOO_MANY_REQUESTS, "too many pages are open");
    }
    let (send, mut receive) = tokio::sync::mpsc::channel::<Result<Bytes, std::io::Error>>(4);
    tokio::spawn(async move {
        let mut told: Vec<(u64, Value)> = Vec::new();
        let mut silent = HEARTBEAT;
        loop {
            let now = app.jobs.state(&page);
            let mut lines = String::new();
            for entry in now.iter().filter(|e| !told.contains(e)) {
                lines.push_str(&format!("{}\n", entry.1));
            }
            told = now;
            silent += 1;
            if silent >= HEARTBEAT {
                lines.push_str("{\"beat\":true}\n");
                silent = 0;
            }
            if !lines.is_empty() {
                let sent = tokio::time::timeout(app.patience, send.send(Ok(lines.into()))).await;
                if !matches!(sent, Ok(Ok(()))) {
                    break;
                }
            }
            tokio::select! {
                () = tokio::time::sleep(TICK) => {}
                () = send.closed() => break,
            }
        }
        if app.jobs.leave(&page) {
            tokio::time::sleep(app.jobs.grace).await;
            app.jobs.abandon(&page);
        }
    });
    let stream = futures_util::stream::poll_fn(move |cx| receive.poll_recv(cx));
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    (kind, Body::from_stream(stream)).into_response()
}

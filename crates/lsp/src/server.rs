//! The loop: what the editor says, what was read, what jobs found.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, after, never, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CompletionParams, DidChangeTextDocumentParams, DidOpenTextDocumentParams, DocumentSymbolParams,
    DocumentSymbolResponse, ExecuteCommandParams, InitializeParams, MessageType, NumberOrString,
    PublishDiagnosticsParams, ReferenceParams, RenameParams, SemanticTokensParams,
    SemanticTokensRangeParams, TextDocumentIdentifier, TextDocumentPositionParams, Uri,
    WorkspaceSymbolParams,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::LspOptions;
use crate::diagnostics;
use crate::document::{Document, Reading};
use crate::jobs::{self, Done, Outcome, Progress, Running, Task};
use crate::outside::includes;
use crate::paths::path_of;
use crate::reader::{Job, Read, Reader};
use crate::symbols::Workspace;
use crate::{complete, lens, navigate, rename, symbols, tokens};

/// How often the editor hears of jobs.
const TICK: Duration = Duration::from_millis(500);
/// Larger texts are not read: the front-ends would refuse them.
const LARGEST: usize = 64 << 20;

/// What the editor can do.
#[derive(Default)]
struct Client {
    progress: bool,
    lens_refresh: bool,
}

/// One editor and its documents.
pub(crate) struct Server<'c> {
    connection: &'c Connection,
    client: Client,
    options: LspOptions,
    documents: BTreeMap<String, Document>,
    workspace: Workspace,
    reader: Reader,
    read: Receiver<Read>,
    running: Vec<Running>,
    done: (Sender<Done>, Receiver<Done>),
    next: u64,
}

/// An answer, or why there is none.
type Answer = Result<Value, (ErrorCode, String)>;

/// Asked of one document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfDocument {
    text_document: TextDocumentIdentifier,
}

impl<'c> Server<'c> {
    pub(crate) fn new(
        connection: &'c Connection,
        params: &InitializeParams,
        options: LspOptions,
    ) -> Self {
        let window = params.capabilities.window.as_ref();
        let workspace = params.capabilities.workspace.as_ref();
        let client = Client {
            progress: window.and_then(|w| w.work_done_progress).unwrap_or(false),
            lens_refresh: workspace
                .and_then(|w| w.code_lens.as_ref()?.refresh_support)
                .unwrap_or(false),
        };
        let mut options = options;
        if let Some(told) = &params.initialization_options {
            // What an editor sets, within reason.
            if let Some(seconds) = told["timeout"]
                .as_f64()
                .filter(|s| (0.1..86_400.0).contains(s))
            {
                options.timeout = Duration::from_secs_f64(seconds);
            }
            if let Some(mebibytes) = told["memory"]
                .as_u64()
                .filter(|m| (64..1 << 20).contains(m))
            {
                options.memory = mebibytes << 20;
            }
        }
        let (sender, read) = unbounded();
        Server {
            connection,
            client,
            options,
            documents: BTreeMap::new(),
            workspace: Workspace::new(folders(params)),
            reader: Reader::start(sender, options.memory),
            read,
            running: Vec::new(),
            done: unbounded(),
            next: 0,
        }
    }

    /// Until the editor says `exit`, or is gone.
    pub(crate) fn run(mut self) -> Result<(), String> {
        loop {
            let tick = match self.running.is_empty() {
                true => never(),
                false => after(TICK),
            };
            let done = self.done.1.clone();
            select! {
                recv(self.connection.receiver) -> message => match message {
                    Ok(message) => {
                        if self.message(message)? {
                            self.cancel(|_| true);
                            return Ok(());
                        }
                    }
                    Err(_) => {
                        self.cancel(|_| true);
                        return Err("the editor is gone".to_owned());
                    }
                },
                recv(self.read) -> read => if let Ok(read) = read { self.was_read(read) },
                recv(done) -> done => if let Ok(done) = done { self.finished(done) },
                recv(tick) -> _ => self.tell_progress(),
            }
        }
    }

    /// True when it is over.
    fn message(&mut self, message: Message) -> Result<bool, String> {
        match message {
            Message::Request(request) => {
                let over = self.connection.handle_shutdown(&request);
                if over.map_err(|e| e.to_string())? {
                    return Ok(true);
                }
                let id = request.id.clone();
                let handled = catch_unwind(AssertUnwindSafe(|| self.request(request)));
                match handled {
                    Ok(None) => {}
                    Ok(Some(answer)) => self.respond(id, answer),
                    Err(_) => {
                        let why = "internal error: this is a bug".to_owned();
                        self.respond(id, Err((ErrorCode::InternalError, why)));
                    }
                }
            }
            Message::Notification(note) => {
                let method = note.method.clone();
                let handled = catch_unwind(AssertUnwindSafe(|| self.notification(note)));
                if handled.is_err() {
                    let text = format!("internal error in `{method}`: this is a bug");
                    self.show(MessageType::ERROR, &text);
                }
            }
            Message::Response(_) => {}
        }
        Ok(false)
    }

    fn respond(&self, id: RequestId, answer: Answer) {
        let response = match answer {
            Ok(value) => Response::new_ok(id, value),
            Err((code, why)) => Response::new_err(id, code as i32, why),
        };
        self.send(Message::Response(response));
    }

    /// An editor that is gone is noticed where messages are received.
    fn send(&self, message: Message) {
        let _ = self.connection.sender.send(message);
    }

    fn notify(&self, method: &str, params: Value) {
        let note = Notification::new(method.to_owned(), params);
        self.send(Message::Notification(note));
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.next += 1;
        let id = RequestId::from(format!("suppose-{}", self.next));
        self.send(Message::Request(Request::new(
            id,
            method.to_owned(),
            params,
        )));
    }

    fn show(&self, kind: MessageType, text: &str) {
        self.notify(
            "window/showMessage",
            json!({ "type": kind, "message": text }),
        );
    }

    fn log(&self, text: &str) {
        let params = json!({ "type": MessageType::INFO, "message": text });
        self.notify("window/logMessage", params);
    }

    fn document(&self, uri: &Uri) -> Result<&Document, (ErrorCode, String)> {
        self.documents
            .get(uri.as_str())
            .ok_or_else(|| invalid(format!("`{}` is not open", uri.as_str())))
    }

    /// The answer to a request; none if it comes later.
    fn request(&mut self, request: Request) -> Option<Answer> {
        let Request { id, method, params } = request;
        Some(match method.as_str() {
            "textDocument/hover" => {
                self.at(params, |s, d, p| json!(navigate::hover(d, &s.documents, p)))
            }
            "textDocument/definition" => self.at(params, |s, d, p| {
                json!(navigate::definition_of(d, &s.documents, p))
            }),
            "textDocument/documentHighlight" => {
                self.at(params, |_, d, p| json!(navigate::highlights(d, p)))
            }
            "textDocument/references" => self.references(params),
            "textDocument/prepareRename" => self.prepare_rename(params),
            "textDocument/rename" => self.rename(params),
            "textDocument/documentSymbol" => self.document_symbols(params),
            "textDocument/completion" => self.completion(params),
            "textDocument/codeLens" => self.of(params, |d| json!(lens::lenses(d))),
            "textDocument/semanticTokens/full" => self.tokens(params),
            "textDocument/semanticTokens/range" => self.tokens_of_range(params),
            "workspace/symbol" => self.workspace_symbols(params),
            "workspace/executeCommand" => return self.command(id, params),
            _ => {
                let why = format!("`{method}` is not supported");
                Err((ErrorCode::MethodNotFound, why))
            }
        })
    }

    fn of(&self, params: Value, answer: impl Fn(&Document) -> Value) -> Answer {
        let asked: OfDocument = parsed(params)?;
        Ok(answer(self.document(&asked.text_document.uri)?))
    }

    fn at(
        &self,
        params: Value,
        answer: impl Fn(&Self, &Document, lsp_types::Position) -> Value,
    ) -> Answer {
        let asked: TextDocumentPositionParams = parsed(params)?;
        let document = self.document(&asked.text_document.uri)?;
        Ok(answer(self, document, asked.position))
    }

    fn references(&self, params: Value) -> Answer {
        let asked: ReferenceParams = parsed(params)?;
        let place = asked.text_document_position;
        let document = self.document(&place.text_document.uri)?;
        let with = asked.context.include_declaration;
        let found = navigate::references(document, &self.documents, place.position, with);
        Ok(json!(found))
    }

    fn prepare_rename(&self, params: Value) -> Answer {
        let asked: TextDocumentPositionParams = parsed(params)?;
        let document = self.document(&asked.text_document.uri)?;
        let prepared = rename::prepare(document, &self.documents, asked.position);
        prepared.map(|p| json!(p)).map_err(refused)
    }

    fn rename(&self, params: Value) -> Answer {
        let asked: RenameParams = parsed(params)?;
        let place = asked.text_document_position;
        let document = self.document(&place.text_document.uri)?;
        let (open, memory) = (&self.documents, self.options.memory);
        let edit = rename::rename(document, open, place.position, &asked.new_name, memory);
        edit.map(|e| json!(e)).map_err(refused)
    }

    fn document_symbols(&self, params: Value) -> Answer {
        let asked: DocumentSymbolParams = parsed(params)?;
        let document = self.document(&asked.text_document.uri)?;
        let all = symbols::of_document(document);
        Ok(json!(DocumentSymbolResponse::Nested(all)))
    }

    fn completion(&self, params: Value) -> Answer {
        let asked: CompletionParams = parsed(params)?;
        let place = asked.text_document_position;
        let document = self.document(&place.text_document.uri)?;
        let list = complete::complete(document, &self.documents, place.position);
        Ok(json!(list))
    }

    fn tokens(&self, params: Value) -> Answer {
        let asked: SemanticTokensParams = parsed(params)?;
        let document = self.document(&asked.text_document.uri)?;
        Ok(json!(tokens::of(document, None)))
    }

    fn tokens_of_range(&self, params: Value) -> Answer {
        let asked: SemanticTokensRangeParams = parsed(params)?;
        let document = self.document(&asked.text_document.uri)?;
        Ok(json!(tokens::of(document, Some(asked.range))))
    }

    fn workspace_symbols(&mut self, params: Value) -> Answer {
        let asked: WorkspaceSymbolParams = parsed(params)?;
        Ok(json!(self.workspace.find(&asked.query, &self.documents)))
    }

    fn notification(&mut self, note: Notification) {
        let Notification { method, params } = note;
        let known = match method.as_str() {
            "textDocument/didOpen" => self.opened(params),
            "textDocument/didChange" => self.changed(params),
            "textDocument/didClose" => self.closed(params),
            "$/cancelRequest" => self.cancel_request(&params),
            "window/workDoneProgress/cancel" => self.cancel_token(&params),
            // Texts are read from the editor, not from the disk, so a saved one says nothing new.
            _ => Ok(()),
        };
        if let Err((_, why)) = known {
            self.log(&format!("{method}: {why}"));
        }
    }

    fn opened(&mut self, params: Value) -> Result<(), (ErrorCode, String)> {
        let it = parsed::<DidOpenTextDocumentParams>(params)?.text_document;
        let key = it.uri.as_str().to_owned();
        let document = Document::new(it.uri, &it.language_id, it.version, it.text);
        self.documents.insert(key.clone(), document);
        self.read(&key);
        Ok(())
    }

    fn changed(&mut self, params: Value) -> Result<(), (ErrorCode, String)> {
        let it: DidChangeTextDocumentParams = parsed(params)?;
        let key = it.text_document.uri.as_str().to_owned();
        let document = self
            .documents
            .get_mut(&key)
            .ok_or_else(|| invalid("the text is not open".to_owned()))?;
        for change in it.content_changes {
            document.change(change);
        }
        document.version = it.text_document.version;
        self.read(&key);
        Ok(())
    }

    fn closed(&mut self, params: Value) -> Result<(), (ErrorCode, String)> {
        let asked: OfDocument = parsed(params)?;
        let key = asked.text_document.uri.as_str();
        self.cancel(|job| job.uri == key);
        if let Some(document) = self.documents.remove(key) {
            self.publish(document.uri, None, Vec::new());
            // Texts that include it now get it from the disk.
            if let Some(path) = document.path {
                self.read_users(&path);
            }
        }
        Ok(())
    }

    /// Has a text read, and those that include it.
    fn read(&self, key: &str) {
        let Some(document) = self.documents.get(key) else {
            return;
        };
        self.read_one(document);
        if let Some(path) = &document.path {
            self.read_users(path);
        }
    }

    fn read_users(&self, path: &std::path::Path) {
        let is_other = |d: &&Document| d.path.as_deref() != Some(path) && includes(d, path);
        self.documents
            .values()
            .filter(is_other)
            .for_each(|d| self.read_one(d));
    }

    fn read_one(&self, document: &Document) {
        if document.language.is_none() || document.is_part() || document.text.len() > LARGEST {
            return;
        }
        self.reader.read(Job {
            uri: document.uri.as_str().to_owned(),
            version: document.version,
            source: document.source(self.documents.values()),
        });
    }

    fn was_read(&mut self, read: Read) {
        let Some(document) = self.documents.get_mut(&read.uri) else {
            return;
        };
        // Its positions are about another text.
        if document.version != read.version {
            return;
        }
        let claims = |r: &Option<Reading>| r.as_ref().map_or(Vec::new(), |r| r.claims.clone());
        let before = claims(&document.reading);
        let (errors, reading) = match &read.outline {
            Ok(outline) => (
                diagnostics::of_outline(document, outline),
                Reading {
                    claims: outline.claims.clone(),
                    is_sound: true,
                },
            ),
            // The claims of the last text that was right are better than none.
            Err(failure) => (
                diagnostics::of_failure(document, failure),
                Reading {
                    claims: before.clone(),
                    is_sound: false,
                },
            ),
        };
        let is_first = document.reading.is_none();
        let differs = is_first || before != reading.claims;
        let keeps = is_first && !reading.is_sound;
        document.errors = errors;
        document.reading = (!keeps).then_some(reading);
        self.publish_all(&read.uri);
        if differs && self.client.lens_refresh {
            self.ask("workspace/codeLens/refresh", Value::Null);
        }
    }

    /// What the front-end says of a text, and what checks found.
    fn publish_all(&self, key: &str) {
        let Some(document) = self.documents.get(key) else {
            return;
        };
        let mut all = document.errors.clone();
        for (claim, verdict) in &document.verdicts {
            all.extend(diagnostics::of_verdict(document, claim, verdict));
        }
        self.publish(document.uri.clone(), Some(document.version), all);
    }

    fn publish(&self, uri: Uri, version: Option<i32>, all: Vec<lsp_types::Diagnostic>) {
        let params = PublishDiagnosticsParams::new(uri, all, version);
        self.notify("textDocument/publishDiagnostics", json!(params));
    }

    /// A command. Its answer comes when it is done.
    fn command(&mut self, id: RequestId, params: Value) -> Option<Answer> {
        let begun = parsed::<ExecuteCommandParams>(params).and_then(|asked| {
            let argument = asked.arguments.into_iter().next().unwrap_or_default();
            let uri = argument["uri"].as_str().unwrap_or_default().to_owned();
            if !self.documents.contains_key(&uri) {
                return Err(invalid(format!("`{uri}` is not open")));
            }
            if asked.command == "suppose.result" {
                return self.result(&uri, argument["property"].as_str()).map(Some);
            }
            let task = Task::of(&asked.command, &argument);
            let task =
                task.ok_or_else(|| invalid(format!("there is no command `{}`", asked.command)))?;
            self.begin(id, uri, task).map(|()| None)
        });
        begun.transpose()
    }

    /// Shows the report of a check.
    fn result(&self, uri: &str, claim: Option<&str>) -> Answer {
        let document = self.documents.get(uri);
        let verdict = document.and_then(|d| d.verdicts.get(claim?));
        let verdict =
            verdict.ok_or_else(|| invalid("there is no result of this text".to_owned()))?;
        self.log(&verdict.report);
        Ok(json!({ "text": &*verdict.report }))
    }

    fn begin(&mut self, id: RequestId, uri: String, task: Task) -> Result<(), (ErrorCode, String)> {
        if self.running.len() >= self.options.jobs {
            let why = format!("{} checks are running already", self.running.len());
            self.show(MessageType::WARNING, &why);
            return Err((ErrorCode::RequestFailed, why));
        }
        let Some(document) = self.documents.get(&uri) else {
            return Err(invalid(format!("`{uri}` is not open")));
        };
        let source = document.source(self.documents.values());
        let (name, version) = (document.name(), document.version);
        self.next += 1;
        let number = self.next;
        let progress = Arc::new(Progress::default());
        let (own, done) = (Arc::clone(&progress), self.done.0.clone());
        if !jobs::start(number, task.clone(), source, name, self.options, own, done) {
            let why = "there are too many threads".to_owned();
            return Err((ErrorCode::RequestFailed, why));
        }
        let token = self.client.progress.then(|| {
            let token = NumberOrString::String(format!("suppose-job-{number}"));
            self.ask("window/workDoneProgress/create", json!({ "token": token }));
            let begin = json!({ "kind": "begin", "title": format!("suppose: {}", task.title()), "cancellable": true });
            self.notify("$/progress", json!({ "token": token, "value": begin }));
            token
        });
        self.running.push(Running {
            number,
            request: id,
            uri,
            task,
            version,
            progress,
            token,
        });
        Ok(())
    }

    fn tell_progress(&self) {
        for job in &self.running {
            if let Some(token) = &job.token {
                let value = json!({ "kind": "report", "message": job.progress.line() });
                self.notify("$/progress", json!({ "token": token, "value": value }));
            }
        }
    }

    fn cancel(&self, which: impl Fn(&Running) -> bool) {
        self.running
            .iter()
            .filter(|j| which(j))
            .for_each(|j| j.progress.cancel());
    }

    fn cancel_request(&self, params: &Value) -> Result<(), (ErrorCode, String)> {
        let id: RequestId = parsed(params["id"].clone())?;
        self.cancel(|job| job.request == id);
        Ok(())
    }

    fn cancel_token(&self, params: &Value) -> Result<(), (ErrorCode, String)> {
        let token: NumberOrString = parsed(params["token"].clone())?;
        self.cancel(|job| job.token.as_ref() == Some(&token));
        Ok(())
    }

    /// A job has ended.
    fn finished(&mut self, done: Done) {
        let Some(at) = self.running.iter().position(|j| j.number == done.number) else {
            return;
        };
        let job = self.running.remove(at);
        if let Some(token) = &job.token {
            let value = json!({ "kind": "end" });
            self.notify("$/progress", json!({ "token": token, "value": value }));
        }
        if job.progress.is_over() {
            let why = "cancelled".to_owned();
            self.respond(job.request, Err((ErrorCode::RequestCanceled, why)));
            return;
        }
        match done.result {
            Err(failure) => {
                let why = format!("{}: {}", job.task.title(), failure.first());
                self.log(&failure.text(false));
                self.show(MessageType::ERROR, &why);
                self.respond(job.request, Err((ErrorCode::RequestFailed, why)));
            }
            Ok(outcome) => {
                let answer = outcome.json();
                self.tell_outcome(&job, outcome);
                self.respond(job.request, Ok(answer));
            }
        }
    }

    fn tell_outcome(&mut self, job: &Running, outcome: Outcome) {
        match outcome {
            Outcome::Run(text, last) => {
                self.log(&text);
                self.show(MessageType::INFO, &last);
            }
            Outcome::Verdicts(all, last) => {
                self.show(MessageType::INFO, &last);
                let document = self.documents.get_mut(&job.uri);
                // A result about another text is shown, but not beside this one.
                let Some(document) = document.filter(|d| d.version == job.version) else {
                    return;
                };
                document.verdicts.extend(all);
                self.publish_all(&job.uri);
                if self.client.lens_refresh {
                    self.ask("workspace/codeLens/refresh", Value::Null);
                }
            }
        }
    }
}

/// The folders that the editor shows.
fn folders(params: &InitializeParams) -> Vec<std::path::PathBuf> {
    let named = params.workspace_folders.iter().flatten();
    let mut all: Vec<_> = named.filter_map(|f| path_of(&f.uri)).collect();
    #[expect(deprecated)]
    if let (true, Some(root)) = (all.is_empty(), &params.root_uri) {
        all.extend(path_of(root));
    }
    all
}

fn parsed<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|e| invalid(e.to_string()))
}

fn invalid(why: String) -> (ErrorCode, String) {
    (ErrorCode::InvalidParams, why)
}

fn refused(why: String) -> (ErrorCode, String) {
    (ErrorCode::RequestFailed, why)
}

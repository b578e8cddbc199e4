//! The language server of Suppose: what editors ask about models, over standard input and output.
//!
//! Definitions and uses of names come from [`suppose_frontends::index`], which is made anew after each change and has an answer
//! for a text that is half written. Errors and warnings come from the front-ends themselves, on a thread of their own, so that
//! typing never waits for them. Checks and simulations are commands: they run in the background, can be cancelled, and their
//! results become diagnostics and code lenses.
//!
//! ```
//! use suppose_lsp::{LspOptions, serve};
//!
//! let (server, client) = lsp_server::Connection::memory();
//! let thread = std::thread::spawn(move || serve(server, &LspOptions::default()));
//! drop(client);
//! assert!(thread.join().unwrap().is_err(), "there was no `initialize`");
//! ```

mod complete;
mod diagnostics;
mod document;
mod jobs;
mod lens;
mod navigate;
mod outside;
mod paths;
mod reader;
mod rename;
mod server;
mod symbols;
mod tokens;

use std::time::Duration;

use lsp_server::Connection;
use lsp_types::{
    CodeLensOptions, CompletionOptions, ExecuteCommandOptions, HoverProviderCapability,
    InitializeParams, OneOf, RenameOptions, SemanticTokensFullOptions, SemanticTokensOptions,
    ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, WorkDoneProgressOptions,
};

/// How much may be done.
#[derive(Clone, Copy, Debug)]
pub struct LspOptions {
    /// The longest time that a check may take.
    pub timeout: Duration,
    /// The memory that the server may use while it checks.
    pub memory: u64,
    /// How many checks may run at once.
    pub jobs: usize,
}

impl Default for LspOptions {
    fn default() -> Self {
        LspOptions {
            timeout: Duration::from_secs(60),
            memory: 4 << 30,
            jobs: 2,
        }
    }
}

/// Serves one editor, over standard input and output, until it says `exit`. The error says why it ended otherwise.
pub fn run(options: &LspOptions) -> Result<(), String> {
    let (connection, threads) = Connection::stdio();
    let served = serve(connection, options);
    // The threads wait for an editor that may be gone: only a good end is waited for.
    match &served {
        Ok(()) => threads.join().map_err(|e| e.to_string()),
        Err(_) => served,
    }
}

/// Serves one editor over a connection.
pub fn serve(connection: Connection, options: &LspOptions) -> Result<(), String> {
    suppose::silence_panics();
    let (id, params) = connection
        .initialize_start()
        .map_err(|e| format!("the editor did not say `initialize`: {e}"))?;
    let params: InitializeParams =
        serde_json::from_value(params).map_err(|e| format!("`initialize` cannot be read: {e}"))?;
    let told = serde_json::json!({
        "capabilities": capabilities(),
        "serverInfo": { "name": "suppose", "version": env!("CARGO_PKG_VERSION") },
    });
    connection
        .initialize_finish(id, told)
        .map_err(|e| format!("the editor did not say `initialized`: {e}"))?;
    server::Server::new(&connection, &params, *options).run()
}

/// What is offered.
fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                save: Some(TextDocumentSyncSaveOptions::Supported(true)),
                ..TextDocumentSyncOptions::default()
            },
        )),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![".".to_owned(), "@".to_owned()]),
            ..CompletionOptions::default()
        }),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: lens::COMMANDS.map(str::to_owned).to_vec(),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: tokens::legend(),
                range: Some(true),
                full: Some(SemanticTokensFullOptions::Bool(true)),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            }
            .into(),
        ),
        ..ServerCapabilities::default()
    }
}

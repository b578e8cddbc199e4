//! The workbench: a page on this machine to edit, check, explore and certify models.
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
//!
//! let bench = suppose_serve::Workbench::open(&suppose_serve::ServeOptions::default())?;
//! assert!(bench.url().starts_with("http://127.0.0.1:"));
//! // Serves until the flag is set, which it is here.
//! bench.run(Arc::new(AtomicBool::new(true)))?;
//! # Ok::<(), suppose::Failure>(())
//! ```
//!
//! Who can do what: the page and its scripts are public to whoever can connect; everything else needs the token, which is in the
//! fragment of the address (browsers do not send it to servers) and in a header of every request. `guard` checks that and where a request
//! comes from, `folder` which files can be read and written, `jobs` how much can run, and `connect` how many clients there
//! can be and how slow they may be. A model is read from memory with nothing else on the disk in reach
//! ([`suppose::Source::sealed`]).

mod api;
mod assets;
mod connect;
mod folder;
mod guard;
mod jobs;
mod observe;
mod request;
mod run;
mod walk;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use suppose::{Failure, Limits};

pub use guard::TOKEN_HEADER;

use folder::Folder;
use guard::Guard;
use jobs::Jobs;

/// What is served, where, and within which limits.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The folder whose models can be opened, or one file. None: only the examples, and what is typed.
    pub path: Option<PathBuf>,
    /// Where to listen. Port 0 is any that is free.
    pub listen: SocketAddr,
    /// The secret of the page; a random one if none is given.
    pub token: Option<String>,
    /// Names by which the page may be reached, besides addresses in numbers.
    pub hosts: Vec<String>,
    /// Limits of a single job.
    pub limits: Limits,
    /// How many jobs may run at once.
    pub jobs: usize,
    /// How many connections there may be at once.
    pub connections: usize,
    /// How long a client may take to send a request.
    pub patience: Duration,
    /// How long the jobs of a page go on when it is gone.
    pub grace: Duration,
}

impl Default for ServeOptions {
    fn default() -> Self {
        ServeOptions {
            path: None,
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            token: None,
            hosts: Vec::new(),
            limits: Limits {
                timeout: Some(Duration::from_secs(600)),
                memory: Some(4 << 30),
                seed: 0,
            },
            jobs: 4,
            connections: 256,
            patience: Duration::from_secs(10),
            grace: Duration::from_secs(5),
        }
    }
}

/// What all requests share.
pub(crate) struct App {
    pub guard: Guard,
    pub folder: Folder,
    pub jobs: Jobs,
    pub limits: Limits,
    pub patience: Duration,
}

/// A workbench that listens, and does not answer yet.
pub struct Workbench {
    listener: std::net::TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    connections: usize,
}

impl Workbench {
    /// Opens the folder and the port. An address that others can reach needs a token of the user's own.
    pub fn open(options: &ServeOptions) -> Result<Workbench, Failure> {
        if !options.listen.ip().is_loopback() && options.token.is_none() {
            let words = format!(
                "`{}` can be reached from other machines",
                options.listen.ip()
            );
            return Err(Failure::usage(words).help(
                "give a secret with --token-file FILE: whoever knows it can read and change the models in the folder, and run jobs here",
            ));
        }
        let token = match &options.token {
            Some(token) => guard::checked(token)?,
            None => guard::random()?,
        };
        let folder = Folder::open(options.path.as_deref())?;
        let listener = std::net::TcpListener::bind(options.listen)
            .map_err(|e| Failure::file(format!("cannot listen on {}: {e}", options.listen)))?;
        let address = listener
            .local_addr()
            .map_err(|e| Failure::file(format!("cannot listen: {e}")))?;
        let app = App {
            guard: Guard::new(token, address, &options.hosts),
            folder,
            jobs: Jobs::new(options.jobs, options.grace)?,
            limits: options.limits,
            patience: options.patience,
        };
        Ok(Workbench {
            listener,
            address,
            app: Arc::new(app),
            connections: options.connections,
        })
    }

    /// The address of the page, with its secret.
    pub fn url(&self) -> String {
        format!("http://{}/#{}", self.address, self.app.guard.token())
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The folder that is served, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        self.app.folder.root()
    }

    /// Answers until `stop` is set. Jobs that still run then are stopped.
    pub fn run(self, stop: Arc<AtomicBool>) -> Result<(), Failure> {
        let failed = |e: std::io::Error| Failure::file(format!("cannot serve: {e}"));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(failed)?;
        let app = Arc::clone(&self.app);
        let served = runtime.block_on(connect::serve(
            self.listener,
            Arc::clone(&app),
            self.connections,
            stop,
        ));
        app.jobs.stop_all();
        runtime.shutdown_timeout(Duration::from_secs(1));
        served.map_err(failed)
    }
}

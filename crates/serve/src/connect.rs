//! Connections: how many, and how slow they may be.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::Semaphore;

use crate::{App, api};

/// How often the request to stop is looked for.
const TICK: Duration = Duration::from_millis(100);

/// Answers until `stop` is set. Whoever comes when there are too many clients is sent away at once.
pub(crate) async fn serve(
    listener: TcpListener,
    app: Arc<App>,
    most: usize,
    stop: Arc<AtomicBool>,
) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(most));
    let router = api::router(Arc::clone(&app));
    while !stop.load(Ordering::Relaxed) {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = tokio::time::sleep(TICK) => continue,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            // Out of file descriptors, or the client is gone again.
            Err(_) => {
                tokio::time::sleep(TICK).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let patience = app.patience;
        tokio::spawn(async move {
            let mut server = http1::Builder::new();
            server.timer(TokioTimer::new());
            server.header_read_timeout(patience);
            server.max_buf_size(64 << 10);
            // A client that breaks the protocol or goes away only ends its own connection.
            let _ = server.serve_connection(TokioIo::new(stream), service).await;
            drop(place);
        });
    }
    Ok(())
}

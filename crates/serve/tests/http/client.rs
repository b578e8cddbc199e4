//! A server of the test's own, and a client that sends whatever it likes.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use suppose_serve::{ServeOptions, Workbench};

pub const TOKEN: &str = "0123456789abcdef-test";

/// A folder that goes with the test.
pub struct Temporary(pub PathBuf);

impl Temporary {
    pub fn new() -> Temporary {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("suppose-serve-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Temporary(path.canonicalize().unwrap())
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub struct Server {
    pub address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub fn new(path: Option<&Path>) -> Server {
        Server::with(ServeOptions {
            path: path.map(Path::to_owned),
            ..ServeOptions::default()
        })
    }

    pub fn with(options: ServeOptions) -> Server {
        let options = ServeOptions {
            token: Some(TOKEN.to_owned()),
            ..options
        };
        let bench = Workbench::open(&options).unwrap_or_else(|f| panic!("{}", f.first()));
        let address = bench.address();
        let stop = Arc::new(AtomicBool::new(false));
        let own = Arc::clone(&stop);
        let thread =
            std::thread::spawn(move || bench.run(own).unwrap_or_else(|f| panic!("{}", f.first())));
        Server {
            address,
            stop,
            thread: Some(thread),
        }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream
    }

    /// Sends a request as it stands, and reads until the server closes.
    pub fn raw(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        Answer::read(&mut stream)
    }

    /// A request of the page itself.
    pub fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let text = body.map_or(String::new(), Value::to_string);
        let host = self.address;
        self.raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nX-Suppose-Token: {TOKEN}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
            text.len()
        ))
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, None)
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, Some(body))
    }

    /// A page that reads its events, until it is dropped.
    pub fn page(&self, name: &str) -> TcpStream {
        let mut stream = self.connect();
        let host = self.address;
        let request = format!(
            "GET /api/events?page={name} HTTP/1.1\r\nHost: {host}\r\nX-Suppose-Token: {TOKEN}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut first = [0; 15];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 200 OK");
        stream
    }

    /// Begins a job and returns its number.
    pub fn begin(&self, page: &str, kind: &str, name: &str, text: &str) -> u64 {
        let body = json!({ "page": page, "kind": kind, "model": { "name": name, "text": text } });
        let answer = self.post("/api/jobs", &body);
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()["job"].as_u64().unwrap()
    }

    /// Waits for the result of a job.
    pub fn result(&self, job: u64) -> Value {
        let patience = Instant::now() + Duration::from_secs(120);
        while Instant::now() < patience {
            let answer = self.get(&format!("/api/jobs/{job}"));
            match answer.status {
                425 => std::thread::sleep(Duration::from_millis(20)),
                200 => return answer.json(),
                other => panic!("{other}: {}", answer.body),
            }
        }
        panic!("job {job} does not end");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking());
        }
    }
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn read(stream: &mut TcpStream) -> Answer {
        let mut bytes = Vec::new();
        // A server that closes on a client that still sends resets the connection.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text.as_str(), ""));
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok());
        Answer {
            status: status.unwrap_or(0),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }
}

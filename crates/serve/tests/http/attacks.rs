//! Requests of those who should get nothing.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use suppose_serve::{ServeOptions, Workbench};

use crate::client::{Answer, Server, TOKEN};

fn request(server: &Server, method: &str, path: &str, headers: &str) -> Answer {
    server.raw(&format!(
        "{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"
    ))
}

#[test]
fn without_the_token_there_is_only_the_page() {
    let server = Server::new(None);
    let host = format!("Host: {}\r\n", server.address);
    for path in [
        "/",
        "/workbench.js",
        "/workbench.css",
        "/icon.svg",
        "/notices.txt",
    ] {
        assert_eq!(request(&server, "GET", path, &host).status, 200, "{path}");
    }
    let tokens = [
        "",
        "X-Suppose-Token: \r\n",
        "X-Suppose-Token: wrong\r\n",
        "X-Suppose-Token: 0123456789abcdef-tesT\r\n",
        "X-Suppose-Token: 0123456789abcdef-test2\r\n",
        "Cookie: x-suppose-token=0123456789abcdef-test\r\n",
        "X-Suppose-Token: 0123456789abcdef-test\r\nX-Suppose-Token: 0123456789abcdef-test\r\n",
    ];
    for token in tokens {
        for path in [
            "/api/hello",
            "/api/files",
            "/api/file?path=x.lts",
            "/api/jobs/1",
            "/api/none",
        ] {
            let answer = request(&server, "GET", path, &format!("{host}{token}"));
            assert_eq!(answer.status, 401, "{token} {path}");
            assert!(!answer.body.contains("folder"));
        }
    }
    let right = format!("{host}X-Suppose-Token: {TOKEN}\r\n");
    assert_eq!(request(&server, "GET", "/api/hello", &right).status, 200);
    // The token is for the header: in an address it would be written to logs.
    let by_query = request(&server, "GET", &format!("/api/hello?token={TOKEN}"), &host);
    assert_eq!(by_query.status, 401);
}

#[test]
fn a_foreign_host_is_refused_even_with_the_token() {
    let server = Server::new(None);
    let port = server.address.port();
    let hosts = [
        format!("Host: evil.example:{port}\r\n"),
        "Host: evil.example\r\n".to_owned(),
        format!("Host: localhost.evil.example:{port}\r\n"),
        "Host: 127.0.0.1:1\r\n".to_owned(),
        String::new(),
        format!("Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n"),
    ];
    for host in hosts {
        for path in ["/", "/api/hello"] {
            let answer = request(
                &server,
                "GET",
                path,
                &format!("{host}X-Suppose-Token: {TOKEN}\r\n"),
            );
            assert!(matches!(answer.status, 400 | 421), "{host}: {answer:?}");
            assert!(!answer.body.contains("version"));
        }
    }
    let local = format!("Host: localhost:{port}\r\nX-Suppose-Token: {TOKEN}\r\n");
    assert_eq!(request(&server, "GET", "/api/hello", &local).status, 200);
}

#[test]
fn a_page_of_another_site_is_refused_even_with_the_token() {
    let server = Server::new(None);
    let address = server.address;
    let own = format!("Host: {address}\r\nX-Suppose-Token: {TOKEN}\r\n");
    let foreign = [
        "Origin: http://evil.example\r\n".to_owned(),
        "Origin: null\r\n".to_owned(),
        format!("Origin: https://{address}\r\n"),
        format!("Origin: http://{address}.evil.example\r\n"),
        "Sec-Fetch-Site: cross-site\r\n".to_owned(),
        "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\n".to_owned(),
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n".to_owned(),
    ];
    for header in foreign {
        for method in ["GET", "POST", "PUT", "DELETE", "OPTIONS"] {
            let answer = request(&server, method, "/api/jobs/1", &format!("{own}{header}"));
            assert_eq!(answer.status, 403, "{method} {header}");
            assert!(
                !answer.head.contains("access-control-allow"),
                "{}",
                answer.head
            );
        }
    }
    let allowed = format!("{own}Origin: http://{address}\r\nSec-Fetch-Site: same-origin\r\n");
    assert_eq!(request(&server, "GET", "/api/hello", &allowed).status, 200);
    // To follow a link to the page is all that another site can do.
    let visit = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n";
    let visited = request(&server, "GET", "/", &format!("Host: {address}\r\n{visit}"));
    assert_eq!(visited.status, 200);
}

#[test]
fn every_answer_has_the_headers_that_keep_it_apart() {
    let server = Server::new(None);
    let own = format!("Host: {}\r\nX-Suppose-Token: {TOKEN}\r\n", server.address);
    for path in [
        "/",
        "/workbench.js",
        "/nothing",
        "/api/hello",
        "/api/nothing",
    ] {
        let head = request(&server, "GET", path, &own).head;
        for header in [
            "x-content-type-options: nosniff",
            "x-frame-options: deny",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
            "cross-origin-resource-policy: same-origin",
            "content-security-policy: default-src 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(
                head.contains(header),
                "{path}: {header} is missing in {head}"
            );
        }
        assert!(
            !head.contains("unsafe-inline") && !head.contains("unsafe-eval"),
            "{head}"
        );
    }
    // The number that allows the editor's styles is used once.
    let nonce = |answer: &Answer| {
        let at = answer.head.find("'nonce-").unwrap();
        answer.head[at..at + 40].to_owned()
    };
    let (a, b) = (
        request(&server, "GET", "/", &own),
        request(&server, "GET", "/", &own),
    );
    assert_ne!(nonce(&a), nonce(&b));
    assert!(!a.body.contains("__NONCE__"));
}

#[test]
fn what_is_too_large_or_malformed_is_refused() {
    let server = Server::new(None);
    let own = format!("Host: {}\r\nX-Suppose-Token: {TOKEN}\r\n", server.address);
    // A body that is announced as too large is not read.
    let mut stream = server.connect();
    let head = format!(
        "POST /api/outline HTTP/1.1\r\n{own}Content-Length: 99999999999\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&vec![b'x'; 1 << 20]).ok();
    stream.shutdown(std::net::Shutdown::Write).ok();
    let answer = Answer::read(&mut stream);
    assert!(matches!(answer.status, 0 | 400 | 413), "{answer:?}");
    // One that grows beyond the limit without saying so is cut.
    let mut stream = server.connect();
    let head = format!(
        "POST /api/outline HTTP/1.1\r\n{own}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = format!("100000\r\n{}\r\n", "x".repeat(0x100000));
    let sent = (0..64)
        .take_while(|_| stream.write_all(chunk.as_bytes()).is_ok())
        .count();
    let answer = Answer::read(&mut stream);
    assert!(matches!(answer.status, 0 | 413), "{sent} {answer:?}");
    assert!(sent < 64, "all of 64 MiB was taken");
    for body in [
        "",
        "{",
        "[]",
        "null",
        "{\"model\":3}",
        "{\"model\":{\"name\":\"a.lts\"}}",
    ] {
        let request = format!(
            "POST /api/outline HTTP/1.1\r\n{own}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        assert_eq!(server.raw(&request).status, 400, "{body}");
    }
    let long = "x".repeat(200_000);
    let answer = server.raw(&format!("GET /{long} HTTP/1.1\r\n{own}\r\n"));
    assert!(matches!(answer.status, 0 | 414 | 431), "{}", answer.status);
    assert!(matches!(server.raw("\0\0\0\0\r\n\r\n").status, 0 | 400));
    assert_eq!(server.get("/api/hello").status, 200);
}

fn impatient() -> Server {
    Server::with(ServeOptions {
        patience: Duration::from_millis(300),
        connections: 64,
        ..ServeOptions::default()
    })
}

/// Reads until the server closes. Panics if it does not.
fn closed(mut stream: std::net::TcpStream) {
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => {}
        Err(e) => assert_eq!(e.kind(), std::io::ErrorKind::ConnectionReset, "{e}"),
    }
}

#[test]
fn slow_clients_are_sent_away() {
    let server = impatient();
    let own = format!("Host: {}\r\nX-Suppose-Token: {TOKEN}\r\n", server.address);
    // One that says nothing, one that never ends its head, one that never ends its body.
    let silent = server.connect();
    let mut head = server.connect();
    head.write_all(b"GET /api/hello HTTP/1.1\r\nHo").unwrap();
    let mut body = server.connect();
    let begun = format!("POST /api/outline HTTP/1.1\r\n{own}Content-Length: 100\r\n\r\nabc");
    body.write_all(begun.as_bytes()).unwrap();
    closed(head);
    closed(silent);
    let mut first = [0; 12];
    body.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 408");
    assert_eq!(server.get("/api/hello").status, 200);
}

#[test]
fn a_thousand_connections_do_not_keep_the_page_out() {
    let server = impatient();
    let streams: Vec<_> = (0..1000)
        .map_while(|_| std::net::TcpStream::connect(server.address).ok())
        .collect();
    assert!(streams.len() > 200);
    // As soon as the idle ones have been sent away there is room again.
    let until = Instant::now() + Duration::from_secs(60);
    let mut answered = false;
    while !answered && Instant::now() < until {
        answered = server.get("/api/hello").status == 200;
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(answered);
    drop(streams);
}

#[test]
fn an_address_that_others_can_reach_needs_a_token_of_ones_own() {
    let open = |token: Option<&str>| {
        Workbench::open(&ServeOptions {
            listen: "0.0.0.0:0".parse().unwrap(),
            token: token.map(str::to_owned),
            ..ServeOptions::default()
        })
    };
    let Err(refused) = open(None) else {
        panic!("open to everybody")
    };
    assert!(
        refused.first().contains("other machines"),
        "{}",
        refused.first()
    );
    assert!(refused.text(false).contains("--token-file"));
    let Err(short) = open(Some("secret")) else {
        panic!("a token that can be guessed")
    };
    assert!(short.first().contains("at least 16"), "{}", short.first());
    assert!(open(Some("a-long-enough-secret")).is_ok());
}

#[test]
fn tokens_are_random_and_only_in_the_fragment() {
    let open =
        || Workbench::open(&ServeOptions::default()).unwrap_or_else(|f| panic!("{}", f.first()));
    let (a, b) = (open(), open());
    let token = |w: &Workbench| w.url().split_once("/#").unwrap().1.to_owned();
    assert!(token(&a).len() >= 32 && token(&a) != token(&b));
    assert!(a.url().starts_with("http://127.0.0.1:"));
}

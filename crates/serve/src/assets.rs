//! The page: built from `web/`, and embedded.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The page. Its scripts and styles are separate files; only the editor adds styles while it runs, which a nonce in the content
/// security policy allows.
const PAGE: &str = include_str!("../assets/index.html");
/// The placeholder for the nonce in the page.
const NONCE: &str = "__NONCE__";

const FILES: &[(&str, &str, &[u8])] = &[
    (
        "/workbench.js",
        "text/javascript; charset=utf-8",
        include_bytes!("../assets/workbench.js"),
    ),
    (
        "/workbench.css",
        "text/css; charset=utf-8",
        include_bytes!("../assets/workbench.css"),
    ),
    (
        "/icon.svg",
        "image/svg+xml",
        include_bytes!("../assets/icon.svg"),
    ),
    (
        "/notices.txt",
        "text/plain; charset=utf-8",
        include_bytes!("../assets/notices.txt"),
    ),
];

/// The examples: models of `examples/`, with what to look at.
pub(crate) const EXAMPLES: &str = include_str!("../assets/examples.json");

/// A file of the page.
pub(crate) fn asset(path: &str) -> Response {
    if path == "/" {
        return page();
    }
    match FILES.iter().find(|(name, _, _)| *name == path) {
        Some((_, kind, bytes)) => ([(header::CONTENT_TYPE, *kind)], *bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "there is nothing here\n").into_response(),
    }
}

fn page() -> Response {
    let Ok(nonce) = crate::guard::random() else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let policy = policy(&format!("'self' 'nonce-{nonce}'"));
    let page = PAGE.replace(NONCE, &nonce);
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    let mut response = ([(header::CONTENT_TYPE, kind)], page).into_response();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response
            .headers_mut()
            .insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// What the page may load: its own script, and nothing from anywhere else.
fn policy(styles: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src {styles}; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// Headers of every answer; the page's own policy is not replaced.
pub(crate) fn secured(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS.as_str(), "nosniff"),
        (header::X_FRAME_OPTIONS.as_str(), "DENY"),
        (header::REFERRER_POLICY.as_str(), "no-referrer"),
        (header::CACHE_CONTROL.as_str(), "no-store"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(
            axum::http::HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    let strict = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox");
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(strict);
    response
}

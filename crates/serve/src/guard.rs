//! Who may ask: the token, and where a request comes from.
//!
//! A page of another site cannot read answers from here, because it does not know the token; and it cannot send what changes anything,
//! because the token is in a header that browsers send across sites only after asking, and here nobody says yes. A name that is
//! made to point to this machine (DNS rebinding) is refused by its `Host`.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderValue, Method, header};
use suppose::Failure;

/// The header with the token.
pub const TOKEN_HEADER: &str = "x-suppose-token";

/// A shorter token could be guessed.
const SHORTEST: usize = 16;

/// What a request must have.
pub(crate) struct Guard {
    token: String,
    address: SocketAddr,
    hosts: Vec<String>,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// `Host` is not this machine.
    Host,
    /// It comes from a page of another site.
    Origin,
    /// The token is missing or wrong.
    Token,
}

impl Guard {
    pub fn new(token: String, address: SocketAddr, hosts: &[String]) -> Guard {
        let hosts = hosts.iter().map(|h| h.to_ascii_lowercase()).collect();
        Guard {
            token,
            address,
            hosts,
        }
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// Does the request come from a page of ours, or from no page at all?
    pub fn source(&self, method: &Method, headers: &HeaderMap) -> Result<(), Refused> {
        let host = only(headers, header::HOST.as_str()).ok_or(Refused::Host)?;
        if !self.is_own(host) {
            return Err(Refused::Host);
        }
        if headers.contains_key(header::ORIGIN) {
            let origin = only(headers, header::ORIGIN.as_str()).ok_or(Refused::Origin)?;
            let own = |scheme: &str| origin.strip_prefix(scheme) == Some(host);
            // A proxy that adds TLS in front of this server is the user's own.
            let encrypted = own("https://") && !self.address.ip().is_loopback();
            if !own("http://") && !encrypted {
                return Err(Refused::Origin);
            }
        }
        // To follow a link to the page is allowed, to load or send anything from elsewhere is not.
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let mode = headers.get("sec-fetch-mode").map(HeaderValue::as_bytes);
        let is_visit = method == Method::GET && mode == Some(b"navigate");
        match site {
            None | Some(b"same-origin" | b"none") => Ok(()),
            Some(_) if is_visit => Ok(()),
            Some(_) => Err(Refused::Origin),
        }
    }

    /// Does the request know the token?
    pub fn secret(&self, headers: &HeaderMap) -> Result<(), Refused> {
        match only(headers, TOKEN_HEADER) {
            Some(given) if same(given.as_bytes(), self.token.as_bytes()) => Ok(()),
            _ => Err(Refused::Token),
        }
    }

    /// Is it a name of this server? Numbers cannot be made to point elsewhere, so if others may connect any number will do.
    fn is_own(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => {
                (name, port.parse().ok())
            }
            _ => (host, Some(80)),
        };
        let name = name.to_ascii_lowercase();
        if self.hosts.contains(&name) {
            return true;
        }
        if port != Some(self.address.port()) {
            return false;
        }
        let bare = name.strip_prefix('[').and_then(|n| n.strip_suffix(']'));
        let number: Option<IpAddr> = bare.unwrap_or(&name).parse().ok();
        match number {
            Some(ip) => !self.address.ip().is_loopback() || ip.is_loopback(),
            None => self.address.ip().is_loopback() && name == "localhost",
        }
    }
}

/// The header, if it is there once and is text.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    match (all.next(), all.next()) {
        (Some(one), None) => one.to_str().ok(),
        _ => None,
    }
}

/// Takes as long for a wrong token as for the right one.
fn same(a: &[u8], b: &[u8]) -> bool {
    let differ = a.iter().zip(b).fold(0, |sum, (x, y)| sum | (x ^ y));
    a.len() == b.len() && differ == 0
}

/// A token that nobody can guess.
pub(crate) fn random() -> Result<String, Failure> {
    let mut bytes = [0_u8; 24];
    getrandom::fill(&mut bytes)
        .map_err(|e| Failure::file(format!("the system gives no random numbers: {e}")))?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

/// A token of the user's own, if it can stand in an address and is long enough.
pub(crate) fn checked(token: &str) -> Result<String, Failure> {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~".contains(&b);
    if token.len() < SHORTEST || !token.bytes().all(is_plain) {
        let words = format!("the token must have at least {SHORTEST} letters, digits, - or _");
        return Err(Failure::usage(words).help("for example: openssl rand -hex 24 > token"));
    }
    Ok(token.to_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn guard(address: &str, hosts: &[&str]) -> Guard {
        let hosts: Vec<String> = hosts.iter().map(|h| (*h).to_owned()).collect();
        Guard::new(
            "0123456789abcdef".to_owned(),
            address.parse().unwrap(),
            &hosts,
        )
    }

    #[test]
    fn only_names_of_this_machine_are_hosts() {
        let own = guard("127.0.0.1:4000", &[]);
        for host in [
            "127.0.0.1:4000",
            "localhost:4000",
            "LOCALHOST:4000",
            "[::1]:4000",
        ] {
            assert!(own.is_own(host), "{host}");
        }
        let foreign = [
            "evil.example:4000",
            "127.0.0.1",
            "127.0.0.1:4001",
            "localhost.evil.example:4000",
            "192.168.0.7:4000",
            "",
            ":4000",
            "127.0.0.1:4000:4000",
            "127.0.0.1:99999999999",
            "0.0.0.0:4000",
        ];
        for host in foreign {
            assert!(!own.is_own(host), "{host}");
        }
    }

    #[test]
    fn elsewhere_numbers_and_given_names_are_hosts() {
        let open = guard("0.0.0.0:4000", &["bench.example"]);
        assert!(open.is_own("192.168.0.7:4000"));
        assert!(open.is_own("bench.example"));
        assert!(!open.is_own("evil.example:4000"));
        assert!(!open.is_own("localhost:4000"));
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(same(b"abc", b"abc"));
        for other in [&b"abd"[..], b"ab", b"abcd", b""] {
            assert!(!same(b"abc", other));
        }
    }

    #[test]
    fn random_tokens_are_long_and_different() {
        let (a, b) = (random().unwrap(), random().unwrap());
        assert!(a.len() == 48 && a != b);
        assert!(checked(&a).is_ok());
        assert!(checked("short").is_err() && checked("0123456789abcdef/").is_err());
    }
}

//! What the operating system knows of this process. Where it says nothing, neither do we.

/// The resident set now, in bytes.
pub fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// The largest resident set so far, in bytes.
pub fn peak_resident() -> Option<u64> {
    status("VmHWM:")
}

fn status(key: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|l| l.starts_with(key))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_at_least_what_is_there_now() {
        let now = resident().unwrap();
        assert!(now > 0 && peak_resident().unwrap() >= now / 2);
    }
}

//! Values on the command line: durations and sizes, written as for `suppose`.

use std::time::Duration;

/// A duration: `500ms`, `30s`, `5m`, `2h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let seconds = measured(text, &units).ok_or("write 500ms, 30s, 5m or 2h")?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(Duration::ZERO) => Err(format!("`{text}` is no time at all")),
        Ok(duration) => Ok(duration),
        Err(_) => Err(format!("`{text}` is too long")),
    }
}

/// A size in bytes: `200MiB`, `4GiB`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let unit = |power: u32| f64::from(1u32 << power);
    let units = [("KiB", unit(10)), ("MiB", unit(20)), ("GiB", unit(30))];
    let size = measured(text, &units).ok_or("write 200MiB or 4GiB")?;
    match size >= 1.0 && size < unit(30) * unit(30) {
        true => Ok(size as u64),
        false => Err(format!("`{text}` is no size that a program could have")),
    }
}

/// A number with a unit, in the smallest one.
fn measured(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let number: f64 = text[..end].parse().ok()?;
    let unit = text[end..].trim();
    let (_, factor) = units.iter().find(|(u, _)| u.eq_ignore_ascii_case(unit))?;
    Some(number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_units() {
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes("200 mib"), Ok(200 << 20));
        for bad in ["", "7", "s", "-1s", "0s", "5 parsecs", "1.2.3s", "1e9h"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
        for bad in ["", "0MiB", "1", "GiB", "1XB", "999999999999999GiB"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }
}

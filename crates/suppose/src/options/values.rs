//! Values on the command line: durations, sizes, constants, languages, engines.

use std::time::Duration;

#[cfg(feature = "clap")]
use suppose_frontends::Language;

#[cfg(feature = "clap")]
use super::EngineName;

/// A language by its name.
#[cfg(feature = "clap")]
pub fn language() -> impl clap::builder::TypedValueParser<Value = Language> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    let names = Language::ALL.map(Language::name);
    PossibleValuesParser::new(names).try_map(|name: String| {
        let mut all = Language::ALL.into_iter();
        all.find(|l| l.name() == name)
            .ok_or("no language has that name")
    })
}

/// An engine by its name, with what it does as help.
#[cfg(feature = "clap")]
pub fn engine() -> impl clap::builder::TypedValueParser<Value = EngineName> {
    use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
    let values = EngineName::all().map(|e| PossibleValue::new(e.name()).help(e.help()));
    PossibleValuesParser::new(values).map(|name: String| {
        // The parser has seen to it that there is one.
        EngineName::named(&name).unwrap_or_default()
    })
}

/// A duration: `500ms`, `30s`, `5m`, `2h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        "" => {
            return Err(format!(
                "it needs a unit: write {text}s for seconds, or {text}ms, {text}m, {text}h"
            ));
        }
        _ => {
            return Err(format!(
                "`{unit}` is no unit of time: write 500ms, 30s, 5m or 2h"
            ));
        }
    };
    match Duration::try_from_secs_f64(seconds) {
        Ok(Duration::ZERO) => Err(format!("`{text}` is no time at all")),
        Ok(duration) => Ok(duration),
        Err(_) => Err(format!("`{text}` is too long")),
    }
}

/// A size in bytes: `200MiB`, `4GiB`, `4GB`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let factor: u64 = match unit.to_ascii_lowercase().as_str() {
        "" => return Err(format!("it needs a unit: write {text}MiB or {text}GiB")),
        "b" => 1,
        "kb" => 1000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        _ => return Err(format!("`{unit}` is no unit of size: write 200MiB or 4GiB")),
    };
    let size = number * factor as f64;
    if size < 1.0 || size >= u64::MAX as f64 {
        return Err(format!("`{text}` is out of range"));
    }
    Ok(size as u64)
}

/// A share: `10%`.
pub fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().strip_suffix('%').unwrap_or(text).trim();
    match number.parse::<f64>() {
        Ok(share) if (0.0..=100.0).contains(&share) => Ok(share / 100.0),
        _ => Err(format!("`{text}` is no share: write 10%")),
    }
}

/// A constant and its value: `N=5`.
pub fn constant(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| "write NAME=NUMBER, as in N=5".to_owned())?;
    let value = value.trim().parse().map_err(|_| {
        format!("`{value}` is not a whole number; of a PRISM model, set it with --const {text}")
    })?;
    match name.trim() {
        "" => Err("write NAME=NUMBER, as in N=5".to_owned()),
        name => Ok((name.to_owned(), value)),
    }
}

fn split(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let number: f64 = text[..end]
        .parse()
        .map_err(|_| format!("`{text}` does not start with a number"))?;
    Ok((number, text[end..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_take_units() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        for bad in [
            "",
            "7",
            "s",
            "-1s",
            "0s",
            "5 parsecs",
            "99999999999999999999999h",
            "1.2.3s",
        ] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_take_units() {
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes("200mib"), Ok(200 << 20));
        assert_eq!(bytes("1GB"), Ok(1_000_000_000));
        assert_eq!(bytes("0.5k"), Ok(512));
        for bad in ["", "0", "0MiB", "1", "GiB", "1XB", "999999999999TiB"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn constants_are_names_with_numbers() {
        assert_eq!(constant("N=5"), Ok(("N".to_owned(), 5)));
        assert_eq!(constant("Max = -2"), Ok(("Max".to_owned(), -2)));
        for bad in ["N", "=5", "N=five", "N=99999999999999999999"] {
            assert!(constant(bad).is_err(), "{bad}");
        }
    }
}

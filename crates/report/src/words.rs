//! Numbers, names and durations for people.

use std::borrow::Cow;
use std::fmt::Write;
use std::time::Duration;
pub use suppose_number::grouped;

use suppose_model::lts::{Label, Labels, Network, State};
use suppose_model::{Claim, Reason, Run};
use suppose_source::{Sources, Span};

/// A name made safe to show anywhere: characters that are invisible, that move the cursor or
/// that change the direction of the text around them become `\n` or `\u{202e}`.
pub fn shown(name: &str) -> Cow<'_, str> {
    if !name.chars().any(is_unprintable) {
        return Cow::Borrowed(name);
    }
    let mut safe = String::with_capacity(name.len() + 8);
    for c in name.chars() {
        match c {
            '\n' | '\t' | '\r' => safe.extend(c.escape_default()),
            c if is_unprintable(c) => safe.extend(c.escape_unicode()),
            c => safe.push(c),
        }
    }
    Cow::Owned(safe)
}

/// Control characters, direction marks and overrides, zero-width characters, separators of lines
/// and paragraphs, tags, private use and what is no character at all.
pub(crate) fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}')
}

/// The file (without its folder) and the line of a span.
pub(crate) fn place(sources: &Sources, span: Span) -> Option<(String, usize)> {
    let file = sources.file(span.file)?;
    let base = file.name().rsplit(['/', '\\']).next().unwrap_or("");
    Some((base.to_owned(), file.position(span.start).line))
}

/// `model.pml:12`, or nothing.
pub(crate) fn place_text(place: &Option<(String, usize)>) -> String {
    match place {
        Some((file, line)) => format!("{file}:{line}"),
        None => String::new(),
    }
}

/// Why there is no verdict, in a sentence.
pub(crate) fn reason_text(reason: &Reason) -> String {
    match reason {
        Reason::Timeout => "the time limit was reached".to_owned(),
        Reason::Memory => "the memory limit was reached".to_owned(),
        Reason::Interrupted => "interrupted".to_owned(),
        Reason::Iterations => "the limit on refinement rounds was reached".to_owned(),
        Reason::Disk(why) | Reason::Unsupported(why) => shown(why).into_owned(),
        Reason::Rejected(why) => format!("the certificate was rejected: {}", shown(why)),
        Reason::Internal(why) => format!("internal error: {}", shown(why)),
    }
}

/// `A`, or `A1`, `A2` when there are several.
pub(crate) fn assumption_name(number: usize, many: bool) -> String {
    match many {
        true => format!("A{}", number + 1),
        false => "A".to_owned(),
    }
}

/// `A, B`: components by name.
pub(crate) fn component_names(network: &Network, numbers: &[usize]) -> String {
    let names = numbers.iter().map(|c| component_name(network, *c));
    names.collect::<Vec<_>>().join(", ")
}

/// `A, B | C`: the groups in the order of the rule.
pub(crate) fn groups(network: &Network, groups: &[Vec<usize>]) -> String {
    let names = groups.iter().map(|g| component_names(network, g));
    names.collect::<Vec<_>>().join(" | ")
}

/// How many states and transitions were explored.
pub(crate) fn explored(run: &Run) -> String {
    let sizes = format!(
        "{}, {}",
        count(run.states, "state"),
        count(run.transitions, "transition")
    );
    match run.largest > 0 && run.largest < run.states {
        true => format!("{sizes} (at most {} at once)", count(run.largest, "state")),
        false => sizes,
    }
}

/// How often an assumption was refined, if it was.
pub(crate) fn rounds(run: &Run) -> Option<String> {
    let last = run.rounds.last()?;
    let mut text = count(run.rounds.len() as u64, "round");
    if last.assumption_states > 0 {
        let size = count(last.assumption_states, "state");
        let _ = write!(text, ", assumption of {size} in the last");
        if run.assumption_peak > last.assumption_states {
            let _ = write!(text, " (at most {})", grouped(run.assumption_peak));
        }
    }
    if run.queries > 0 {
        let _ = write!(text, ", {} queries", grouped(run.queries));
    }
    Some(text)
}

/// The name of a claim: that of the property, or `deadlock`.
pub(crate) fn claim_name(network: &Network, claim: Claim) -> String {
    match claim {
        Claim::DeadlockFree => "deadlock".to_owned(),
        Claim::Property(number) => match network.properties.get(number) {
            Some(property) => property.name().to_owned(),
            None => format!("property {number}"),
        },
        Claim::Liveness(number) => match network.liveness.get(number) {
            Some(claim) => claim.name.clone(),
            None => format!("liveness claim {number}"),
        },
    }
}

/// The name of a claim in a sentence: the last line says `deadlock`, people read better of
/// freedom from it holding.
pub(crate) fn heading(name: &str) -> String {
    match name {
        "deadlock" => "Freedom from deadlock".to_owned(),
        name => name.to_owned(),
    }
}

/// A label's name for people, even when the number belongs to no label.
pub(crate) fn label_name(labels: &Labels, label: Label) -> String {
    if label.index() < labels.len() {
        labels.display(label)
    } else {
        format!("label {}", label.0)
    }
}

/// A component's name, even when the number belongs to none.
pub(crate) fn component_name(network: &Network, number: usize) -> String {
    match network.components.get(number) {
        Some(component) => component.lts.name().to_owned(),
        None => format!("component {number}"),
    }
}

/// A state's name within its component.
pub(crate) fn state_name(network: &Network, component: usize, state: State) -> String {
    match network.components.get(component) {
        Some(component) => component.lts.state_name(state),
        None => state.to_string(),
    }
}

/// `1 state`, `2 states`, `12,345 states`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {noun}{s}", grouped(number))
}

/// `0.4 ms`, `12 ms`, `1.23 s`, `2 min 05 s`, `1 h 02 min`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let whole = time.as_secs();
    if seconds < 0.01 {
        format!("{:.1} ms", seconds * 1e3)
    } else if seconds < 0.9995 {
        format!("{:.0} ms", seconds * 1e3)
    } else if seconds < 59.995 {
        format!("{seconds:.2} s")
    } else if whole < 3600 {
        format!("{} min {:02} s", whole / 60, whole % 60)
    } else {
        format!("{} h {:02} min", whole / 3600, whole / 60 % 60)
    }
}

/// `512 B`, `1.5 MiB`, `4 GiB`.
pub fn bytes(number: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = number as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 || value.fract() < 0.05 {
        format!("{value:.0} {}", units[unit])
    } else {
        format!("{value:.1} {}", units[unit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(123), "123");
        assert_eq!(count(1, "state"), "1 state");
        assert_eq!(bytes(1536 * 1024), "1.5 MiB");
        assert_eq!(bytes(4 << 30), "4 GiB");
        assert_eq!(duration(Duration::from_millis(12)), "12 ms");
        assert_eq!(duration(Duration::from_micros(400)), "0.4 ms");
        assert_eq!(duration(Duration::from_secs(125)), "2 min 05 s");
        assert_eq!(duration(Duration::MAX).split(' ').nth(1), Some("h"));
    }

    #[test]
    fn nothing_invisible_is_shown() {
        assert_eq!(shown("a\u{1b}[31m\n"), "a\\u{1b}[31m\\n");
        assert_eq!(shown("x\u{202e}y"), "x\\u{202e}y");
        assert_eq!(shown("naïve λ שלום 漢字 😀"), "naïve λ שלום 漢字 😀");
        assert!(matches!(shown("plain"), Cow::Borrowed(_)));
    }
}

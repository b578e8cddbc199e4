//! A panic of an engine is a bug, but must not lose other engines' results and the claims that are decided.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// Runs something that must not panic but might; a panic becomes its message.
pub fn catch<T>(job: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(job)).map_err(|payload| {
        let text = payload
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned());
        match (text, PLACE.lock().ok().and_then(|mut p| p.take())) {
            (Some(text), Some(place)) => format!("{text} ({place})"),
            (Some(text), None) => text,
            (None, _) => "a panic without a message".to_owned(),
        }
    })
}

/// Where the last panic was: the hook knows, the payload does not.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

/// For a program that reports panics as results: the runtime does not print them, and [`catch`] says where they
/// were. Only a binary may call this, as it sets the panic hook of the process.
pub fn silence_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string);
        if let Ok(mut kept) = PLACE.lock() {
            *kept = place;
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        let caught = catch(|| -> u8 { panic!("out of cheese") });
        assert!(caught.is_err_and(|message| message.contains("cheese")));
        assert_eq!(catch(|| 7), Ok(7));
    }
}

//! Messages in channels.

use super::config::Channel;

/// Puts a message into a channel that has room.
pub(super) fn append(words: &mut [u64], channel: &Channel, message: &[i32], sorted: bool) {
    let len = channel.len(words);
    let mut at = len;
    if sorted {
        let later = |m: &u32| {
            let fields = 0..channel.fields.len();
            let theirs = fields.map(|f| channel.field(*m, f).get(words));
            theirs.gt(message.iter().copied())
        };
        at = (0..len).find(later).unwrap_or(len);
        for m in (at..len).rev() {
            for f in 0..channel.fields.len() {
                let value = channel.field(m, f).get(words);
                channel.field(m + 1, f).set(words, value);
            }
        }
    }
    for (f, value) in message.iter().enumerate() {
        channel.field(at, f).set(words, *value);
    }
    channel.set_len(words, len + 1);
}

/// Takes a message out; the room at the end is cleared, so that equal channels have equal bits.
pub(super) fn remove(words: &mut [u64], channel: &Channel, which: u32) {
    let len = channel.len(words);
    for f in 0..channel.fields.len() {
        for m in which..len - 1 {
            let value = channel.field(m + 1, f).get(words);
            channel.field(m, f).set(words, value);
        }
        channel.field(len - 1, f).set(words, 0);
    }
    channel.set_len(words, len - 1);
}

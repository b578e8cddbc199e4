//! From the bytes of a file to its text.

/// Makes text of bytes. A byte order mark at the start is left out. Bytes that are not UTF-8 are taken to be Latin-1, for models
/// of the nineties have such bytes in comments and strings: where a language does not allow the letter, its reader says so at
/// its place. Text in UTF-16 is refused, with a hint.
pub fn decode(bytes: Vec<u8>) -> Result<String, String> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err("it is text in UTF-16: save it as UTF-8".to_owned());
    }
    let mut text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => by_parts(error.as_bytes()),
    };
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// What is UTF-8 stays, every other byte is a letter of Latin-1.
fn by_parts(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|b| char::from(*b)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_1_and_marks_are_read() {
        let text = |bytes: &[u8]| decode(bytes.to_vec());
        assert_eq!(text("aä".as_bytes()).as_deref(), Ok("aä"));
        assert_eq!(text(b"caf\xe9 // \xc3\xa4").as_deref(), Ok("café // ä"));
        assert_eq!(
            text(b"\xef\xbb\xbfdes (0,0,1)").as_deref(),
            Ok("des (0,0,1)")
        );
        assert_eq!(text(b"").as_deref(), Ok(""));
        assert!(text(b"\xff\xfeP\0").is_err());
    }
}

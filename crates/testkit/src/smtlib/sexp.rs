//! Text to trees of words.

/// A word, or a list in brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexp {
    /// A word.
    Word(String),
    /// A list.
    List(Vec<Sexp>),
}

impl Sexp {
    /// The word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match self {
            Sexp::Word(word) => Some(word),
            Sexp::List(_) => None,
        }
    }

    /// The parts of a list; none of a word.
    pub fn list(&self) -> &[Sexp] {
        match self {
            Sexp::Word(_) => &[],
            Sexp::List(parts) => parts,
        }
    }
}

/// All expressions of a text without comments, strings and quoted symbols.
///
/// # Panics
/// If brackets do not match.
pub fn parse(text: &str) -> Vec<Sexp> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut open: Vec<Vec<Sexp>> = vec![Vec::new()];
    for word in spaced.split_whitespace() {
        let done = match word {
            "(" => {
                open.push(Vec::new());
                continue;
            }
            ")" => Sexp::List(open.pop().expect("a bracket to close")),
            _ => Sexp::Word(word.to_owned()),
        };
        open.last_mut().expect("an open bracket").push(done);
    }
    assert_eq!(open.len(), 1, "all brackets are closed");
    open.remove(0)
}

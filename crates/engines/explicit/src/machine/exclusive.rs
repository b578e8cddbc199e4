//! Channel users: where only one process sends to a channel, or only one receives from it, its sends and receives are independent
//! of most steps of other processes, which the partial-order reduction uses ([`crate::machine::reduce`]).
//!
//! SPIN relies on declarations (`xs`, `xr`). Here it is computed: processes are compiled for their places with parameters substituted, so
//! nearly every channel in their text is a constant. A process created later may be a second user. So the table describes the
//! processes compiled so far, and when an entry changes after the reduction has relied on it, the search restarts with what is
//! known then ([`Exclusive::is_lost`]). A declaration counts as a use: whether a use by another process violates it depends
//! on whether the declaring process exists.

/// Which processes do something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Users {
    #[default]
    None,
    /// The one with that number. Of two processes with one number, one is dead before the other is made.
    One(u32),
    Many,
}

impl Users {
    fn add(self, one: u32) -> Users {
        match self {
            Users::None => Users::One(one),
            Users::One(known) if known == one => self,
            _ => Users::Many,
        }
    }

    /// Is nobody else among them?
    fn at_most(self, one: u32) -> bool {
        matches!(self, Users::None) || self == Users::One(one)
    }
}

/// What a process does with a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Send,
    /// A sorted send, which may change what is received next.
    Sort,
    Receive,
    /// Anything that can notice a message before it is received: `len`, a poll, an `else` or an escape beside a send or
    /// a receive, and one in the middle of an `atomic` or a `d_step`, where it matters whether it has to wait.
    Look,
}

/// The users of one channel, by what they do.
type Row = [Users; 4];

/// The users of the shared channels, which have the same numbers forever.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclusive {
    rows: Vec<Row>,
    relied_on: bool,
    lost: bool,
}

impl Exclusive {
    pub(crate) fn new(channels: usize) -> Exclusive {
        Exclusive {
            rows: vec![Row::default(); channels],
            ..Exclusive::default()
        }
    }

    /// What is known from a search before.
    pub(crate) fn learn(&mut self, before: &Exclusive) {
        self.rows.clone_from(&before.rows);
    }

    /// Everybody uses everything.
    pub(crate) fn give_up(&mut self) {
        self.rows.iter_mut().for_each(|row| *row = [Users::Many; 4]);
    }

    /// A process does this with a channel; none for any of them.
    pub(crate) fn note(&mut self, channel: Option<i32>, what: Use, one: u32) {
        let rows = match channel {
            None => &mut self.rows[..],
            Some(number) => match self.rows.get_mut((number as usize).wrapping_sub(1)) {
                Some(row) => std::slice::from_mut(row),
                None => &mut [],
            },
        };
        for row in rows {
            let users = &mut row[what as usize];
            let now = users.add(one);
            self.lost |= self.relied_on && now != *users;
            *users = now;
        }
    }

    /// Does nobody else send to the channel, nor notice what this process sends?
    pub(crate) fn sends_alone(&self, channel: i32, one: u32) -> bool {
        self.alone(channel, one, &[Use::Send, Use::Look])
    }

    /// Does nobody else receive from the channel, nor notice what this process takes, nor change what comes next?
    pub(crate) fn receives_alone(&self, channel: i32, one: u32) -> bool {
        self.alone(channel, one, &[Use::Receive, Use::Look, Use::Sort])
    }

    fn alone(&self, channel: i32, one: u32, uses: &[Use]) -> bool {
        let row = self.rows.get((channel as usize).wrapping_sub(1));
        row.is_some_and(|row| uses.iter().all(|what| row[*what as usize].at_most(one)))
    }

    /// From here on a change matters.
    pub(crate) fn rely(&mut self) {
        self.relied_on = true;
    }

    /// Was something relied on that is no longer so?
    pub(crate) fn is_lost(&self) -> bool {
        self.lost
    }
}

//! The policy of `--engine auto`.
//!
//! Every claim gets all engines, in turns that grow. An engine keeps what it has between its turns
//! ([`super::turns`]); the whole composition is explored once for all claims. Turns are measured by the work of the
//! engines and not by the clock, so the same input gets the same answer from the same engine on every machine that
//! reaches it. What the numbers rest on is in the guide to the engines (`docs/engines.md`).

use std::time::Instant;

use suppose_model::{Answer, Claim, Reason, Verdict};

use super::turns::{Player, WholeSystem};
use super::{Bounds, Engine, Portfolio, Reply, reply, unknown};
use crate::minimise;

/// The whole composition before anything else, in steps of work (about six nanoseconds each): this decides tiny systems,
/// finds shallow bugs, and shows about how large the rest is.
const FIRST_LOOK: u64 = 30_000;
/// Then `learn` and, if that one suits the property, `agar` get this much, one after the other and alone: most properties
/// that parts decide at all are decided by then, so nobody else is to use the processor meanwhile. Where both end
/// soon, `learn` does so sooner.
const SPRINTS: [(Engine, u64); 2] = [(Engine::Learn, 125_000), (Engine::Agar, 100_000)];
/// Then the whole composition gets a second look, which ends small systems of which nothing could be foreseen.
const SECOND_LOOK: u64 = 100_000;
/// Then the parts get rounds of this size at least, or of a quarter of what they have had.
const ROUND: u64 = 300_000;
const GROWTH: u64 = 4;
/// Of a round, in hundredths: the engine that suits the property, the other one, the requirement of one process.
const SHARES: [u64; 3] = [95, 5, 0];
/// The same from here on.
const LATE: u64 = 100_000_000;
const LATE_SHARES: [u64; 3] = [80, 18, 2];
/// Of a round, in hundredths: a look ahead at the whole composition, while it seems too large; while it seems to
/// take so many times as much as the parts have had; while nothing can be foreseen, and for deadlock; and while
/// nothing can be foreseen although the parts have had this much.
const PROBE: u64 = 10;
const HUGE_PROBE: u64 = 3;
const HUGE: u64 = 50;
const BLIND_PROBE: u64 = 20;
const LONG_BLIND_PROBE: u64 = 50;
const LONG_BLIND: u64 = 2_500_000;
/// The whole composition goes on alone when the parts have had so many hundredths of what is left of it ...
const WORTH_FINISHING: u64 = 30;
/// ... or when this is all that is left, which is less than it takes to start the program ...
const AT_ONCE: u64 = 400_000;
/// ... in turns of this size at least, or of a quarter of what is left. When a turn shows that the whole is so many
/// times as large as it seemed, the next forecasts count for so many times less.
const TURN: u64 = 200_000;
const WRONG: u64 = 2;
const CAUTION: u64 = 2;
/// Checking the evidence takes longer than exploring, in tenths of it; and from this size on both take longer, since
/// the states do not fit the processor's caches any more.
const EVIDENCE: u64 = 14;
const CACHED: u64 = 3_000_000;
/// From here on the whole composition gets as much as the parts, whatever it seems.
const LONG: u64 = 400_000_000;
/// A property that speaks of more processes than this, and of a third of all, is about all of them.
const MANY: usize = 3;
/// In a pass a property gets so much before it is the next one's turn; four times as much in each pass.
const FIRST_PASS: u64 = 12_000_000;
/// So many properties keep their engines between passes; those of the others begin anew.
const KEPT: usize = 16;

/// Decides claims, telling each answer as soon as it is known.
pub fn decide(engines: &Portfolio, claims: &[Claim], tell: &mut dyn FnMut(Vec<Reply>)) {
    if let Some(why) = only_whole(engines) {
        return engines.monolithic_all(claims, &Bounds::default(), &mut |answers| {
            tell(answers.into_iter().map(|a| reply(a, why)).collect());
        });
    }
    let left = std::thread::scope(|scope| {
        let mut game = Game {
            begun: Instant::now(),
            engines,
            whole: WholeSystem::whole(engines, claims, scope),
            parts: Vec::new(),
            open: claims.to_vec(),
            spent: 0,
            caution: 1,
            tell: &mut *tell,
        };
        // Deadlock is asked last.
        let (last, first): (Vec<Claim>, Vec<Claim>) =
            claims.iter().partition(|c| **c == Claim::DeadlockFree);
        for claim in first.into_iter().chain(last) {
            game.parts.push(Parts::new(engines, claim));
        }
        game.play(scope);
        game.close()
    });
    // All engines together may have taken more memory than there is: one alone may do with it.
    engines.monolithic_all(&left, &Bounds::default(), &mut |answers| {
        let why = "all other engines gave up";
        tell(answers.into_iter().map(|a| reply(a, why)).collect());
    });
}

/// Why only the whole composition can decide anything, if so.
fn only_whole(engines: &Portfolio) -> Option<&'static str> {
    if engines.network.priority.is_some() {
        return Some("with priority, the parts do not determine the whole");
    }
    (engines.network.components.len() < 2).then_some("there is one component only")
}

/// The engines on parts, for one claim.
struct Parts<'s> {
    claim: Claim,
    /// The one that suits the property, the other one, the requirement of one process; for deadlock, the one that decides it.
    names: Vec<Engine>,
    players: Vec<Player<'s>>,
    spent: u64,
}

impl<'s> Parts<'s> {
    fn new(engines: &Portfolio, claim: Claim) -> Self {
        let names = match claim {
            Claim::DeadlockFree if minimise::unsuitable(engines.network).is_some() => Vec::new(),
            Claim::DeadlockFree => vec![Engine::Minimise],
            _ if speaks_of_many(engines, claim) => {
                vec![Engine::Learn, Engine::Agar, Engine::Quotient]
            }
            _ => vec![Engine::Agar, Engine::Learn, Engine::Quotient],
        };
        Parts {
            claim,
            names,
            players: Vec::new(),
            spent: 0,
        }
    }

    /// Starts the first engines of the list, which wait for their turns; those already started stay.
    fn start<'e>(
        &mut self,
        engines: &'e Portfolio<'e>,
        count: usize,
        scope: &'s std::thread::Scope<'s, 'e>,
    ) {
        while let Some(name) = self
            .names
            .get(self.players.len())
            .filter(|_| self.players.len() < count)
        {
            self.players
                .push(Player::new(engines, *name, self.claim, scope));
        }
    }

    /// Has nobody had a turn yet, though some should sprint?
    fn is_new(&self) -> bool {
        self.spent == 0 && self.names.len() > 1
    }

    /// What each engine gets in the next round, no more than `most` together unless that is little. The part of
    /// one that has left goes to the next.
    fn shares(&self, most: u64) -> [u64; 3] {
        let round = ROUND.max(self.spent / GROWTH).min(most.max(ROUND / 2));
        if self.names.len() == 1 {
            return [round, 0, 0];
        }
        let mut shares = match self.spent {
            ..LATE => SHARES.map(|share| round / 100 * share),
            LATE.. => LATE_SHARES.map(|share| round / 100 * share),
        };
        let has_left = |at: usize| self.players.get(at).is_some_and(Player::has_left);
        if let Some(heir) = (0..shares.len()).find(|at| !has_left(*at)) {
            for at in (0..shares.len()).filter(|at| has_left(*at)) {
                shares[heir] += std::mem::take(&mut shares[at]);
            }
        }
        shares
    }
}

/// Does a property speak of many of the processes? Then its assumption is about all of them and a
/// learned one stays smaller; else most of them do not matter, which abstraction finds out sooner.
fn speaks_of_many(engines: &Portfolio, claim: Claim) -> bool {
    let Claim::Property(number) = claim else {
        return false;
    };
    let property = &engines.network.properties[number].lts;
    let processes = engines.network.processes();
    let spoken_of = processes.iter().filter(|i| {
        let lts = &engines.network.components[**i].lts;
        property.alphabet().iter().any(|l| lts.has_label(*l))
    });
    let count = spoken_of.count();
    count > MANY && 3 * count >= processes.len()
}

/// All that play.
struct Game<'g, 's> {
    begun: Instant,
    engines: &'g Portfolio<'g>,
    whole: WholeSystem<'s>,
    parts: Vec<Parts<'s>>,
    open: Vec<Claim>,
    /// What all parts have had.
    spent: u64,
    /// By how much forecasts are to be multiplied, after some were wrong.
    caution: u64,
    tell: &'g mut dyn FnMut(Vec<Reply>),
}

impl<'g, 's> Game<'g, 's>
where
    'g: 's,
{
    fn play(&mut self, scope: &'s std::thread::Scope<'s, 'g>) {
        self.whole.grant(FIRST_LOOK);
        self.hear_whole();
        self.finish_whole();
        let mut pass = FIRST_PASS;
        while !self.is_over() {
            for number in 0..self.parts.len() {
                let claim = self.parts[number].claim;
                let until = self.parts[number].spent + pass;
                while self.parts[number].spent < until
                    && self.can_go_on(&self.parts[number])
                    && !self.is_over()
                {
                    match self.parts[number].is_new() {
                        true => self.sprint(number, scope),
                        false => self.round(number, scope),
                    }
                }
                if number >= KEPT || !self.is_open(claim) {
                    self.parts[number].players.clear();
                }
            }
            // What only the whole composition can decide is asked last.
            let asks_parts = self.parts.iter().any(|p| self.can_go_on(p));
            if !self.is_over() && !asks_parts {
                self.whole.grant(u64::MAX);
                self.hear_whole();
            }
            pass = pass.saturating_mul(4);
        }
    }

    fn is_open(&self, claim: Claim) -> bool {
        self.open.contains(&claim)
    }

    fn is_over(&self) -> bool {
        let stuck = self.whole.has_left() && self.parts.iter().all(|p| !self.can_go_on(p));
        self.open.is_empty() || stuck || self.engines.supervisor.over().is_some()
    }

    /// Is there an engine left that may still decide the claim?
    fn can_go_on(&self, parts: &Parts) -> bool {
        let begins = parts.players.len() < parts.names.len();
        self.is_open(parts.claim) && (begins || parts.players.iter().any(|p| !p.has_left()))
    }

    /// The first turns of the engines on the parts of one property, one after the other.
    fn sprint(&mut self, number: usize, scope: &'s std::thread::Scope<'s, 'g>) {
        for (name, share) in SPRINTS {
            let parts = &mut self.parts[number];
            let place = parts.names.iter().position(|n| *n == name);
            let Some(at) = place.filter(|at| *at == 0 || name == Engine::Learn) else {
                continue;
            };
            parts.start(self.engines, at + 1, scope);
            parts.players[at].grant(share);
            parts.spent = parts.spent.saturating_add(share);
            self.spent = self.spent.saturating_add(share);
            let answer = parts.players[at].turn_over().filter(is_verdict);
            if let Some(answer) = answer {
                parts.players.iter().for_each(Player::close);
                return self.decided(
                    vec![answer],
                    "the first to decide it, in turns with the others",
                );
            }
        }
        if self.whole.left() == u64::MAX && self.whole.spent() < SECOND_LOOK {
            self.whole.grant(SECOND_LOOK - self.whole.spent());
            self.hear_whole();
        }
        if !self.open.is_empty() {
            self.finish_whole();
        }
    }

    /// One round: the engines on the parts of one property and, beside them, the whole composition.
    fn round(&mut self, number: usize, scope: &'s std::thread::Scope<'s, 'g>) {
        let engines = self.engines;
        let most = self.until_worth_finishing().saturating_sub(self.spent);
        let parts = &mut self.parts[number];
        let shares = parts.shares(most);
        let last = shares.iter().rposition(|share| *share > 0);
        let started = last.map_or(0, |at| at + 1);
        parts.start(engines, started, scope);
        for (player, share) in parts.players.iter_mut().zip(shares) {
            if share > 0 {
                player.grant(share);
            }
        }
        let done: u64 = shares.iter().sum();
        parts.spent = parts.spent.saturating_add(done);
        self.spent = self.spent.saturating_add(done);
        let claim = parts.claim;
        self.grant_whole(done, claim);
        let mut players = self.parts[number].players.iter_mut();
        let answer = players.find_map(|player| {
            let answer = player.turn_over()?;
            is_verdict(&answer).then_some(answer)
        });
        // When all is decided nobody waits for the whole composition.
        let is_last = answer.is_some() && self.open.len() == 1;
        let heard = match is_last {
            true => Vec::new(),
            false => self.whole.turn_over(),
        };
        if let Some(answer) = answer {
            // Whoever comes first in the order wins, so the others need not end their turns.
            self.parts[number].players.iter().for_each(Player::close);
            let why = "the first to decide it, in turns with the others";
            self.decided(vec![answer], why);
        }
        self.decided_by_whole(heard);
        if !self.open.is_empty() {
            self.finish_whole();
        }
    }

    /// A look ahead at the whole composition.
    fn grant_whole(&mut self, round: u64, claim: Claim) {
        let hundredths = match self.whole.left() {
            _ if self.spent > LONG => 100,
            _ if claim == Claim::DeadlockFree => BLIND_PROBE,
            u64::MAX if self.spent > LONG_BLIND => LONG_BLIND_PROBE,
            u64::MAX => BLIND_PROBE,
            left if left / HUGE > self.spent => HUGE_PROBE,
            _ => PROBE,
        };
        self.whole.grant(round / 100 * hundredths);
    }

    /// When the parts have had so much, the whole composition is explored to its end: what is probably left of
    /// it would not take much longer.
    fn until_worth_finishing(&self) -> u64 {
        let explored = self.whole.spent();
        let total = explored.saturating_add(self.whole.left());
        let evidence = total.saturating_add(total.saturating_sub(CACHED)) / 10;
        let left = (total - explored).saturating_add(evidence.saturating_mul(EVIDENCE));
        let left = left.saturating_mul(self.caution);
        match left <= AT_ONCE {
            true => 0,
            false => left / 100 * WORTH_FINISHING,
        }
    }

    /// The whole composition goes on alone, for as long as it does not turn out to be far larger than it seemed.
    fn finish_whole(&mut self) {
        if self.spent < self.until_worth_finishing() {
            return;
        }
        let seems = |whole: &WholeSystem| whole.spent().saturating_add(whole.left());
        let foreseen = seems(&self.whole);
        while !self.is_over() && !self.whole.has_left() {
            let is_known = self.whole.left() < u64::MAX;
            let is_larger = match is_known {
                true => seems(&self.whole) / WRONG > foreseen,
                false => self.whole.spent() > foreseen,
            };
            if is_larger {
                self.caution = self.caution.saturating_mul(CAUTION);
                break;
            }
            let left = foreseen.saturating_sub(self.whole.spent());
            self.whole.grant(TURN.max(left / 4));
            self.hear_whole();
        }
    }

    /// Waits for the end of the turn of the whole composition, and takes what it has decided.
    fn hear_whole(&mut self) {
        let answers = self.whole.turn_over();
        self.decided_by_whole(answers);
    }

    fn decided_by_whole(&mut self, answers: Vec<Answer>) {
        let why = match self.spent {
            0 => "the whole composition is small enough",
            _ => "the whole composition was explored sooner than the parts",
        };
        self.decided(answers.into_iter().filter(is_verdict).collect(), why);
    }

    fn decided(&mut self, answers: Vec<Answer>, why: &str) {
        let mut replies = Vec::new();
        for mut answer in answers {
            if !self.is_open(answer.claim) {
                continue;
            }
            self.open.retain(|c| *c != answer.claim);
            self.whole.forget(answer.claim);
            // The time is that of all turns: it is what the user waited.
            answer.run.elapsed = self.begun.elapsed();
            replies.push(reply(answer, why));
        }
        if !replies.is_empty() {
            (self.tell)(replies);
        }
    }

    /// Sends everybody home. When time is up, tells that what is open stays so; else gives it back.
    fn close(&mut self) -> Vec<Claim> {
        self.whole.close();
        for parts in &self.parts {
            parts.players.iter().for_each(Player::close);
        }
        let open = std::mem::take(&mut self.open);
        let Some(why) = self.engines.supervisor.over() else {
            return open;
        };
        for claim in open {
            let last = self.whole.last(claim);
            let mut answer = last.unwrap_or_else(|| unknown("auto", claim, why.into()));
            answer.verdict = Verdict::Unknown(why.into());
            answer.run.elapsed = self.begun.elapsed();
            (self.tell)(vec![reply(answer, "no engine got there")]);
        }
        Vec::new()
    }
}

/// A verdict, or a bug, which no other engine mends.
fn is_verdict(answer: &Answer) -> bool {
    match &answer.verdict {
        Verdict::Holds(_) | Verdict::Violated(_) => true,
        Verdict::Unknown(reason) => matches!(reason, Reason::Internal(_)),
    }
}

//! Scopes, definitions and uses while a text is gone through, and how uses are resolved in the end.

use rustc_hash::FxHashMap;

use super::scan::{Kind, NONE, Scanned, Token, scan};
use super::{Include, Index, Occurrence, Symbol, SymbolKind, value, words};
use crate::Language;

/// Names of different spaces do not hide each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Space {
    /// Variables, constants, processes.
    Value,
    /// Modules, types, tags.
    Type,
    Label,
    Action,
}

/// The number of a scope; 0 is the whole text.
pub(super) type ScopeId = usize;
/// The number of a symbol.
pub(super) type SymbolId = usize;

struct Scope {
    parent: Option<ScopeId>,
    /// In bytes.
    from: u32,
    to: u32,
}

/// What a use asks for.
#[derive(Clone, Copy)]
enum Wanted {
    /// A name in one of two spaces.
    Name(ScopeId, Space, Option<Space>),
    /// A member of what the token before it names: in a space.
    Member(usize, Space),
    /// A member if the token before it names a process, else a name.
    MemberOr(usize, ScopeId),
    Known(SymbolId),
}

/// What the text says about the values of a symbol: token numbers.
#[derive(Clone, Copy)]
pub(super) enum Values {
    /// An expression: the symbol stands for its value.
    Of(usize, usize),
    /// From one expression to another.
    Between((usize, usize), (usize, usize)),
}

/// A symbol with what is needed to resolve its uses.
struct Made {
    scope: ScopeId,
    /// The scope of its members.
    inner: Option<ScopeId>,
    values: Option<Values>,
    /// Only what comes later can use it.
    ordered: bool,
}

/// An index in the making.
pub(super) struct Builder<'t> {
    pub(super) text: &'t str,
    language: Language,
    pub(super) tokens: Vec<Token>,
    scanned: Scanned,
    scopes: Vec<Scope>,
    symbols: Vec<Symbol>,
    made: Vec<Made>,
    declared: FxHashMap<(ScopeId, Space, &'t str), Vec<SymbolId>>,
    /// The token, what is wanted, and is it one of a directive?
    uses: Vec<(Token, Wanted, usize)>,
    includes: Vec<Include>,
    assertions: Vec<std::ops::Range<usize>>,
}

/// No token of the text: one of a directive.
const ASIDE: usize = usize::MAX;

impl<'t> Builder<'t> {
    pub(super) fn new(language: Language, text: &'t str) -> Self {
        let scanned = scan(language, text);
        let whole = Scope {
            parent: None,
            from: 0,
            to: u32::try_from(text.len()).unwrap_or(u32::MAX),
        };
        Builder {
            text,
            language,
            tokens: scanned.tokens.clone(),
            scanned,
            scopes: vec![whole],
            symbols: Vec::new(),
            made: Vec::new(),
            declared: FxHashMap::default(),
            uses: Vec::new(),
            includes: Vec::new(),
            assertions: Vec::new(),
        }
    }

    /// How many tokens there are.
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The text of a token; nothing beyond the last.
    pub(super) fn at(&self, i: usize) -> &'t str {
        self.tokens.get(i).map_or("", |t| self.of(*t))
    }

    /// The text of the token before.
    pub(super) fn before(&self, i: usize) -> &'t str {
        i.checked_sub(1).map_or("", |i| self.at(i))
    }

    pub(super) fn of(&self, token: Token) -> &'t str {
        &self.text[token.start as usize..token.end as usize]
    }

    pub(super) fn is(&self, i: usize, text: &str) -> bool {
        self.at(i) == text
    }

    /// Is it a word that is not reserved?
    pub(super) fn is_name(&self, i: usize) -> bool {
        let token = self.tokens.get(i);
        token.is_some_and(|t| t.kind == Kind::Word && !t.reserved)
    }

    pub(super) fn is_word(&self, i: usize) -> bool {
        self.tokens.get(i).is_some_and(|t| t.kind == Kind::Word)
    }

    pub(super) fn is_text(&self, i: usize) -> bool {
        self.tokens.get(i).is_some_and(|t| t.kind == Kind::Text)
    }

    /// The bracket that closes the one there (or opens it); none if it has no partner.
    pub(super) fn partner(&self, i: usize) -> Option<usize> {
        let partner = self.tokens.get(i)?.partner;
        (partner != NONE).then_some(partner as usize)
    }

    /// The bracket that closes the one there, or else `end`.
    pub(super) fn close(&self, i: usize, end: usize) -> usize {
        self.partner(i).filter(|p| *p > i).unwrap_or(end).min(end)
    }

    /// The token after a bracket and what is in it, or after any other token.
    pub(super) fn after(&self, i: usize, end: usize) -> usize {
        match self.tokens.get(i).map(|t| t.kind) {
            Some(Kind::Open) => (self.close(i, end) + 1).min(end.max(i + 1)),
            _ => i + 1,
        }
    }

    /// The first token from `i` on, outside of brackets, for which `stop` is true; or `end`.
    pub(super) fn find(&self, i: usize, end: usize, stop: impl Fn(&Self, usize) -> bool) -> usize {
        let mut j = i;
        while j < end && !stop(self, j) {
            j = self.after(j, end);
        }
        j.min(end)
    }

    /// The first byte of a token, or the end of the text.
    pub(super) fn start(&self, i: usize) -> usize {
        self.tokens
            .get(i)
            .map_or(self.text.len(), |t| t.start as usize)
    }

    /// The end of the token before.
    pub(super) fn end_before(&self, i: usize) -> usize {
        match i.checked_sub(1) {
            Some(i) => self
                .tokens
                .get(i)
                .map_or(self.text.len(), |t| t.end as usize),
            None => 0,
        }
    }

    /// A scope from one token to another, not with that.
    pub(super) fn scope(&mut self, parent: ScopeId, from: usize, to: usize) -> ScopeId {
        let (from, to) = (self.start(from), self.end_before(to));
        self.scopes.push(Scope {
            parent: Some(parent),
            from: from as u32,
            to: to.max(from) as u32,
        });
        self.scopes.len() - 1
    }

    /// Defines the name of a token; the whole definition goes from one token to another, not with that.
    pub(super) fn define(
        &mut self,
        scope: ScopeId,
        space: Space,
        kind: SymbolKind,
        name: usize,
        extent: (usize, usize),
    ) -> SymbolId {
        let Some(token) = self.tokens.get(name).copied() else {
            return self.symbols.len().saturating_sub(1);
        };
        let extent = self.start(extent.0)..self.end_before(extent.1);
        let id = self.push(scope, space, kind, token, extent);
        self.uses.push((token, Wanted::Known(id), name));
        id
    }

    /// The same for a token of a directive.
    pub(super) fn define_aside(
        &mut self,
        scope: ScopeId,
        kind: SymbolKind,
        token: Token,
        extent: std::ops::Range<usize>,
    ) -> SymbolId {
        let id = self.push(scope, Space::Value, kind, token, extent);
        self.uses.push((token, Wanted::Known(id), ASIDE));
        id
    }

    fn push(
        &mut self,
        scope: ScopeId,
        space: Space,
        kind: SymbolKind,
        token: Token,
        extent: std::ops::Range<usize>,
    ) -> SymbolId {
        let name = self.of(token);
        let id = self.symbols.len();
        let span = token.start as usize..token.end as usize;
        let whole = extent.start.min(span.start)..extent.end.max(span.end);
        let visible = &self.scopes[scope];
        self.symbols.push(Symbol {
            name: name.trim_matches('"').trim_matches('|').to_owned(),
            kind,
            span,
            extent: whole,
            visible: visible.from as usize..visible.to as usize,
            of_type: None,
            values: None,
            is_local: scope != 0,
        });
        self.made.push(Made {
            scope,
            inner: None,
            values: None,
            ordered: false,
        });
        let known = self.declared.entry((scope, space, name)).or_default();
        known.push(id);
        id
    }

    /// Is that name defined in that scope, of all that was seen so far?
    pub(super) fn known(&self, scope: ScopeId, space: Space, name: &str) -> Option<SymbolId> {
        let found = self.declared.get(&(scope, space, name));
        found.and_then(|all| all.first().copied())
    }

    pub(super) fn symbol(&mut self, id: SymbolId) -> &mut Symbol {
        &mut self.symbols[id]
    }

    pub(super) fn set_inner(&mut self, id: SymbolId, scope: ScopeId) {
        self.made[id].inner = Some(scope);
    }

    pub(super) fn set_values(&mut self, id: SymbolId, values: Values) {
        self.made[id].values = Some(values);
    }

    pub(super) fn copy_values(&mut self, from: SymbolId, to: SymbolId) {
        self.made[to].values = self.made[from].values;
        self.symbols[to].of_type = self.symbols[from].of_type.clone();
        self.symbols[to].values = self.symbols[from].values.clone();
    }

    /// What comes before cannot use it.
    pub(super) fn set_ordered(&mut self, id: SymbolId) {
        self.made[id].ordered = true;
    }

    /// A definition turns out to end before that token.
    pub(super) fn extend(&mut self, id: SymbolId, to: usize) {
        let end = self.end_before(to);
        let extent = &mut self.symbols[id].extent;
        extent.end = extent.end.max(end);
    }

    /// A use of a name.
    pub(super) fn refer(&mut self, i: usize, scope: ScopeId, space: Space) {
        self.uses
            .push((self.tokens[i], Wanted::Name(scope, space, None), i));
    }

    /// A use of a name that may be in another space, if it is not in the first.
    pub(super) fn refer_either(&mut self, i: usize, scope: ScopeId, first: Space, second: Space) {
        self.uses
            .push((self.tokens[i], Wanted::Name(scope, first, Some(second)), i));
    }

    /// A use in a directive.
    pub(super) fn refer_aside(&mut self, token: Token, scope: ScopeId) {
        self.uses
            .push((token, Wanted::Name(scope, Space::Value, None), ASIDE));
    }

    pub(super) fn refer_to(&mut self, i: usize, symbol: SymbolId) {
        self.uses.push((self.tokens[i], Wanted::Known(symbol), i));
    }

    /// A member of what is named before the mark before it: `a.b`, `a[1].b`.
    pub(super) fn refer_member(&mut self, i: usize, space: Space) {
        let base = self.base(i);
        self.uses
            .push((self.tokens[i], Wanted::Member(base, space), i));
    }

    /// A member of a process, or a name.
    pub(super) fn refer_member_or(&mut self, i: usize, scope: ScopeId) {
        let base = self.base(i);
        self.uses
            .push((self.tokens[i], Wanted::MemberOr(base, scope), i));
    }

    /// The name before the mark before a token, and before an index in between.
    fn base(&self, i: usize) -> usize {
        let Some(mut j) = i.checked_sub(2) else {
            return ASIDE;
        };
        while self.tokens[j].kind == Kind::Close {
            match self.partner(j).and_then(|p| p.checked_sub(1)) {
                Some(before) => j = before,
                None => return ASIDE,
            }
        }
        j
    }

    pub(super) fn include(&mut self, token: Token) {
        let file = self.of(token).trim_matches('"').to_owned();
        self.includes.push(Include {
            file,
            span: token.start as usize..token.end as usize,
        });
    }

    pub(super) fn assertion(&mut self, from: usize, to: usize) {
        let place = self.start(from)..self.end_before(to);
        self.assertions.push(place);
    }

    /// The lines of the preprocessor.
    pub(super) fn directives(&self) -> Vec<Vec<Token>> {
        self.scanned.directives.clone()
    }

    /// Resolves all uses.
    pub(super) fn finish(mut self) -> Index {
        let mut uses = std::mem::take(&mut self.uses);
        // Members come after what they are members of.
        uses.sort_by_key(|(token, ..)| token.start);
        let mut resolved: Vec<Option<u32>> = vec![None; self.tokens.len()];
        let mut occurrences: Vec<Occurrence> = Vec::with_capacity(uses.len());
        for (token, wanted, number) in uses {
            let symbol = self.resolve(token, wanted, &resolved).map(|s| s as u32);
            if symbol.is_none() && words::is_predefined(self.language, self.of(token)) {
                continue;
            }
            if let Some(slot) = resolved.get_mut(number) {
                *slot = symbol;
            }
            match occurrences.last_mut() {
                Some(last) if last.start == token.start => last.symbol = last.symbol.or(symbol),
                _ => occurrences.push(Occurrence {
                    start: token.start,
                    end: token.end,
                    symbol,
                }),
            }
        }
        self.evaluate(&resolved);
        Index {
            language: self.language,
            symbols: self.symbols,
            occurrences,
            includes: self.includes,
            scanned: self.scanned,
            assertions: self.assertions,
        }
    }

    fn evaluate(&mut self, resolved: &[Option<u32>]) {
        for id in 0..self.symbols.len() {
            let Some(values) = self.made[id].values else {
                continue;
            };
            let of = |symbol: u32| match self.made[symbol as usize].values {
                Some(Values::Of(from, to)) => Some((from, to)),
                _ => None,
            };
            let shown = value::shown(&self.tokens, self.text, resolved, &of, values);
            self.symbols[id].values = shown.or(self.symbols[id].values.take());
        }
    }

    fn resolve(&self, token: Token, wanted: Wanted, resolved: &[Option<u32>]) -> Option<SymbolId> {
        let name = self.of(token);
        let base = |i: usize| resolved.get(i).copied().flatten().map(|s| s as usize);
        match wanted {
            Wanted::Known(symbol) => Some(symbol),
            Wanted::Name(scope, space, other) => self
                .lookup(scope, space, name, token.start)
                .or_else(|| self.lookup(scope, other?, name, token.start)),
            Wanted::Member(of, space) => match base(of).and_then(|s| self.members(s)) {
                Some(inner) => self.member(inner, space, name),
                None => self.only_member(space, name),
            },
            Wanted::MemberOr(of, scope) => match base(of).and_then(|s| self.made[s].inner) {
                Some(inner) => self
                    .member(inner, Space::Label, name)
                    .or_else(|| self.member(inner, Space::Value, name)),
                None => self.lookup(scope, Space::Value, name, token.start),
            },
        }
    }

    /// The scope of the members of a symbol: its own, or that of its type.
    fn members(&self, symbol: SymbolId) -> Option<ScopeId> {
        if let Some(inner) = self.made[symbol].inner {
            return Some(inner);
        }
        let of_type = self.symbols[symbol].of_type.as_deref()?;
        self.made[self.known(0, Space::Type, of_type)?].inner
    }

    /// Something in that scope or directly below it (a local variable of a process).
    fn member(&self, inner: ScopeId, space: Space, name: &str) -> Option<SymbolId> {
        if let Some(found) = self.known(inner, space, name) {
            return Some(found);
        }
        let (from, to) = (self.scopes[inner].from, self.scopes[inner].to);
        let mut within = (0..self.scopes.len()).filter(|s| {
            let scope = &self.scopes[*s];
            from <= scope.from && scope.to <= to && *s != inner
        });
        match self.language {
            Language::Promela => within.find_map(|s| self.known(s, space, name)),
            _ => None,
        }
    }

    /// A member of something unknown: right if only one symbol of that name is a member of anything.
    fn only_member(&self, space: Space, name: &str) -> Option<SymbolId> {
        if self.language != Language::Smv {
            return None;
        }
        let named = (0..self.symbols.len()).filter(|s| {
            let symbol = &self.symbols[*s];
            symbol.name == name && space == Space::Value && self.made[*s].scope != 0
        });
        let mut found = named.take(2);
        found.next().filter(|_| found.next().is_none())
    }

    fn lookup(&self, scope: ScopeId, space: Space, name: &str, at: u32) -> Option<SymbolId> {
        let mut here = Some(scope);
        while let Some(number) = here {
            let scope = &self.scopes[number];
            if let Some(all) = self.declared.get(&(number, space, name)) {
                let earlier = |s: &&SymbolId| {
                    !self.made[**s].ordered || self.symbols[**s].span.start as u32 <= at
                };
                if let Some(found) = all.iter().rev().find(earlier) {
                    let first = all.first().filter(|s| !self.made[**s].ordered);
                    return Some(*first.unwrap_or(found));
                }
            }
            here = scope.parent;
        }
        None
    }
}

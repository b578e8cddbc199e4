//! Colours by meaning.

use lsp_types::{
    Range as Area, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens,
    SemanticTokensLegend,
};
use suppose_frontends::index::{Class, SymbolKind};

use crate::document::Document;

const TYPES: [SemanticTokenType; 12] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::NUMBER,
    SemanticTokenType::CLASS,
    SemanticTokenType::EVENT,
    SemanticTokenType::TYPE,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::MACRO,
    SemanticTokenType::METHOD,
];

pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: vec![SemanticTokenModifier::READONLY],
    }
}

/// The number of the type, and is it a constant?
fn kind(class: Class) -> Option<(SemanticTokenType, bool)> {
    Some(match class {
        Class::Keyword => (SemanticTokenType::KEYWORD, false),
        Class::Number => (SemanticTokenType::NUMBER, false),
        Class::Text | Class::Comment => return None,
        Class::Name(kind) => match kind {
            SymbolKind::Process | SymbolKind::LocalProcess | SymbolKind::Composition => {
                (SemanticTokenType::CLASS, false)
            }
            SymbolKind::Property => (SemanticTokenType::EVENT, false),
            SymbolKind::Constant => (SemanticTokenType::VARIABLE, true),
            SymbolKind::Type => (SemanticTokenType::TYPE, false),
            SymbolKind::Variable => (SemanticTokenType::VARIABLE, false),
            SymbolKind::Parameter => (SemanticTokenType::PARAMETER, false),
            SymbolKind::Field => (SemanticTokenType::PROPERTY, false),
            SymbolKind::EnumMember => (SemanticTokenType::ENUM_MEMBER, true),
            SymbolKind::Function => (SemanticTokenType::FUNCTION, false),
            SymbolKind::Macro => (SemanticTokenType::MACRO, false),
            SymbolKind::Action => (SemanticTokenType::METHOD, false),
            SymbolKind::Label | SymbolKind::Rewards => (SemanticTokenType::PROPERTY, true),
        },
    })
}

/// The colours of a document, or of a part of it.
pub(crate) fn of(document: &Document, part: Option<Area>) -> SemanticTokens {
    let (from, to) = match part {
        Some(area) => (document.offset(area.start), document.offset(area.end)),
        None => (0, document.text.len()),
    };
    let mut data = Vec::new();
    let (mut line, mut column) = (0, 0);
    for (span, class) in document.index().classes(from..to) {
        let Some((wanted, is_constant)) = kind(class) else {
            continue;
        };
        let area = document.area(&span);
        if area.start.line != area.end.line {
            continue;
        }
        let delta_line = area.start.line - line;
        let delta_start = match delta_line {
            0 => area.start.character - column,
            _ => area.start.character,
        };
        (line, column) = (area.start.line, area.start.character);
        let number = TYPES.iter().position(|t| *t == wanted).unwrap_or(0);
        data.push(SemanticToken {
            delta_line,
            delta_start,
            length: area.end.character - area.start.character,
            token_type: number as u32,
            token_modifiers_bitset: u32::from(is_constant),
        });
    }
    SemanticTokens {
        result_id: None,
        data,
    }
}

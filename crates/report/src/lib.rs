//! Verdicts as text, JSON and self-contained HTML with drawings.

//! The report as one HTML file.

use crate::Report;

/// The report as one self-contained HTML file.
pub fn html(report: &Report) -> String {
    let _ = report;
    String::new()
}

//! The rows of Tables 6.1 and 6.2 of Komuravelli's thesis (2015), and the sizes beyond them.

use super::models::{Failing, Instance, Variant, arbiter, client_server, sensor_network};

/// A family of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Client and server, one client fails.
    OneFails,
    /// Client and server, each client fails.
    AllFail,
    /// The resource arbiter of the Mars rovers.
    Arbiter,
    /// The sensor network.
    Sensors,
}

impl Family {
    /// Its name in the tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OneFails => "CS1",
            Self::AllFail => "CSN",
            Self::Arbiter => "MER",
            Self::Sensors => "SN",
        }
    }

    /// The model of that size.
    #[must_use]
    pub fn instance(self, n: usize) -> Instance {
        match self {
            Self::OneFails => client_server(n, Failing::One, Variant::Right),
            Self::AllFail => client_server(n, Failing::All, Variant::Right),
            Self::Arbiter => arbiter(n, Variant::Right),
            Self::Sensors => sensor_network(n, Variant::Right),
        }
    }
}

/// What the thesis states of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Run {
    /// Seconds and megabytes.
    Done(f64, f64),
    /// Out of two hours of time.
    Time,
    /// Out of two gigabytes of memory.
    Memory,
}

/// What the thesis states of a row. Sizes that it gives in thousands are given so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// States of the two components of the two-way split.
    pub components: [u64; 2],
    /// States of the whole system.
    pub system: u64,
    /// States of the specification.
    pub specification: u64,
    /// States of the largest assumption in the two-way split, if it came to an end.
    pub assumption: Option<u64>,
    /// AGAR with two components.
    pub agar: Run,
    /// AGAR with all components.
    pub agar_n: Run,
    /// Without assumptions.
    pub monolithic: Run,
}

/// A row of the benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The family.
    pub family: Family,
    /// The size.
    pub n: usize,
    /// What the thesis states of it, where it does.
    pub published: Option<Published>,
}

const fn beyond(family: Family, n: usize) -> Row {
    let published = None;
    Row {
        family,
        n,
        published,
    }
}

const fn row(
    family: Family,
    n: usize,
    components: [u64; 2],
    [system, specification]: [u64; 2],
    assumption: Option<u64>,
    [agar, agar_n, monolithic]: [Run; 3],
) -> Row {
    let published = Some(Published {
        components,
        system,
        specification,
        assumption,
        agar,
        agar_n,
        monolithic,
    });
    Row {
        family,
        n,
        published,
    }
}

use Family::{AllFail, Arbiter, OneFails, Sensors};
use Run::{Done, Memory, Time};

/// All rows, by family and size.
pub const ROWS: &[Row] = &[
    row(
        OneFails,
        5,
        [36, 405],
        [94, 16],
        Some(33),
        [Done(7.2, 15.6), Done(74.0, 15.1), Done(0.2, 8.8)],
    ),
    row(
        OneFails,
        6,
        [49, 1215],
        [136, 19],
        Some(41),
        [Done(11.6, 22.7), Done(810.7, 21.4), Done(0.5, 12.2)],
    ),
    row(
        OneFails,
        7,
        [64, 3645],
        [186, 22],
        Some(56),
        [Done(37.7, 49.4), Time, Done(0.8, 17.9)],
    ),
    beyond(OneFails, 8),
    beyond(OneFails, 9),
    row(
        AllFail,
        2,
        [25, 9],
        [34, 15],
        Some(7),
        [Done(0.7, 7.1), Done(2.4, 6.8), Done(0.1, 5.9)],
    ),
    row(
        AllFail,
        3,
        [125, 16],
        [184, 54],
        Some(12),
        [Done(43.0, 63.0), Done(1600.0, 109.6), Done(14.8, 37.9)],
    ),
    row(
        AllFail,
        4,
        [625, 25],
        [960, 189],
        None,
        [Time, Time, Done(1800.0, 667.5)],
    ),
    beyond(AllFail, 5),
    beyond(AllFail, 6),
    row(
        Arbiter,
        3,
        [278, 1728],
        [16_000, 12],
        Some(7),
        [Done(2.6, 19.7), Done(3.6, 14.6), Done(193.8, 458.5)],
    ),
    row(
        Arbiter,
        4,
        [465, 21_000],
        [120_000, 15],
        Some(11),
        [Done(15.0, 53.9), Done(34.7, 37.8), Time],
    ),
    row(
        Arbiter,
        5,
        [700, 250_000],
        [841_000, 18],
        None,
        [Memory, Done(257.8, 65.5), Memory],
    ),
    beyond(Arbiter, 6),
    beyond(Arbiter, 7),
    row(
        Sensors,
        1,
        [43, 32],
        [462, 18],
        Some(3),
        [Done(0.2, 6.2), Done(1.7, 8.5), Done(1.5, 27.7)],
    ),
    row(
        Sensors,
        2,
        [796, 32],
        [7860, 54],
        Some(3),
        [Done(79.5, 112.9), Done(694.4, 171.7), Done(4700.0, 1300.0)],
    ),
    row(
        Sensors,
        3,
        [7545, 32],
        [78_000, 162],
        None,
        [Time, Done(7200.0, 528.8), Memory],
    ),
    beyond(Sensors, 4),
    beyond(Sensors, 5),
];

#[cfg(test)]
mod tests {
    use super::{Family, ROWS};

    #[test]
    fn rows_are_in_order_and_have_models() {
        for pair in ROWS.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            assert!(a.family != b.family || a.n + 1 == b.n, "{a:?} {b:?}");
        }
        for row in ROWS {
            let instance = row.family.instance(row.n);
            assert!(instance.system.contains("module"), "{row:?}");
            assert!(!row.family.name().is_empty());
        }
    }

    /// The patterns by which the published sizes were understood.
    #[test]
    fn published_sizes_follow_their_patterns() {
        for row in ROWS {
            let Some(p) = row.published else { continue };
            let n = row.n as u64;
            let exact = [p.components[0], p.components[1], p.specification];
            let power = |base: u64, by: u64| base.pow(by as u32);
            let expected = match row.family {
                Family::OneFails => [(n + 1) * (n + 1), 5 * power(3, n - 1), 3 * n + 1],
                Family::AllFail => [power(5, n), (n + 1) * (n + 1), power(3, n - 1) * (n + 3)],
                Family::Arbiter => [24 * n * n + 19 * n + 5, exact[1], 3 * n + 3],
                Family::Sensors => [exact[0], 32, 2 * power(3, n + 1)],
            };
            assert_eq!(exact, expected, "{row:?}");
        }
    }
}

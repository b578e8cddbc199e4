//! The rows: which family at which sizes.

use super::families::*;

/// A family at some sizes.
pub struct Family {
    /// Its name in the table.
    pub name: &'static str,
    /// One of those that the table of the paper has?
    pub in_paper: bool,
    /// What the sizes are called and the text of each.
    pub sizes: Vec<(String, String)>,
}

fn by_one(name: &'static str, make: fn(u64) -> String, sizes: &[u64]) -> Family {
    let sizes = sizes.iter().map(|n| (n.to_string(), make(*n)));
    Family {
        name,
        in_paper: false,
        sizes: sizes.collect(),
    }
}

fn by_two(name: &'static str, make: fn(u64, u64) -> String, sizes: &[(u64, u64)]) -> Family {
    let sizes = sizes
        .iter()
        .map(|(a, b)| (format!("{a}, {b}"), make(*a, *b)));
    Family {
        name,
        in_paper: false,
        sizes: sizes.collect(),
    }
}

impl Family {
    fn of_the_paper(self) -> Self {
        Family {
            in_paper: true,
            ..self
        }
    }
}

/// All of them. The first size of each is the one among the examples.
pub fn families() -> Vec<Family> {
    vec![
        by_two(
            "cache-coherence",
            cache_coherence,
            &[(2, 1), (4, 4), (6, 6), (8, 8)],
        )
        .of_the_paper(),
        by_two("guidance", guidance, &[(2, 5), (3, 20), (4, 30), (4, 50)]).of_the_paper(),
        by_two(
            "priority-queue",
            priority_queue,
            &[(3, 3), (4, 7), (6, 15), (8, 15)],
        )
        .of_the_paper(),
        by_one("water-pressure", water_pressure, &[10, 200, 1000, 2000]).of_the_paper(),
        by_two(
            "bus-arbiter",
            bus_arbiter,
            &[(2, 1), (3, 7), (5, 7), (7, 7)],
        )
        .of_the_paper(),
        by_two(
            "alternating-bit",
            alternating_bit,
            &[(1, 1), (2, 2), (4, 4), (6, 8)],
        ),
        by_one("arbiter-ring", arbiter_ring, &[3, 6, 10, 14]),
        by_one("mutual-exclusion", mutual_exclusion, &[2, 6, 12, 20]),
        by_two("pipeline", pipeline, &[(3, 2), (4, 4), (6, 6), (8, 8)]),
        by_one("multiplier", multiplier, &[1, 4, 8, 16]),
        by_two(
            "packet-buffer",
            packet_buffer,
            &[(2, 2), (8, 8), (8, 16), (16, 16)],
        ),
        by_one("replacement", replacement, &[2, 6, 10, 16]),
        by_two("buses", buses, &[(2, 2), (2, 3), (3, 2), (4, 2)]),
        by_one("snooping", snooping, &[2, 4, 5, 6]),
        by_one("lift", lift, &[4, 8, 10, 12]),
        by_two("watchdog", watchdog, &[(2, 4), (3, 8), (4, 12), (6, 16)]),
    ]
}

//! The reachable part of a graph.

/// What [`keep_reachable`] keeps.
pub(super) struct Kept {
    /// New numbers of the states that are kept.
    pub(super) numbers: Vec<Option<u32>>,
    /// How many there are now, the error state included.
    pub(super) states: u32,
    /// Edges with the new numbers, sorted, each once.
    pub(super) edges: Vec<(u32, u32, u32)>,
    /// The new number of the error state, if it is reachable.
    pub(super) error: Option<u32>,
}

/// Renumbers the states that `initial` reaches, breadth first; `error` is a state without number
/// or edges, which comes last.
pub(super) fn keep_reachable(
    states: u32,
    initial: u32,
    error: u32,
    edges: &[(u32, u32, u32)],
) -> Kept {
    let mut sorted: Vec<(u32, u32, u32)> = edges.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut numbers: Vec<Option<u32>> = vec![None; states as usize];
    let mut order = vec![initial];
    numbers[initial as usize] = Some(0);
    let mut reaches_error = false;
    let mut next = 0;
    while next < order.len() {
        let source = order[next];
        next += 1;
        let from = sorted.partition_point(|e| e.0 < source);
        for edge in sorted[from..].iter().take_while(|e| e.0 == source) {
            if edge.2 == error {
                reaches_error = true;
            } else if numbers[edge.2 as usize].is_none() {
                numbers[edge.2 as usize] = Some(order.len() as u32);
                order.push(edge.2);
            }
        }
    }
    let error_number = order.len() as u32;
    let number = |state: u32| match state {
        s if s == error => Some(error_number),
        s => numbers[s as usize],
    };
    let mut kept: Vec<(u32, u32, u32)> = sorted
        .iter()
        .filter(|e| e.0 != error)
        .filter_map(|e| Some((numbers[e.0 as usize]?, e.1, number(e.2)?)))
        .collect();
    kept.sort_unstable();
    Kept {
        states: error_number + u32::from(reaches_error),
        edges: kept,
        error: reaches_error.then_some(error_number),
        numbers,
    }
}

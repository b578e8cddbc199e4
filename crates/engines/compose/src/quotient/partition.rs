//! Partitions that are refined by sets.

/// Classes of the numbers `0..n`. Class numbers stay when a class is split: the part that is
/// split off gets a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Partition {
    class_of: Vec<u32>,
    members: Vec<Vec<u32>>,
}

impl Partition {
    /// One class (none if there is nothing).
    pub fn one(count: usize) -> Self {
        Partition {
            class_of: vec![0; count],
            members: match count {
                0 => Vec::new(),
                _ => vec![(0..count as u32).collect()],
            },
        }
    }

    /// Everything alone.
    pub fn discrete(count: usize) -> Self {
        Partition {
            class_of: (0..count as u32).collect(),
            members: (0..count as u32).map(|e| vec![e]).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.members.len()
    }

    pub fn is_discrete(&self) -> bool {
        self.members.len() == self.class_of.len()
    }

    pub fn class(&self, element: u32) -> u32 {
        self.class_of[element as usize]
    }

    pub fn classes(&self) -> &[u32] {
        &self.class_of
    }

    pub fn members(&self, class: u32) -> &[u32] {
        &self.members[class as usize]
    }

    /// Separates the elements of a set from all others; does that split any class? `parent`
    /// learns, for every new class, the class it came from.
    pub fn split(&mut self, set: impl IntoIterator<Item = u32>, parent: &mut Vec<u32>) -> bool {
        let mut touched: Vec<(u32, u32)> = set
            .into_iter()
            .map(|e| (self.class_of[e as usize], e))
            .collect();
        touched.sort_unstable();
        touched.dedup();
        let before = self.members.len();
        for chosen in touched.chunk_by(|a, b| a.0 == b.0) {
            let class = chosen[0].0;
            if chosen.len() == self.members[class as usize].len() {
                continue;
            }
            let new = self.members.len() as u32;
            for (_, element) in chosen {
                self.class_of[*element as usize] = new;
            }
            let class_of = &self.class_of;
            self.members[class as usize].retain(|e| class_of[*e as usize] == class);
            self.members.push(chosen.iter().map(|(_, e)| *e).collect());
            parent.push(class);
        }
        self.members.len() > before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_split_only_what_they_cut() {
        let mut partition = Partition::one(5);
        let mut parent = vec![0];
        assert!(!partition.split([0, 1, 2, 3, 4], &mut parent));
        assert!(partition.split([1, 3, 1], &mut parent));
        assert!(partition.split([3, 4], &mut parent));
        assert_eq!(partition.classes(), [0, 1, 0, 3, 2]);
        assert_eq!(parent, [0, 0, 0, 1]);
        assert_eq!(partition.members(0), [0, 2]);
    }
}

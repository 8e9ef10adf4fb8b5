//! Which judged calls may start now. Pure.
//!
//! Parallel calls start at once; calls with the same key run in call order; an exclusive call runs alone, after
//! all before it and before all behind it.

use crate::tools::contract::Concurrency;

/// How far a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Not allowed yet: being judged, or waiting for the person.
    Held,
    /// May run.
    Ready,
    /// Runs.
    Running,
    /// Has a result.
    Ended,
}

/// A call as the schedule sees it.
#[derive(Clone, Copy, Debug)]
pub struct Slot<'a> {
    /// How far it is.
    pub stage: Stage,
    /// What may run beside it; known from `Ready` on.
    pub concurrency: Option<&'a Concurrency>,
}

/// Indexes of the calls that may start now, in call order.
pub fn startable(slots: &[Slot<'_>]) -> Vec<usize> {
    let mut chosen = Vec::new();
    for (index, slot) in slots.iter().enumerate() {
        if slot.stage == Stage::Ready && is_free(slots, &chosen, index) {
            chosen.push(index);
        }
    }
    chosen
}

fn is_free(slots: &[Slot<'_>], chosen: &[usize], index: usize) -> bool {
    let this = slots[index].concurrency;
    slots.iter().enumerate().all(|(other_index, other)| {
        if other_index == index || other.stage == Stage::Ended {
            return true;
        }
        let is_before = other_index < index;
        let runs = other.stage == Stage::Running || chosen.contains(&other_index);
        match (this, other.concurrency) {
            (Some(Concurrency::Exclusive), _) => !is_before && !runs,
            (_, Some(Concurrency::Exclusive)) => !is_before && !runs,
            (Some(Concurrency::Keyed(a)), Some(Concurrency::Keyed(b))) if a == b => {
                !is_before && !runs
            }
            // A held call before a keyed one might turn out to have the same key.
            (Some(Concurrency::Keyed(_)), None) => !is_before,
            _ => true,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(slots: &[(Stage, Option<Concurrency>)], expected: &[usize]) {
        let slots: Vec<Slot<'_>> = slots
            .iter()
            .map(|(stage, concurrency)| Slot {
                stage: *stage,
                concurrency: concurrency.as_ref(),
            })
            .collect();
        assert_eq!(startable(&slots), expected);
    }

    fn keyed(key: &str) -> Option<Concurrency> {
        Some(Concurrency::Keyed(key.to_owned()))
    }

    const PARALLEL: Option<Concurrency> = Some(Concurrency::Parallel);
    const EXCLUSIVE: Option<Concurrency> = Some(Concurrency::Exclusive);

    #[test]
    fn parallel_calls_start_together_beside_a_held_one() {
        check(
            &[
                (Stage::Ready, PARALLEL),
                (Stage::Held, None),
                (Stage::Ready, PARALLEL),
            ],
            &[0, 2],
        );
    }

    #[test]
    fn the_same_key_runs_in_order_and_another_key_beside_it() {
        check(
            &[
                (Stage::Ready, keyed("a")),
                (Stage::Ready, keyed("a")),
                (Stage::Ready, keyed("b")),
            ],
            &[0, 2],
        );
        check(
            &[(Stage::Running, keyed("a")), (Stage::Ready, keyed("a"))],
            &[],
        );
        check(
            &[(Stage::Ended, keyed("a")), (Stage::Ready, keyed("a"))],
            &[1],
        );
    }

    #[test]
    fn a_keyed_call_waits_for_a_held_one_before_it() {
        check(&[(Stage::Held, None), (Stage::Ready, keyed("a"))], &[]);
    }

    #[test]
    fn an_exclusive_call_runs_alone() {
        check(
            &[
                (Stage::Running, PARALLEL),
                (Stage::Ready, EXCLUSIVE),
                (Stage::Ready, PARALLEL),
            ],
            &[],
        );
        check(
            &[
                (Stage::Ended, PARALLEL),
                (Stage::Ready, EXCLUSIVE),
                (Stage::Ready, PARALLEL),
            ],
            &[1],
        );
    }
}

//! Remembers what was highlighted and collects what is still wanted.
//!
//! Drawing asks with [`Highlights::find`] and never waits: an unknown text is noted as wanted and drawn plain,
//! or as far as a shorter text with the same beginning is known. One job at a time runs for a growing text.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet, VecDeque},
    sync::Arc,
};

use super::job::{Highlighted, Job, Key, limited};

/// Results kept; the oldest go first.
const CAPACITY: usize = 512;
/// Jobs that may be wanted at once.
const MOST_WANTED: usize = 64;

/// Results by text and language.
#[derive(Debug, Default)]
pub struct Highlights {
    done: HashMap<Key, Arc<Highlighted>>,
    order: VecDeque<Key>,
    /// Latest result by (language, first line).
    growing: HashMap<Key, Key>,
    revision: u64,
    wants: RefCell<Wants>,
}

#[derive(Debug, Default)]
struct Wants {
    jobs: Vec<Job>,
    /// Jobs that are wanted or run, by (language, first line), to the key that comes.
    busy: HashMap<Key, Key>,
    running: HashSet<Key>,
}

impl Highlights {
    /// Moves with every new result.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Marks for the beginning of `text`, and whether they are all there will be. What is missing is wanted.
    pub fn find(&self, language: &str, text: &str) -> (Option<Arc<Highlighted>>, bool) {
        let text = limited(text);
        if text.is_empty() || language.is_empty() {
            return (None, true);
        }
        let key = Key::of(language, text);
        if let Some(found) = self.done.get(&key) {
            return (Some(Arc::clone(found)), true);
        }
        let chain = chain(language, text);
        let before = self
            .growing
            .get(&chain)
            .and_then(|key| self.done.get(key))
            .filter(|found| {
                text.get(..found.bytes)
                    .is_some_and(|part| Key::of(language, part) == found.key)
            })
            .cloned();
        self.want(chain, key, language, text, before.clone());
        (before, false)
    }

    fn want(
        &self,
        chain: Key,
        key: Key,
        language: &str,
        text: &str,
        resume: Option<Arc<Highlighted>>,
    ) {
        let mut wants = self.wants.borrow_mut();
        if wants.busy.contains_key(&chain)
            || wants.running.contains(&key)
            || wants.jobs.len() >= MOST_WANTED
        {
            return;
        }
        wants.busy.insert(chain, key);
        wants.running.insert(key);
        wants.jobs.push(Job {
            key,
            language: language.into(),
            text: text.into(),
            resume,
        });
    }

    /// The jobs that drawing asked for since the last call. Each must be answered by [`Self::finish`].
    pub fn take_jobs(&self) -> Vec<Job> {
        std::mem::take(&mut self.wants.borrow_mut().jobs)
    }

    /// Takes the result of a job.
    pub fn finish(&mut self, result: Highlighted) {
        let key = result.key;
        let wants = self.wants.get_mut();
        wants.running.remove(&key);
        let chains: Vec<Key> = wants
            .busy
            .iter()
            .filter(|(_, running)| **running == key)
            .map(|(chain, _)| *chain)
            .collect();
        for chain in chains {
            wants.busy.remove(&chain);
            self.growing.insert(chain, key);
        }
        if self.done.insert(key, Arc::new(result)).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > CAPACITY {
            if let Some(oldest) = self.order.pop_front() {
                self.done.remove(&oldest);
                self.growing.retain(|_, key| *key != oldest);
            }
        }
        self.revision += 1;
    }
}

/// Names a growing text by what does not change while it grows.
fn chain(language: &str, text: &str) -> Key {
    let first = text.split_inclusive('\n').next().unwrap_or_default();
    Key::of(language, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_asked_for_once_and_found_when_done() {
        let mut store = Highlights::default();

        assert_eq!(store.find("rust", "fn a() {}\n"), (None, false));
        store.find("rust", "fn a() {}\n");
        let jobs = store.take_jobs();
        assert_eq!(jobs.len(), 1);
        store.finish(jobs[0].run());

        let (found, whole) = store.find("rust", "fn a() {}\n");
        assert!(whole && found.is_some_and(|found| found.lines.len() == 1));
        assert!(store.take_jobs().is_empty());
    }

    #[test]
    fn a_growing_text_keeps_its_beginning_and_runs_one_job_at_a_time() {
        let mut store = Highlights::default();
        store.find("rust", "fn a() {\n");
        store.find("rust", "fn a() {\n  b();\n");
        let first = store.take_jobs();
        assert_eq!(first.len(), 1);
        store.finish(first[0].run());

        let (found, whole) = store.find("rust", "fn a() {\n  b();\n}\n");

        assert!(!whole && found.is_some_and(|found| found.lines.len() == 1));
        let second = store.take_jobs();
        assert!(second[0].resume.is_some());
        store.finish(second[0].run());
        assert!(store.find("rust", "fn a() {\n  b();\n}\n").1);
    }

    #[test]
    fn old_results_leave() {
        let mut store = Highlights::default();
        for index in 0..CAPACITY + 10 {
            store.find("json", &format!("{index}\n"));
            for job in store.take_jobs() {
                store.finish(job.run());
            }
        }

        assert_eq!((store.done.len(), store.order.len()), (CAPACITY, CAPACITY));
        assert!(store.growing.len() <= CAPACITY);
    }
}

//! Finding and signalling the processes below one.
//!
//! Processes are found by their parents, as `/proc` tells them; a supervisor adopts orphans, so that even those
//! in sessions of their own are found below it. Where there is no `/proc`, nothing is found and only the
//! process group can be signalled.

use std::{
    collections::{BTreeSet, HashMap},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, waitpid};

use super::environment;
use crate::domain::job::ProcessInfo;

/// Between two rounds of ending what a supervisor left.
const ROUND: Duration = Duration::from_millis(10);
/// Rounds after which what cannot be ended (blocked in the kernel) is left.
const MOST_ROUNDS: usize = 100;

/// What `/proc` tells of a process.
struct Stat {
    pid: i32,
    parent: i32,
    session: i32,
    name: String,
    zombie: bool,
}

/// The processes below `root`, parents before their children; ended ones that nobody waited for are left out, and
/// the first ones of sandboxes, which are ours.
pub fn descendants(root: i32) -> Vec<ProcessInfo> {
    below(root, &running())
        .into_iter()
        .filter(|stat| !stat.zombie && !is_first_in_namespace(stat.pid))
        .map(|stat| ProcessInfo {
            pid: stat.pid,
            command: command_line(stat),
        })
        .collect()
}

/// Sends a signal to every process below `root`, parents first: a parent must not go on with its next step
/// because a child was ended. Returns how many there were.
pub(super) fn signal_below(root: i32, signal: Signal) -> usize {
    let running = running();
    let found = below(root, &running);
    for stat in &found {
        send(stat.pid, signal);
    }
    found.len()
}

/// Ends what a supervisor that was killed has left to us, and waits for it: our children that are of its session or
/// have its mark in their environment, and everything below them. Blocks for a second at most.
pub(super) fn end_strays(mark: &str, supervisor: i32) {
    let us = getpid().as_raw_nonzero().get();
    let mark = format!("{}={mark}", environment::MARK);
    let mut known = BTreeSet::new();
    for round in 0..MOST_ROUNDS {
        if round > 0 {
            thread::sleep(ROUND);
        }
        let running = running();
        let roots: Vec<&Stat> = running
            .iter()
            .filter(|stat| stat.parent == us && stat.pid != supervisor)
            .filter(|stat| {
                stat.session == supervisor
                    || known.contains(&stat.pid)
                    || has_in_environment(stat.pid, &mark)
            })
            .collect();
        if roots.is_empty() {
            return;
        }
        for root in &roots {
            for stat in std::iter::once(*root).chain(below(root.pid, &running)) {
                send(stat.pid, Signal::KILL);
                // What it leaves in turn becomes our child without a trace of where it came from.
                known.insert(stat.pid);
            }
        }
        for root in roots {
            reap(root.pid);
        }
    }
}

fn send(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        // It may have ended by now.
        let _ = kill_process(pid, signal);
    }
}

/// Takes note of an ended child that nobody else waits for.
fn reap(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        // It may need a moment to end; then the next round does it.
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
}

fn has_in_environment(pid: i32, variable: &str) -> bool {
    std::fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environment| {
        environment
            .split(|byte| *byte == 0)
            .any(|found| found == variable.as_bytes())
    })
}

/// Whether a process is the first one of a process namespace below ours; only a sandbox makes those.
fn is_first_in_namespace(pid: i32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let numbers = status
        .lines()
        .find_map(|line| line.strip_prefix("NSpid:"))
        .map(|numbers| numbers.split_whitespace().collect::<Vec<_>>());
    numbers.is_some_and(|numbers| numbers.len() > 1 && numbers.last() == Some(&"1"))
}

fn below(root: i32, running: &[Stat]) -> Vec<&Stat> {
    let mut children: HashMap<i32, Vec<&Stat>> = HashMap::new();
    for stat in running {
        children.entry(stat.parent).or_default().push(stat);
    }
    let mut found: Vec<&Stat> = children.remove(&root).unwrap_or_default();
    let mut next = 0;
    while let Some(parent) = found.get(next).map(|stat| stat.pid) {
        found.extend(children.remove(&parent).unwrap_or_default());
        next += 1;
    }
    found
}

fn running() -> Vec<Stat> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|pid: i32| {
            parse_stat(
                pid,
                &std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?,
            )
        })
        .collect()
}

/// Reads `pid (name) state parent …`; the name may hold blanks and brackets.
fn parse_stat(pid: i32, line: &str) -> Option<Stat> {
    let (head, rest) = line.rsplit_once(')')?;
    let (_, name) = head.split_once('(')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let _group = fields.next()?;
    Some(Stat {
        pid,
        parent,
        session: fields.next()?.parse().ok()?,
        name: name.to_owned(),
        zombie: matches!(state, "Z" | "X"),
    })
}

fn command_line(stat: &Stat) -> String {
    let line = std::fs::read(format!("/proc/{}/cmdline", stat.pid)).unwrap_or_default();
    let words = String::from_utf8_lossy(&line);
    let words: Vec<&str> = words.split('\0').filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        format!("[{}]", stat.name)
    } else {
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_blanks_is_read() {
        let stat = parse_stat(7, "7 (a) b (c) S 3 7 5 0 -1").unwrap();

        assert_eq!(
            (stat.parent, stat.session, stat.name.as_str(), stat.zombie),
            (3, 5, "a) b (c", false)
        );
        assert!(parse_stat(7, "7 (a) Z 3 7 5").unwrap().zombie);
        assert!(parse_stat(7, "").is_none());
    }

    #[test]
    fn parents_come_before_their_children() {
        let stat = |pid, parent| Stat {
            pid,
            parent,
            session: parent,
            name: String::new(),
            zombie: false,
        };
        let running = [stat(5, 4), stat(4, 2), stat(9, 1), stat(3, 2), stat(2, 1)];

        let found: Vec<i32> = below(2, &running).iter().map(|stat| stat.pid).collect();

        assert_eq!(found, [4, 3, 5]);
    }
}

//! What is refused whatever anybody says: writing outside the roots below `unrestricted` (reading too,
//! where reads are confined), the program's own places, and files that look like secrets unless a rule names them.

use std::path::{Path, PathBuf};

use super::{
    call::{PreparedCall, Target},
    rule::Pattern,
    web,
};
use crate::domain::{
    access::{Links, Place, Places},
    permission::{Level, PermissionSettings, Rule, Verdict},
};

/// Directories of the system whose files anybody may read.
const SYSTEM: &[&str] = &[
    "/bin",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/opt",
    "/sbin",
    "/usr",
    "/Library",
    "/System",
];

/// Names of files and directories inside a root through which a write can make something run.
const GUARDED: &[&str] = &[".git", ".quarterdeck", ".envrc"];

/// Why the call is out of bounds, when it is.
pub(super) fn refuses(call: &PreparedCall, settings: &PermissionSettings) -> Option<String> {
    // An answer could not make it run, so nobody is asked.
    if settings.level < Level::Unrestricted && call.refused.is_some() {
        return call.refused.clone();
    }
    if settings.confine_reads
        && settings.level < Level::Unrestricted
        && let Some(path) = foreign_read(call, settings)
    {
        return Some(format!(
            "{} is outside the workspace, and permissions.confine_reads keeps reading inside it",
            path.display()
        ));
    }
    call.targets.iter().chain(&call.looks).find_map(|target| {
        let (writes, resolved, secret) = match target {
            Target::Path {
                writes,
                resolved,
                secret,
                ..
            } => (writes, resolved, secret),
            Target::Url { url } => return web::refuses(call, url, settings),
            Target::Shell { .. } | Target::Agent { .. } => return None,
        };
        if *writes && settings.level < Level::Unrestricted && !is_inside(resolved, &settings.roots) {
            return Some(outside(resolved, &settings.roots));
        }
        if settings.own.hold(resolved) {
            return Some(format!(
                "{} is in a directory of quarterdeck itself, which no tool reads or writes",
                resolved.display()
            ));
        }
        if *secret && !is_named_by_rule(call, target, settings) {
            return Some(format!(
                "{} looks like a file that holds secrets; it stays closed unless a rule of the configuration names \
                 it, such as action = \"{}\", resource = \"{}\", verdict = \"allow\"",
                resolved.display(),
                call.tool,
                super::rule::escape(&resolved.to_string_lossy()),
            ));
        }
        None
    })
}

/// Where the paths of the call lead, and which of them a rule opens although they look like secrets.
pub fn places(call: &PreparedCall, settings: &PermissionSettings) -> Places {
    let places = call.targets.iter().filter_map(|target| match target {
        Target::Path {
            named,
            resolved,
            secret,
            ..
        } => Some(Place {
            named: named.clone(),
            real: resolved.clone(),
            opened: *secret && is_named_by_rule(call, target, settings),
        }),
        Target::Shell { .. } | Target::Agent { .. } | Target::Url { .. } => None,
    });
    Places {
        places: places.collect(),
        links: Links::default(),
    }
}

fn outside(path: &Path, roots: &[PathBuf]) -> String {
    let roots: Vec<String> = roots
        .iter()
        .map(|root| root.display().to_string())
        .collect();
    let place = if roots.is_empty() {
        "nowhere".to_owned()
    } else {
        format!("in {}", roots.join(", "))
    };
    format!(
        "{} is outside the workspace: below level unrestricted, writing is possible {place} only",
        path.display()
    )
}

/// Only a rule that names files opens a secret one: `*` or `/home/me/*` does not.
fn is_named_by_rule(call: &PreparedCall, target: &Target, settings: &PermissionSettings) -> bool {
    let subjects = target.narrow_subjects(&settings.roots);
    let matching = settings.rules.iter().filter(|rule| {
        let pattern = Pattern::parse(&rule.resource);
        call.is_meant_by(&rule.action)
            && (rule.verdict != Verdict::Allow || pattern.names_file())
            && subjects.iter().any(|subject| pattern.matches(subject))
    });
    super::rule::winner(matching).is_some_and(|rule: &Rule| rule.verdict == Verdict::Allow)
}

/// Whether a resolved path is one of the roots or below one.
pub(super) fn is_inside(path: &Path, roots: &[PathBuf]) -> bool {
    roots.iter().any(|root| path.starts_with(root))
}

/// Whether it is a file of the system, which anybody may read.
pub(super) fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

/// A path that the call reads although it is neither in the workspace nor the system's.
pub(super) fn foreign_read<'a>(
    call: &'a PreparedCall,
    settings: &PermissionSettings,
) -> Option<&'a Path> {
    call.targets
        .iter()
        .chain(&call.looks)
        .find_map(|target| match target {
            Target::Path {
                writes: false,
                resolved,
                ..
            } if !is_inside(resolved, &settings.roots) && !is_of_system(resolved) => {
                Some(resolved.as_path())
            }
            _ => None,
        })
}

/// A path that the call writes and through which something could be made to run.
pub(super) fn guarded_write<'a>(
    call: &'a PreparedCall,
    settings: &PermissionSettings,
) -> Option<&'a Path> {
    call.targets.iter().find_map(|target| match target {
        Target::Path {
            writes: true,
            resolved,
            ..
        } if settings.roots.iter().any(|root| {
            resolved.strip_prefix(root).is_ok_and(|below| {
                below.components().any(|part| {
                    part.as_os_str().to_str().is_some_and(|name| {
                        GUARDED
                            .iter()
                            .any(|guarded| name.eq_ignore_ascii_case(guarded))
                    })
                })
            })
        }) =>
        {
            Some(resolved.as_path())
        }
        _ => None,
    })
}

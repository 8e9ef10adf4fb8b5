//! Whether there are notebooks in a folder.

use std::path::Path;

use ignore::WalkBuilder;

/// Files and folders that are looked at.
const MOST: usize = 5_000;
/// How deep.
const DEEPEST: usize = 6;

/// Whether a notebook lies in a folder, hidden and ignored files left out. Not all of a large folder is looked at.
pub fn is_in(folder: &Path) -> bool {
    let mut walk = WalkBuilder::new(folder);
    let walk = walk.max_depth(Some(DEEPEST)).require_git(false).build();
    walk.take(MOST).flatten().any(|entry| {
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let ending = entry.path().extension();
        is_file && ending.is_some_and(|ending| ending.eq_ignore_ascii_case("ipynb"))
    })
}

#[cfg(test)]
mod tests {
    use std::fs::{File, create_dir_all};

    use super::is_in;

    #[test]
    fn a_notebook_is_found_unless_it_is_ignored_or_hidden() {
        let world = tempfile::tempdir().unwrap();
        let put = |name: &str| {
            let path = world.path().join(name);
            create_dir_all(path.parent().unwrap()).unwrap();
            File::create(path).unwrap();
        };
        put(".ipynb_checkpoints/a.ipynb");
        put("ipynb");
        put("b.ipynb.txt");

        assert!(!is_in(world.path()));

        put("work/deep/a.IPYNB");

        assert!(is_in(world.path()));
        assert!(!is_in(&world.path().join("nowhere")));
    }
}

//! Sockets that have a path and that somebody listens to: whoever reaches one can make its program act outside of the
//! sandbox, and no file permission that only takes writing away stops that.

use std::path::{Path, PathBuf};

/// The table of sockets.
const TABLE: &str = "/proc/net/unix";
/// The flag of one that is listened to.
const LISTENED_TO: u32 = 0x0001_0000;

/// Those of this machine as it is now. Blocks on the disk.
pub(super) fn listened_to() -> Vec<PathBuf> {
    read(&std::fs::read_to_string(TABLE).unwrap_or_default())
}

fn read(table: &str) -> Vec<PathBuf> {
    table.lines().skip(1).filter_map(path_of).collect()
}

/// The path in a line of `Num RefCount Protocol Flags Type St Inode Path`; other names than paths begin with `@`.
fn path_of(line: &str) -> Option<PathBuf> {
    let mut fields = line.split_whitespace();
    let flags = u32::from_str_radix(fields.nth(3)?, 16).ok()?;
    let inode = fields.nth(2)?;
    let (_, path) = line.split_once(&format!(" {inode} "))?;
    let path = Path::new(path.trim_start());
    (flags & LISTENED_TO != 0 && path.is_absolute()).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_that_are_listened_to_are_found() {
        let table = "Num       RefCount Protocol Flags    Type St Inode Path\n\
            0000000000000000: 00000002 00000000 00010000 0001 01 14417 /a b/s\n\
            0000000000000000: 00000003 00000000 00000000 0001 03 14418 /connected\n\
            0000000000000000: 00000002 00000000 00010000 0001 01 14419 @abstract\n\
            0000000000000000: 00000003 00000000 00000000 0001 03 14420\n";

        assert_eq!(read(table), [PathBuf::from("/a b/s")]);
    }
}

//! Two connections made into one.

use std::{
    io,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

/// How long neither side may say anything.
const SILENCE: Duration = Duration::from_mins(10);
/// Taken at a time.
const PIECE: usize = 16 * 1024;

/// Passes on what each side says until both have ended, or one has failed.
pub(super) async fn join(mut near: TcpStream, mut far: TcpStream) {
    let said = AtomicU64::new(0);
    let (from_near, to_near) = near.split();
    let (from_far, to_far) = far.split();
    // An error of one direction ends both: what it was about is lost anyway.
    let _ = tokio::try_join!(
        pass(from_near, to_far, &said),
        pass(from_far, to_near, &said)
    );
}

async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    said: &AtomicU64,
) -> io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        let before = said.load(Ordering::Relaxed);
        let length = match timeout(SILENCE, from.read(&mut piece)).await {
            Ok(length) => length?,
            // One side may listen for as long as the other talks.
            Err(_) if said.load(Ordering::Relaxed) != before => continue,
            Err(_) => return Err(io::ErrorKind::TimedOut.into()),
        };
        let Some(read) = piece.get(..length).filter(|read| !read.is_empty()) else {
            return to.shutdown().await;
        };
        timeout(SILENCE, to.write_all(read)).await??;
        said.fetch_add(1, Ordering::Relaxed);
    }
}

//! The floor: the least that a program on a terminal can do. Raw mode, echoes keys, prints a stream as it comes.

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
};

use crossterm::terminal;

/// The argument that makes this binary the floor program.
pub(crate) const ARGUMENT: &str = "--floor";

/// Echoes what is typed; `Enter` asks the server named by the environment and prints the bytes of its answer.
pub(crate) fn run() {
    terminal::enable_raw_mode().unwrap();
    let mut out = std::io::stdout();
    out.write_all(b"\x1b[?1049hMessage\r\n").unwrap();
    out.flush().unwrap();
    let mut input = std::io::stdin();
    let mut byte = [0];
    let mut typed = String::new();
    while input.read(&mut byte).is_ok_and(|count| count == 1) {
        match byte[0] {
            b'\r' => {
                thread::spawn(stream);
            }
            17 => break,
            byte => {
                match byte {
                    0x7f => drop(typed.pop()),
                    letter => typed.push(char::from(letter)),
                }
                // What is typed stands in the first row, whatever streams below.
                let line = format!("\x1b7\x1b[1;9H{typed}\x1b[K\x1b8");
                out.write_all(line.as_bytes()).unwrap();
                out.flush().unwrap();
            }
        }
    }
    terminal::disable_raw_mode().unwrap();
}

fn stream() {
    let address = std::env::var("QD_BENCH_SERVER").unwrap();
    let mut server = TcpStream::connect(address).unwrap();
    let body = "{\"messages\":[]}";
    write!(
        server,
        "POST /v1/chat/completions HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut buffer = [0; 16 * 1024];
    let mut out = std::io::stdout();
    while let Ok(count @ 1..) = server.read(&mut buffer) {
        let words = String::from_utf8_lossy(&buffer[..count]);
        for piece in words.split("\"content\":\"").skip(1) {
            let text = piece.split('"').next().unwrap_or_default();
            out.write_all(text.replace("\\n", "\r\n").as_bytes())
                .unwrap();
        }
        out.flush().unwrap();
    }
}

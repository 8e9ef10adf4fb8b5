//! The pictures of the README: drawn from named frames with the real themes, compared with the stored ones.
//! `UPDATE=1` writes them anew.

use std::{fs, io::Write, path::Path};

use quarterdeck::{
    engine::event::EventKind,
    ui::theme::{Depth, Theme},
};

use crate::support::{
    golden::Stage,
    picture::{self, Paper},
    sample,
};

fn check(name: &str, stage: &mut Stage, theme: &str, paper: &Paper) {
    stage.theme(Theme::builtin(theme, Depth::True).unwrap());
    let picture = picture::svg(&stage.buffer(), paper);
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("screenshots")
        .join(format!("{name}.svg"));
    if std::env::var_os("UPDATE").is_some() {
        let mut file = fs::File::create(&path).expect("the folder screenshots");
        file.write_all(picture.as_bytes()).unwrap();
        return;
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == picture,
        "screenshots/{name}.svg is stale; UPDATE=1 writes it anew. The frame:\n{}",
        stage.grid()
    );
}

fn at_work() -> Stage {
    let mut stage = sample::session(120, 38);
    let request = sample::approval(1);
    stage.event(sample::TESTS, EventKind::ApprovalAsked(Box::new(request)));
    stage.type_text("also log each attempt");
    stage
}

#[test]
fn the_workbench_at_work() {
    check("workbench", &mut at_work(), "default", &picture::DARK);
    check("workbench_light", &mut at_work(), "light", &picture::LIGHT);
}

#[test]
fn the_palette() {
    let mut stage = at_work();
    stage.press("ctrl+c ctrl+p");
    check("palette", &mut stage, "default", &picture::DARK);
}

//! A disk that is full in mid-game, and has room again.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::client::Ask;
use crate::load::{Load, Then};
use crate::node::{Folder, Node};
use crate::settings;
use crate::table::{Table, Web};

/// After that long a test has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A small disk, with room for several times what the journal takes before it is copied back.
struct Disk {
    folder: Folder,
}

impl Disk {
    fn mount() -> Disk {
        let folder = Folder::new();
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", "size=40m", "tmpfs"]).arg(folder.path());
        assert!(command.status().unwrap().success(), "only root may mount a disk");
        Disk { folder }
    }

    fn ballast(&self) -> PathBuf {
        self.folder.path().join("ballast")
    }

    /// Takes all the room that there is.
    fn fill(&self) {
        let mut ballast = File::create(self.ballast()).unwrap();
        while ballast.write(&[0; 4_096]).is_ok() {}
        assert!(ballast.metadata().unwrap().len() > 0, "there was no room any more");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily, so that it is gone when the last file of it is closed, whatever has failed.
        let _ = Command::new("umount").arg("--lazy").arg(self.folder.path()).status();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs root, to mount a small disk"]
async fn a_full_disk_costs_nothing_that_was_acknowledged_and_no_restart() {
    let (disk, web, mut dice) = (Disk::mount(), Web::new(), settings::dice());
    let node = Node::start(&disk.folder.store());
    let other = Table::open(&[node.address], 1).await;
    let playing = Load::new(node.address, &mut dice).await.play(&[node.address], Then::Stop);
    tokio::time::sleep(Duration::from_millis(300)).await;
    disk.fill();
    let mut load = tokio::time::timeout(PATIENCE, playing.wait()).await.expect("a full disk does not show");

    let draw = other.seats[0].post("/moves").json(&json!({"type": "draw"}));
    web.ask(node.address, &draw).await.refused(503, "store_unavailable");
    web.ask(node.address, &Ask::get("/readyz")).await.expect(503);
    let full = load.check(node.address).await;
    assert!(full.acknowledged > 0);

    fs::remove_file(disk.ballast()).unwrap();
    tokio::time::timeout(PATIENCE, load.go_on(node.address)).await.expect("it does not go on");
    web.ask(node.address, &draw).await.expect(200);
    web.get(node.address, "/readyz").await;
    let found = load.check(node.address).await;
    assert_eq!(found.open, 0, "everything was settled");
    load.ask_again(node.address).await;
    println!("full: {full:?}; with room again: {found:?}");
}

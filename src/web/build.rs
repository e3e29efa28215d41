//! Puts the files of the built-in table into the program: each as it is and compressed, under a name that changes when
//! any of them does. Browsers may keep what has such a name for ever.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

/// Where the files are, from the root of the project.
const FILES: &str = "src/web/static";

/// What the pages are called; all other files are assets.
const PAGES: [&str; 2] = ["index.html", "docs.html"];

/// Scripts that are loaded when they are needed and not before.
const LATER: [&str; 4] = ["sha2.js", "_md.js", "_u64.js", "utils.js"];

/// The length of the name, in hexadecimal digits: enough for two releases not to have the same one.
const NAME: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={FILES}");
    println!("cargo:rerun-if-changed=src/web/build.rs");
    let (root, out) = (PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?), PathBuf::from(std::env::var("OUT_DIR")?));
    let files = files_in(&root.join(FILES), Path::new(""))?;
    let mut hash = Sha256::new();
    for (name, contents) in &files {
        hash.update((name.len() as u64).to_le_bytes());
        hash.update((contents.len() as u64).to_le_bytes());
        hash.update(name);
        hash.update(contents);
    }
    let mut version = String::new();
    hash.finalize().iter().try_for_each(|byte| write!(version, "{byte:02x}"))?;
    version.truncate(NAME);

    let (pages, assets): (Vec<_>, Vec<_>) = files.into_iter().partition(|(name, _)| PAGES.contains(&name.as_str()));
    let preload: Vec<String> =
        assets.iter().filter(|(name, _)| is_preloaded(name)).map(|(name, _)| link(name)).collect();
    let mut code = format!("const VERSION: &str = {version:?};\n");
    writeln!(code, "static ASSETS: [File; {}] = [", assets.len())?;
    for (number, (name, contents)) in assets.iter().enumerate() {
        writeln!(code, "{},", embedded(&out, &number.to_string(), name, contents)?)?;
    }
    writeln!(code, "];")?;
    for (name, contents) in &pages {
        let page = String::from_utf8(contents.clone())?;
        let page = page.replace("{preload}", &preload.join("\n")).replace("{assets}", &format!("/assets/{version}"));
        let constant = name.trim_end_matches(".html").to_uppercase();
        writeln!(code, "static {constant}: File = {};", embedded(&out, name, name, page.as_bytes())?)?;
    }
    fs::write(out.join("files.rs"), code)?;
    Ok(())
}

/// All files of a folder and those in it, by their names, in order; but for those that only say which types there are.
fn files_in(folder: &Path, below: &Path) -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            files.extend(files_in(&entry.path(), &name)?);
        } else if !entry.file_name().to_string_lossy().ends_with(".d.ts") {
            files.push((name.to_string_lossy().replace('\\', "/"), fs::read(entry.path())?));
        }
    }
    files.sort();
    Ok(files)
}

/// Whether every page of the table needs it.
fn is_preloaded(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    name.ends_with(".js") && !name.starts_with("docs") && !LATER.contains(&file)
}

fn link(name: &str) -> String {
    format!("<link rel=\"modulepreload\" href=\"{{assets}}/{name}\">")
}

/// A file in the program, as an expression.
fn embedded(out: &Path, id: &str, name: &str, contents: &[u8]) -> Result<String, Box<dyn Error>> {
    let (plain, packed) = (out.join(format!("{id}.plain")), out.join(format!("{id}.gz")));
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(contents)?;
    fs::write(&plain, contents)?;
    fs::write(&packed, encoder.finish()?)?;
    Ok(format!(
        "File {{ name: {name:?}, plain: include_bytes!({:?}), gzip: include_bytes!({:?}) }}",
        plain.display().to_string(),
        packed.display().to_string()
    ))
}

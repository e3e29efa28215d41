//! The built-in table: a client of the API that runs in a browser, and the API's reference to read. The files are in
//! `static`, as they are written; `build.rs` puts them into the program.
//!
//! Architecture Invariant: nothing here knows a session, a game or a store. The pages use what any client can use.

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// A file that a browser is given.
#[derive(Debug)]
pub struct File {
    name: &'static str,
    /// As it is.
    pub plain: &'static [u8],
    /// Compressed with gzip.
    pub gzip: &'static [u8],
}

impl File {
    /// What is in it, as the value of `Content-Type`.
    pub fn media_type(&self) -> &'static str {
        match self.name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "text/plain; charset=utf-8",
        }
    }
}

/// The page of the table: the lobby, every session and every race are shown by it.
pub fn table() -> &'static File {
    &INDEX
}

/// The page of the API's reference.
pub fn reference() -> &'static File {
    &DOCS
}

/// What all files are called together: another name when any of them is another one.
pub fn version() -> &'static str {
    VERSION
}

/// A file that the pages load, if all of them are those of this version.
pub fn asset(version: &str, name: &str) -> Option<&'static File> {
    let is_ours = version == VERSION;
    ASSETS.iter().find(|file| is_ours && file.name == name)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn what_is_compressed_is_what_is_not() {
        for file in ASSETS.iter().chain([table(), reference()]) {
            let mut unpacked = Vec::new();
            GzDecoder::new(file.gzip).read_to_end(&mut unpacked).unwrap();
            assert_eq!(unpacked, file.plain, "{}", file.name);
        }
    }

    #[test]
    fn a_page_loads_only_files_that_are_there() {
        for page in [table(), reference()] {
            let text = std::str::from_utf8(page.plain).unwrap();
            let prefix = format!("/assets/{VERSION}/");
            let names: Vec<&str> = text.split(&prefix).skip(1).filter_map(|rest| rest.split('"').next()).collect();
            assert!(names.len() > 2, "{}", page.name);
            for name in names {
                assert!(asset(VERSION, name).is_some(), "{}: {name}", page.name);
            }
            let elsewhere =
                ["src=\"", "<link rel=\"icon\" href=\"", "stylesheet\" href=\""].map(|word| text.split(word).skip(1));
            let elsewhere = elsewhere.into_iter().flatten().filter(|rest| !rest.starts_with(&prefix));
            assert_eq!(elsewhere.count(), 0, "{}: something is loaded from elsewhere", page.name);
        }
    }

    #[test]
    fn files_of_another_version_are_not_there() {
        assert!(asset(VERSION, "main.js").is_some());
        assert!(asset("0000000000000000", "main.js").is_none());
    }
}

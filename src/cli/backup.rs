//! `patience backup`: copies the games of a server while it runs.

use std::path::Path;

use crate::config::StoreChoice;
use crate::store;

/// Copies a file of games.
///
/// # Errors
/// If it cannot be copied: a sentence that says why.
pub(super) fn run(choice: &StoreChoice, to: &Path) -> Result<String, String> {
    let StoreChoice::Sqlite(from) = choice else {
        return Err("only a store in a file can be copied: name it with --store sqlite:PATH or PATIENCE_STORE".into());
    };
    store::backup(from, to).map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))?;
    Ok(format!("{} is a copy of {}", to.display(), from.display()))
}

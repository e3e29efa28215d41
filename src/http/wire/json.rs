//! Objects and lists in JSON, written piece by piece: sessions are most of what the server sends, and
//! their cards and names of piles need no escaping. Values that may are left to serde.

use serde::Serialize;

/// An object in the making: `{"name":value,…}`.
pub(super) struct Object<'a> {
    out: &'a mut Vec<u8>,
    before: u8,
}

impl<'a> Object<'a> {
    pub(super) fn begin(out: &'a mut Vec<u8>) -> Object<'a> {
        Object { out, before: b'{' }
    }

    /// Begins a field, and gives what its value is to be written to. The name is a plain word.
    #[inline]
    pub(super) fn field(&mut self, name: &'static str) -> &mut Vec<u8> {
        self.out.extend_from_slice(&[std::mem::replace(&mut self.before, b','), b'"']);
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out
    }

    /// Writes a field whose value is a plain word: nothing in it needs escaping.
    #[inline]
    pub(super) fn plain(&mut self, name: &'static str, word: &str) {
        push_plain(self.field(name), word);
    }

    /// Writes a field of any value.
    ///
    /// # Errors
    /// If the value cannot be shown as JSON.
    pub(super) fn value(&mut self, name: &'static str, value: &impl Serialize) -> serde_json::Result<()> {
        serde_json::to_writer(self.field(name), value)
    }

    pub(super) fn end(self) {
        self.out.push(b'}');
    }
}

/// Writes a list.
///
/// # Errors
/// If an item cannot be written.
pub(super) fn list<T>(
    out: &mut Vec<u8>,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut Vec<u8>, T) -> serde_json::Result<()>,
) -> serde_json::Result<()> {
    out.push(b'[');
    for item in items {
        write(out, item)?;
        out.push(b',');
    }
    match out.last_mut() {
        Some(last @ b',') => *last = b']',
        _ => out.push(b']'),
    }
    Ok(())
}

/// Writes a word in which nothing needs escaping.
#[inline]
pub(super) fn push_plain(out: &mut Vec<u8>, word: &str) {
    out.push(b'"');
    out.extend_from_slice(word.as_bytes());
    out.push(b'"');
}

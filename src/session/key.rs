//! Idempotency keys: how a request that is sent again is recognised, and answered as it was.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use rpds::RedBlackTreeMapSync;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::decide::Refusal;
use super::{Credential, Secret, SecretHash, Version};

/// A key that a client has chosen for a request, and a hash of the request. To whoever knows the key it
/// proves who asks, so it is kept as a hash and never shown.
#[derive(Clone)]
pub struct IdempotencyKey {
    text: Box<str>,
    request: [u8; 16],
}

/// The text cannot be a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a key has 1 to {} visible ASCII characters", IdempotencyKey::MAX_CHARS)]
pub struct KeyError;

/// An idempotency key that was used: hashes of it and of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyUse {
    /// The hash of the key.
    pub key: [u8; 16],
    /// The hash of the request.
    pub request: [u8; 16],
}

/// Who has used a key: known by the token, or by none where nobody was known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Asker([u8; 8]);

impl Asker {
    /// Somebody who had no token when he asked.
    pub(super) const NOBODY: Asker = Asker([0; 8]);
}

impl From<&SecretHash> for Asker {
    fn from(token: &SecretHash) -> Asker {
        Asker(std::array::from_fn(|at| token.as_bytes()[at]))
    }
}

impl From<&Credential> for Asker {
    fn from(who: &Credential) -> Asker {
        match who {
            Credential::Token(token) => token.into(),
            Credential::None | Credential::Malformed => Asker::NOBODY,
        }
    }
}

/// The keys that were used, and by whom. A clone shares them with the original.
#[derive(Clone, Debug)]
pub struct Keys(RedBlackTreeMapSync<(Asker, [u8; 16]), EarlierUse>);

/// What was asked for under a key, and the version that it led to.
#[derive(Clone, Copy, Debug)]
struct EarlierUse {
    request: [u8; 16],
    version: Version,
}

impl Keys {
    pub(super) fn none() -> Keys {
        Keys(RedBlackTreeMapSync::new_sync())
    }

    pub(super) fn note(&mut self, asker: Asker, key: &KeyUse, version: Version) {
        self.0.insert_mut((asker, key.key), EarlierUse { request: key.request, version });
    }

    /// The version that somebody's use of a key has led to, if he has used that one before.
    ///
    /// # Errors
    /// If that was for another request.
    pub(super) fn earlier_use(&self, asker: Asker, key: Option<&KeyUse>) -> Result<Option<Version>, Refusal> {
        match key.and_then(|key| Some((key.request, self.0.get(&(asker, key.key))?))) {
            None => Ok(None),
            Some((request, earlier)) if request == earlier.request => Ok(Some(earlier.version)),
            Some(_) => Err(Refusal::KeyReused),
        }
    }

    /// Whether somebody with that token has used this key, for whatever. He may have left since, and ask
    /// again.
    pub fn were_used_by(&self, who: &Credential, key: &IdempotencyKey) -> bool {
        let asker = Asker::from(who);
        asker != Asker::NOBODY && self.0.contains_key(&(asker, key.usage().key))
    }
}

impl IdempotencyKey {
    /// The most characters of a key.
    pub const MAX_CHARS: usize = 64;

    /// How many characters a key must have, at least, where it stands for one who is not known yet: 22
    /// letters and digits have 128 bits.
    pub const UNGUESSABLE_CHARS: usize = 22;

    /// The key for a request, which is told from others by its parts.
    ///
    /// # Errors
    /// If the text is empty, too long, or has other than visible ASCII characters.
    pub fn new(text: &str, request: &[&[u8]]) -> Result<IdempotencyKey, KeyError> {
        let well_formed =
            (1..=IdempotencyKey::MAX_CHARS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        let request = hash("patience/request/1", request);
        well_formed.then(|| IdempotencyKey { text: text.into(), request }).ok_or(KeyError)
    }

    /// Whether nobody else can be expected to use or to guess it.
    pub fn is_unguessable(&self) -> bool {
        self.text.len() >= IdempotencyKey::UNGUESSABLE_CHARS
    }

    /// What is kept of it.
    pub fn usage(&self) -> KeyUse {
        KeyUse { key: hash("patience/key/1", &[self.text.as_bytes()]), request: self.request }
    }

    /// What the id of something follows from that is made under it, by what it is for.
    pub(super) fn bits(&self, purpose: &str) -> [u8; 16] {
        hash(purpose, &[self.text.as_bytes()])
    }

    /// A secret that can be given again to whoever has the key, and to nobody else: HMAC-SHA-256 of its
    /// purpose and a salt under the key (RFC 2104).
    pub(super) fn secret(&self, purpose: &str, salt: &[u8; 16]) -> Secret {
        // A key that is no longer than a block of the hash counts as if it were filled up with zeros.
        let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
        block.iter_mut().zip(self.text.bytes()).for_each(|(place, byte)| *place = byte);
        let mac = Hmac::<Sha256>::new(&block).chain_update(purpose).chain_update([0]).chain_update(salt);
        Secret::from_random(mac.finalize().into_bytes().into())
    }
}

/// The first half of a SHA-256 of a purpose and some parts, each of which is told from the next.
fn hash(purpose: &str, parts: &[&[u8]]) -> [u8; 16] {
    let mut hash = Sha256::new_with_prefix(purpose);
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let whole: [u8; 32] = hash.finalize().into();
    std::array::from_fn(|at| whole[at])
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdempotencyKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_1_to_64_visible_ascii_characters() {
        let longest = "k".repeat(64);
        for (text, well_formed) in [
            ("k", true),
            (&*longest, true),
            ("\"quoted\"~!", true),
            ("", false),
            (&*format!("{longest}k"), false),
            ("two words", false),
            ("tab\t", false),
            ("é", false),
        ] {
            assert_eq!(IdempotencyKey::new(text, &[]).is_ok(), well_formed, "{text:?}");
        }
    }

    #[test]
    fn requests_are_told_apart_by_their_parts_and_keys_by_their_text() {
        let usage = |text, request: &[&[u8]]| IdempotencyKey::new(text, request).unwrap().usage();
        assert_eq!(usage("key", &[b"a", b"bc"]), usage("key", &[b"a", b"bc"]));
        assert_ne!(usage("key", &[b"a", b"bc"]).request, usage("key", &[b"ab", b"c"]).request);
        assert_ne!(usage("key", &[]).key, usage("kez", &[]).key);
    }

    /// The vectors are of Python's `hmac` and `hashlib`.
    #[test]
    fn a_secret_is_the_hmac_of_its_purpose_and_a_salt_under_the_key() {
        let salt = std::array::from_fn(|at| at as u8);
        for (text, expected) in [
            ("0123456789abcdefghijkl", "47a28fa662effa9002a97fcb8d96508c0444845bff0b1b797761c9ebea0e94f9"),
            (
                "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk",
                "2d73e953fccebb2af3fddd2b1b33c6b821d85fcc7d766d2e5152f48a47f8aa26",
            ),
        ] {
            let key = IdempotencyKey::new(text, &[]).unwrap();
            assert_eq!(key.secret("token", &salt).reveal(), expected);
        }
    }
}

//! Ids and secrets: what names a session, and what proves who asks.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use uuid::Uuid;

/// The text is no id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an id is a UUID in lower case with hyphens")]
pub struct ParseIdError;

/// Ids of what lives at a URL of its own: UUIDs of version 4, with 122 unguessable bits.
macro_rules! ids {
    ($($name:ident, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(Uuid);

        impl $name {
            /// An id of random bits.
            pub fn from_random(bits: [u8; 16]) -> $name {
                $name(uuid::Builder::from_random_bytes(bits).into_uuid())
            }

            /// The id of these bytes.
            pub fn from_bytes(bytes: [u8; 16]) -> $name {
                $name(Uuid::from_bytes(bytes))
            }

            /// The bytes of the id.
            pub fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;

            /// Reads the one form in which ids are written, so that each has one URL.
            fn from_str(text: &str) -> Result<$name, ParseIdError> {
                let id = Uuid::try_parse(text).map_err(|_| ParseIdError)?;
                let mut canonical = [0; 36];
                let canonical = id.hyphenated().encode_lower(&mut canonical);
                (*canonical == *text).then_some($name(id)).ok_or(ParseIdError)
            }
        }
    )*};
}

ids! {
    SessionId, "The id of a session.";
    RaceId, "The id of a race.";
}

impl SessionId {
    /// The id of a session that is part of a race, of random bits but for the first eight, which are those
    /// of the race: so that a store that is in parts has both in one of them.
    pub fn beside(race: RaceId, mut bits: [u8; 16]) -> SessionId {
        bits[0] = race.as_bytes()[0];
        SessionId::from_random(bits)
    }
}

/// A secret that is given once, to one person: the token of a seat, or an invite. 256 random bits,
/// written as 64 lower-case hexadecimal digits.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// A secret of random bits.
    pub fn from_random(bits: [u8; 32]) -> Secret {
        Secret(hex::encode(bits))
    }

    /// The secret itself, to be given to the person whose it is and to nobody else.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is kept of it.
    pub fn hash(&self) -> SecretHash {
        SecretHash(Sha256::digest(&self.0).into())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The text has not the form of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a token is 64 lower-case hexadecimal digits")]
pub struct ParseSecretError;

impl FromStr for Secret {
    type Err = ParseSecretError;

    fn from_str(text: &str) -> Result<Secret, ParseSecretError> {
        let digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let well_formed = text.len() == 64 && text.bytes().all(digit);
        well_formed.then(|| Secret(text.into())).ok_or(ParseSecretError)
    }
}

/// The SHA-256 of a secret. Two are compared in constant time.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct SecretHash([u8; 32]);

impl SecretHash {
    pub(super) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl PartialEq for SecretHash {
    fn eq(&self, other: &SecretHash) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for SecretHash {}

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(…)")
    }
}

/// What came with a request to say who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// Nothing.
    None,
    /// Something that is no token.
    Malformed,
    /// A token, of whomever.
    Token(SecretHash),
}

impl Credential {
    /// The token, if it is one.
    pub fn token(&self) -> Option<&SecretHash> {
        match self {
            Credential::Token(token) => Some(token),
            Credential::None | Credential::Malformed => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_id_is_read_back_as_it_was_written(bits: [u8; 16]) {
            let id = SessionId::from_random(bits);
            prop_assert_eq!(id.to_string().parse(), Ok(id));
        }

        #[test]
        fn a_secret_is_known_by_its_hash(bits: [u8; 32], others: [u8; 32]) {
            let (secret, other) = (Secret::from_random(bits), Secret::from_random(others));
            let read: Secret = secret.reveal().parse().unwrap();
            prop_assert_eq!(read.hash(), secret.hash());
            prop_assert_eq!(secret.hash() == other.hash(), bits == others);
        }
    }

    #[test]
    fn an_id_has_one_spelling() {
        let id = SessionId::from_random([0xab; 16]).to_string();
        let spellings =
            [id.to_uppercase(), id.replace('-', ""), format!("{{{id}}}"), format!("urn:uuid:{id}"), String::new()];
        for text in spellings {
            assert_eq!(text.parse::<SessionId>(), Err(ParseIdError), "{text}");
        }
    }

    #[test]
    fn secrets_are_not_shown_when_they_are_debugged() {
        let secret = Secret::from_random([1; 32]);
        assert_eq!(format!("{secret:?} {:?}", secret.hash()), "Secret(…) SecretHash(…)");
    }
}

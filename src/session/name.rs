//! Names of players.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::Seat;

/// The name of a player: 1 to 32 characters, all of them visible or a space between visible ones.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PlayerName(Box<str>);

/// The text is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Empty, or nothing but spaces, or too long.
    #[error("a name has 1 to {} characters", PlayerName::MAX_CHARS)]
    Length,
    /// A control character, an invisible one, or a space that is not a plain one.
    #[error("a name has visible characters and plain spaces only")]
    Invisible,
}

impl PlayerName {
    /// The most characters (Unicode scalar values) that a name has.
    pub const MAX_CHARS: usize = 32;

    /// The name of a player who has given none.
    pub fn of_seat(seat: Seat) -> PlayerName {
        PlayerName(format!("Player {seat}").into())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<&str> for PlayerName {
    type Error = NameError;

    /// Trims the text and takes it as a name.
    fn try_from(text: &str) -> Result<PlayerName, NameError> {
        let name = text.trim();
        if !(1..=PlayerName::MAX_CHARS).contains(&name.chars().take(PlayerName::MAX_CHARS + 1).count()) {
            return Err(NameError::Length);
        }
        let before = std::iter::once(' ').chain(name.chars());
        let shows_itself = |(before, character)| is_visible(character) || colours(character, before);
        if before.zip(name.chars()).all(shows_itself) { Ok(PlayerName(name.into())) } else { Err(NameError::Invisible) }
    }
}

/// Plain spaces count: they are seen between letters. What takes up no room or could be mistaken for
/// nothing does not, so that two names that look alike are alike.
fn is_visible(character: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator, PrivateUse, SpaceSeparator, Unassigned};
    /// Letters by category that are drawn as nothing: fillers, and the blank of Braille.
    const BLANK: [char; 5] = ['\u{115F}', '\u{1160}', '\u{3164}', '\u{FFA0}', '\u{2800}'];
    // Marks that show nothing, or nothing that is seen: joiners and fillers, and what chooses between forms.
    let is_ignorable = matches!(character, '\u{34F}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{16FE4}' | '\u{E0100}'..='\u{E01EF}');
    let category = character.general_category();
    let unseen = matches!(
        category,
        Control | Format | LineSeparator | ParagraphSeparator | PrivateUse | SpaceSeparator | Unassigned
    );
    character == ' ' || !(unseen || is_ignorable || BLANK.contains(&character))
}

/// Whether a character does nothing but to have the symbol before it drawn in colours, as in ❤️. After
/// anything else it is not seen.
fn colours(character: char, before: char) -> bool {
    character == '\u{FE0F}' && before.general_category() == GeneralCategory::OtherSymbol
}

impl TryFrom<String> for PlayerName {
    type Error = NameError;

    fn try_from(text: String) -> Result<PlayerName, NameError> {
        PlayerName::try_from(text.as_str())
    }
}

impl From<PlayerName> for String {
    fn from(name: PlayerName) -> String {
        name.0.into()
    }
}

impl fmt::Debug for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_trimmed_and_may_be_of_any_script() {
        for (text, name) in [
            (" Ada ", "Ada"),
            ("Zoë 2", "Zoë 2"),
            ("李小龍", "李小龍"),
            ("🂡 ♥", "🂡 ♥"),
            ("Ada ❤\u{FE0F}", "Ada ❤\u{FE0F}"),
        ] {
            assert_eq!(PlayerName::try_from(text).unwrap().as_str(), name);
        }
        assert!(PlayerName::try_from("é".repeat(32).as_str()).is_ok());
    }

    #[test]
    fn a_name_that_is_empty_too_long_or_hides_something_is_refused() {
        for text in ["", "   ", &"a".repeat(33)] {
            assert_eq!(PlayerName::try_from(text), Err(NameError::Length), "{text:?}");
        }
        let tricks = [
            "a\nb",
            "a\0",
            "A\u{200B}da",
            "\u{202E}adA",
            "a\u{A0}b",
            "\u{3164}",
            "\u{E000}",
            "a\u{FE01}",
            "\u{2800}",
            "Ada\u{FE0F}",
            "\u{FE0F}",
            "❤\u{FE0F}\u{FE0F}",
            "a\u{180B}",
            "a\u{17B5}",
        ];
        for text in tricks {
            assert_eq!(PlayerName::try_from(text), Err(NameError::Invisible), "{text:?}");
        }
    }
}

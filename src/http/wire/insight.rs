//! What players are told of what could be done.

use crate::host::{Hint, Outlook, Prospect};
use crate::session::Session;

use super::json::Object;
use super::outgoing::{Written, write_move};

/// A move that is recommended, and why.
pub(in crate::http) fn write_hint(out: &mut Vec<u8>, session: &Session, hint: &Hint) -> Written {
    let mut object = Object::begin(out);
    write_move(object.field("move"), session.engine(), hint.chosen)?;
    object.value("why", &hint.why.sentence())?;
    object.end();
    Ok(())
}

/// Whether a session is stuck at one of its versions; null if that was too much to find out.
pub(in crate::http) fn write_prospect(out: &mut Vec<u8>, prospect: &Prospect) -> Written {
    let stuck = match prospect.outlook {
        Outlook::Stuck => Some(true),
        Outlook::Open => Some(false),
        Outlook::Unknown => None,
    };
    let mut object = Object::begin(out);
    object.value("version", &prospect.version)?;
    object.value("stuck", &stuck)?;
    object.end();
    Ok(())
}

//! Races as they are shown.

use std::sync::Arc;

use crate::session::race::{Race, RaceEntry, RaceEvent, Standing};
use crate::session::{Gathering, Opening, RaceId, Status, Ticket, Version};

use super::json::{Object, list};
use super::outgoing::{OptionsBody, Shown, Written, write_deal, write_players, write_seat, write_secrets};

/// A race and how its players stand, as it is shown to everyone.
pub(in crate::http) fn write_race(out: &mut Vec<u8>, race: &Race, standings: &[Standing]) -> Written {
    let mut object = Object::begin(out);
    write_fields(&mut object, race)?;
    write_standings(object.field("standings"), standings)?;
    object.end();
    Ok(())
}

/// What is told once, to the one who has made a race.
pub(in crate::http) fn write_race_opening(out: &mut Vec<u8>, race: &Race, opening: &Opening<RaceId>) -> Written {
    let mut object = Object::begin(out);
    write_race(object.field("race"), race, &[])?;
    write_secrets(&mut object, opening)?;
    object.end();
    Ok(())
}

/// What is told once, to the one who has joined.
pub(in crate::http) fn write_race_seated(out: &mut Vec<u8>, race: &Race, ticket: &Ticket) -> Written {
    let mut object = Object::begin(out);
    write_race(object.field("race"), race, &[])?;
    write_seat(&mut object, ticket.seat, &ticket.token)?;
    object.end();
    Ok(())
}

/// The data of the event that says how a race stands, instead of all changes from a version on.
pub(in crate::http) fn write_race_snapshot(
    out: &mut Vec<u8>,
    race: &Race,
    standings: &[Standing],
    from: Version,
) -> Written {
    let mut object = Object::begin(out);
    object.value("from", &from)?;
    object.value("to", &race.version())?;
    write_race(object.field("race"), race, standings)?;
    object.end();
    Ok(())
}

/// The data of the event that says what has happened to a race. The players' standings are events of
/// their own.
pub(in crate::http) fn write_race_change(out: &mut Vec<u8>, race: &Race, entry: &RaceEntry) -> Written {
    let mut object = Object::begin(out);
    write_entry(object.field("entry"), race.version(), entry)?;
    let mut shown = Object::begin(object.field("race"));
    write_fields(&mut shown, race)?;
    shown.end();
    object.end();
    Ok(())
}

/// The data of the event that says how the players stand.
pub(in crate::http) fn write_standings_event(out: &mut Vec<u8>, standings: &[Standing]) -> Written {
    let mut object = Object::begin(out);
    write_standings(object.field("standings"), standings)?;
    object.end();
    Ok(())
}

/// A page of the races that everyone may be told of.
pub(in crate::http) fn write_races(out: &mut Vec<u8>, races: &[Arc<Race>], next: Option<&str>) -> Written {
    let mut object = Object::begin(out);
    list(object.field("items"), races, |out, race| {
        let mut object = Object::begin(out);
        write_fields(&mut object, race)?;
        object.end();
        Ok(())
    })?;
    object.value("next", &next)?;
    object.end();
    Ok(())
}

fn write_fields(object: &mut Object<'_>, race: &Race) -> Written {
    let created = race.created();
    object.value("id", &Shown(race.id()))?;
    object.value("version", &race.version())?;
    object.plain("status", race.status().as_str());
    object.plain("game", race.game().id);
    object.value("options", &OptionsBody(&created.options))?;
    object.value("seats", &created.seats)?;
    object.value("limit_s", &created.limit.as_secs())?;
    object.plain("visibility", created.visibility.as_str());
    write_players(object.field("players"), race)?;
    write_deal(object.field("deal"), race.deal().source(), race.commitment(), race.revealed_deal())?;
    object.value("created_at", &Shown(race.created_at()))?;
    object.value("starts_at", &race.starts_at().map(Shown))?;
    object.value("ends_at", &race.ends_at().map(Shown))?;
    object.value("expires_at", &Shown(race.expires_at()))?;
    Ok(())
}

fn write_entry(out: &mut Vec<u8>, version: Version, entry: &RaceEntry) -> Written {
    let (name, seat) = match &entry.event {
        RaceEvent::Created(_) => ("created", entry.seat),
        RaceEvent::Joined(_) => ("joined", entry.seat),
        RaceEvent::Left(seat) => ("left", Some(*seat)),
        RaceEvent::Started(_) => ("started", entry.seat),
        RaceEvent::Finished(finish) => ("finished", Some(finish.seat)),
        RaceEvent::Over => ("over", entry.seat),
    };
    let mut object = Object::begin(out);
    object.value("version", &version)?;
    object.plain("type", name);
    object.value("seat", &seat)?;
    object.value("at", &Shown(entry.at))?;
    match &entry.event {
        RaceEvent::Joined(joined) => object.value("name", &joined.player.name.as_str())?,
        RaceEvent::Finished(finish) => {
            object.plain("status", Status::from(finish.status).as_str());
            object.value("placed", &finish.placed)?;
            object.value("moves", &finish.moves)?;
        }
        _ => {}
    }
    object.end();
    Ok(())
}

fn write_standings(out: &mut Vec<u8>, standings: &[Standing]) -> Written {
    list(out, standings, |out, standing| {
        let mut object = Object::begin(out);
        object.value("rank", &standing.rank)?;
        object.value("seat", &standing.seat)?;
        object.value("name", &standing.name.as_str())?;
        object.value("session", &Shown(standing.session))?;
        object.plain("status", standing.status.as_str());
        object.value("placed", &standing.placed)?;
        object.value("moves", &standing.moves)?;
        object.value("finished_at", &standing.finished_at.map(Shown))?;
        object.end();
        Ok(())
    })
}

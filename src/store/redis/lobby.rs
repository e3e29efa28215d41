//! The lobby: what everyone may be told of, of all partitions together, youngest first.

use std::cmp::Reverse;

use futures_util::future::try_join_all;
use redis::cmd;

use crate::store::{Kind, LOOKED_THROUGH, Listing, Place, StoreError, Wanted};

use super::keys::{Keys, Notice};
use super::link::Link;

/// How many of a partition are looked at in one go.
const OF_ONE: usize = 8;

/// What a partition has to offer from a place on, youngest first.
struct Offer {
    notices: Vec<Notice>,
    /// Whether there may be more than these.
    is_cut: bool,
}

/// Some of what is looked for; see [`SessionStore::list`](crate::store::SessionStore::list).
pub(super) async fn list(
    link: &Link,
    keys: &Keys,
    wanted: &Wanted,
    before: Option<Place>,
    limit: usize,
) -> Result<Listing, StoreError> {
    let (mut found, mut next, mut looked_through) = (Vec::new(), before, 0);
    loop {
        let offers = try_join_all((0..=u8::MAX).map(|partition| offer(link, keys, partition, wanted.kind, next)));
        let offers = offers.await?;
        let (notices, is_all) = merge(offers);
        for notice in &notices {
            if found.len() == limit {
                return Ok(Listing { found, next });
            }
            next = Some(notice.place);
            if wanted.includes(&notice.game, &notice.status, notice.free_seats) {
                found.push(notice.place.id);
            }
        }
        looked_through += notices.len();
        if is_all {
            return Ok(Listing { found, next: None });
        }
        if found.len() == limit || looked_through >= LOOKED_THROUGH {
            return Ok(Listing { found, next });
        }
    }
}

/// What a partition has before a place.
async fn offer(
    link: &Link,
    keys: &Keys,
    partition: u8,
    kind: Kind,
    before: Option<Place>,
) -> Result<Offer, StoreError> {
    let mut offset = 0;
    loop {
        let youngest = before.map_or("+inf".to_string(), |place| place.begun_at.as_millis().to_string());
        let mut ask = cmd("ZRANGE");
        ask.arg(keys.lobby(partition, kind)).arg(youngest).arg("-inf").arg("BYSCORE").arg("REV");
        ask.arg("LIMIT").arg(offset).arg(OF_ONE).arg("WITHSCORES");
        let members: Vec<(String, u64)> = link.ask(&ask).await?;
        let is_cut = members.len() == OF_ONE;
        let notices = members.iter().filter_map(|(member, age)| Notice::parse(kind, member, *age));
        // Of the same age, some were told of already.
        let notices: Vec<Notice> = notices.filter(|notice| before.is_none_or(|before| notice.place < before)).collect();
        if notices.is_empty() && is_cut {
            offset += OF_ONE;
            continue;
        }
        return Ok(Offer { notices, is_cut });
    }
}

/// What all partitions offer, in order, as far as no partition can have something in between; and whether
/// that is all there is.
fn merge(offers: Vec<Offer>) -> (Vec<Notice>, bool) {
    // Beyond the last that a partition has told, it may have more.
    let cut = offers.iter().filter(|offer| offer.is_cut);
    let horizon = cut.filter_map(|offer| offer.notices.last()).map(|notice| notice.place).max();
    let mut notices: Vec<Notice> = offers.into_iter().flat_map(|offer| offer.notices).collect();
    notices.retain(|notice| horizon.is_none_or(|horizon| notice.place >= horizon));
    notices.sort_unstable_by_key(|notice| Reverse(notice.place));
    (notices, horizon.is_none())
}

//! Lines that win, made shorter.

use super::ground::{Ground, STOCK, WASTE};
use super::position::{Position, Step};

/// A line that wins as the one given does, in fewer moves where that is easily found.
pub(super) fn shortened(ground: &Ground<'_>, start: &Position, mut line: Vec<Step>) -> Vec<Step> {
    let mut position = start.clone();
    let mut at = 0;
    while at < line.len() {
        match shorter(ground, &position, &line[at..]) {
            Some(rest) => {
                line.truncate(at);
                line.extend(rest);
            }
            None => {
                position.play(ground, line[at]);
                at += 1;
            }
        }
    }
    line
}

/// The line without its first step, where the cards of that move on later: they go the whole way at once, then or now.
fn shorter(ground: &Ground<'_>, position: &Position, line: &[Step]) -> Option<Vec<Step>> {
    let (&first, rest) = line.split_first()?;
    if first == Step::REDEAL || first.places(ground) {
        return None;
    }
    let later = rest.iter().position(|step| step.from == first.to && step.count == first.count)?;
    let whole = Step { from: first.from, ..rest[later] };
    let (between, behind) = (&rest[..later], &rest[later + 1..]);
    if whole.from == whole.to {
        return Some([between, behind].concat()).filter(|line| wins(ground, position, line));
    }
    // The stock gives directly only what would be drawn and go on at once.
    if first.from == STOCK && (first.to != WASTE || later > 0) {
        return None;
    }
    let lines = [[between, &[whole], behind].concat(), [&[whole], between, behind].concat()];
    lines.into_iter().find(|line| wins(ground, position, line))
}

/// Whether a line is legal and wins.
fn wins(ground: &Ground<'_>, start: &Position, line: &[Step]) -> bool {
    let mut position = start.clone();
    let is_legal = line.iter().all(|&step| {
        let is_legal = position.allows(ground, step);
        if is_legal {
            position.play(ground, step);
        }
        is_legal
    });
    is_legal && position.is_won(ground)
}

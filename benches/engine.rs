//! How fast the engine plays: all legal moves are listed, one is picked and made; and whole deals of a game in
//! which there is nothing to choose.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use patience::games::{self, CATALOGUE};

use support::play::{RandomPlay, dealt};

/// After how many moves a new game is dealt, if the old one has not ended before.
const MOVES: usize = 300;

fn moves(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("moves");
    group.throughput(Throughput::Elements(1));
    for game in CATALOGUE {
        let mut play = RandomPlay::new(game, 0);
        let (mut deals, mut moves) = (0, 0);
        group.bench_function(BenchmarkId::from_parameter(game.id), |bencher| {
            bencher.iter(|| {
                moves += 1;
                let played = play.play();
                if played.is_none() || moves == MOVES {
                    (deals, moves) = (deals + 1, 0);
                    play.deal(deals);
                }
                played
            });
        });
    }
    group.finish();
}

/// The game that the deal alone decides, and more moves than it ever takes.
const FORCED: (&str, usize) = ("captive-queens", 10_000);

fn forced_deals(criterion: &mut Criterion) {
    let (game, most) = FORCED;
    let game = games::find(game).expect("it is in the catalogue");
    let engine = game.engine(&game.default_options());
    let mut deal = 0;
    let mut group = criterion.benchmark_group("forced_deals");
    group.throughput(Throughput::Elements(1));
    group.bench_function(game.id, |bencher| {
        bencher.iter(|| {
            deal += 1;
            let mut table = dealt(&engine, deal);
            engine.play_forced(&mut table, most).expect("the table is one of this game");
            engine.outcome(table.view())
        });
    });
    group.finish();
}

criterion_group!(benches, moves, forced_deals);
criterion_main!(benches);

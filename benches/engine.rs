//! How fast the engine plays: all legal moves are listed, one is picked and made.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use patience::games::CATALOGUE;

use support::play::RandomPlay;

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

criterion_group!(benches, moves);
criterion_main!(benches);

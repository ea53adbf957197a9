//! A simulated world in which agents work. Files change on their own, shells keep their folder, harnesses cut results in unknown
//! words, and answers come in any order. The world knows the current lines of each machine: so it can tell whether an agent
//! still sees them.

mod changes;
mod harness;
mod machine;
mod steps;

use std::collections::HashSet;

use densify::content::Content;
use densify::options::{FlushPolicy, OptimizeSettings, Preset, Prices};

use crate::histories::times;
use crate::results::{switched, with};
use crate::session::Session;
use harness::lines_of;
use steps::{Step, World};

/// Turns of `make test`; `DENSIFY_RUNS=20` makes a million of them.
const TURNS: u64 = 50_000;
/// Turns of one world.
const LIFE: u64 = 25;

/// A small generator of pseudo-random numbers (xorshift).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % sides as u64).unwrap()
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())]
    }

    pub fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }
}

/// How the agents' histories are edited: at once, or by flushes, which are cheap so that many are made.
fn settings(preset: Preset, waits: bool) -> OptimizeSettings {
    let flush = if waits { FlushPolicy::WhenItPays } else { FlushPolicy::Always };
    let settings = OptimizeSettings {
        flush: Some(flush),
        prices: Some(Prices { cached: 1.0, uncached: 1.25 }),
        workspace_root: Some("/w".to_owned()),
        ..with(preset)
    };
    // Results that go for their age are another matter.
    switched(settings, |rules| rules.old_results = Some(false))
}

/// What is lost after some steps, and after which of them.
fn lost(steps: &[Step], (preset, waits): (Preset, bool)) -> Option<(usize, String)> {
    let settings = settings(preset, waits);
    let mut world = World::default();
    let mut session = Session::new(&settings);
    for (turn, step) in steps.iter().enumerate() {
        let from = world.history.len();
        world.take(step);
        session.push(&world.history[from..]);
        session.run(false);
        let output = session.output();
        let left: HashSet<&str> = output.iter().flat_map(lines_of).collect();
        let missing = match preset {
            // Stronger than what is current: each line that was ever shown is still there.
            Preset::Lossless => {
                world.history.iter().flat_map(lines_of).find(|line| !left.contains(line)).map(str::to_owned)
            }
            _ => world.quotable().find(|line| !left.contains(line.as_str())).cloned(),
        };
        if let Some(line) = missing {
            return Some((turn, line));
        }
    }
    None
}

/// The fewest steps that still lose something, found by leaving out one after the other.
fn smallest(mut steps: Vec<Step>, how: (Preset, bool)) -> Vec<Step> {
    let mut at = 0;
    while at < steps.len() {
        let mut fewer = steps.clone();
        fewer.remove(at);
        if lost(&fewer, how).is_some() { (steps, at) = (fewer, 0) } else { at += 1 }
    }
    steps
}

fn live(preset: Preset, turns: u64) {
    let first = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok());
    let first: u64 = first.unwrap_or_else(|| {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() << 24
    });
    for seed in first..first + turns * u64::from(times()) / LIFE {
        let mut dice = Dice::new(seed);
        let steps: Vec<Step> = (0..LIFE).map(|_| Step::random(&mut dice)).collect();
        let how = (preset, seed % 2 == 0);
        if lost(&steps, how).is_none() {
            continue;
        }
        let steps = smallest(steps, how);
        let mut world = World::default();
        for step in &steps {
            world.take(step);
        }
        let (turn, line) = lost(&steps, how).unwrap();
        let history: Vec<String> =
            world.history.iter().map(|content: &Content| serde_json::to_string(content).unwrap()).collect();
        panic!("seed {seed}, {how:?}: lost {line:?} in turn {turn} of\n{}", history.join("\n"));
    }
}

#[test]
fn lossless_keeps_every_line_that_an_agent_was_shown() {
    live(Preset::Lossless, TURNS);
}

#[test]
fn balanced_keeps_the_current_lines_that_an_agent_may_quote() {
    live(Preset::Balanced, TURNS / 2);
}

/// A budget of next to nothing: nearly all goes, but what a host's stub means is there again.
#[test]
fn what_a_stub_means_is_there_however_much_was_cut() {
    let mut stubs = 0;
    for seed in 0..u64::from(times()) * 600 {
        let mut dice = Dice::new(seed);
        let settings = OptimizeSettings {
            flush: Some(FlushPolicy::Always),
            workspace_root: Some("/w".to_owned()),
            budget: Some(400.0),
            ..with(Preset::Balanced)
        };
        let (mut world, mut session) = (World::default(), Session::new(&settings));
        for _ in 0..LIFE {
            let from = world.history.len();
            world.take(&Step::random(&mut dice));
            session.push(&world.history[from..]);
            session.run(false);
            let output = session.output();
            let left: HashSet<&str> = output.iter().flat_map(lines_of).collect();
            stubs += usize::from(!world.meant.is_empty());
            let lost = world.meant.iter().find(|line| !left.contains(line.as_str()));
            assert_eq!(lost, None, "seed {seed}");
        }
    }
    assert!(stubs > 100, "{stubs}");
}

/// A world in which nothing happens would prove nothing.
#[test]
fn worlds_have_results_that_are_superseded_and_some_that_are_not() {
    let mut counts = [0_u32; densify::edit::RULES];
    let mut notes = 0;
    for seed in 1..600 {
        let mut dice = Dice::new(seed);
        let mut world = World::default();
        for _ in 0..LIFE {
            world.take(&Step::random(&mut dice));
        }
        let run =
            |waits| densify::optimize_contents(&world.history, &settings(Preset::Balanced, waits)).unwrap();
        counts.iter_mut().zip(run(false).1.counts).for_each(|(count, more)| *count += more);
        notes += serde_json::to_string(&run(true).0).unwrap().matches("… unchanged since").count();
    }
    assert!(notes > 5, "{notes}");
    for rule in [
        densify::edit::RuleName::Superseded,
        densify::edit::RuleName::Repeats,
        densify::edit::RuleName::WriteArguments,
    ] {
        assert!(counts[rule as usize] > 100, "{rule:?}: {counts:?}");
    }
}

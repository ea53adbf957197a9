//! A budget in tokens: it is kept, what is cut stays cut, and what goes is a matter of what is left.

use densify::content::Content;
use densify::edit::RuleName;
use densify::options::{FlushPolicy, OptimizeSettings, Preset};
use proptest::prelude::*;

use crate::histories::cases;
use crate::presets::{steps, work};
use crate::results::{lines, read, shell, with};
use crate::session::Session;

fn session(budget: f64) -> Session {
    Session::new(&OptimizeSettings {
        budget: Some(budget),
        flush: Some(FlushPolicy::Always),
        ..with(Preset::Lossless)
    })
}

/// A file or the output of a command, which no other turn shows.
fn turn(number: usize) -> Vec<Content> {
    let text = lines(&format!("t{number}"), 0..60);
    if number.is_multiple_of(2) {
        read(&number.to_string(), &format!("/{number}.rs"), &text)
    } else {
        shell(&number.to_string(), "make", &text)
    }
}

#[test]
fn a_budget_is_kept_and_what_is_cut_stays_cut() {
    let mut session = session(6_000.0);
    let mut before = 0;
    for number in 0..60 {
        session.push(&turn(number));
        session.run(false);
        let (_, now) = session.tokens();
        assert!(now <= 6_000, "turn {number}: {now} tokens");
        let cut = session.log.iter().filter(|logged| logged.rule == RuleName::OldResults).count();
        assert!(cut >= before);
        before = cut;
    }
    assert!(before > 0);
}

#[test]
fn once_it_is_passed_there_is_room_again_and_below_it_the_preset_alone_decides() {
    let mut session = session(20_000.0);
    let mut cuts = Vec::new();
    for number in 0..120 {
        session.push(&turn(number));
        let (_, grown) = session.tokens();
        let run = session.run(false);
        assert!(run.edits.iter().all(|logged| logged.rule == RuleName::OldResults));
        assert_eq!(grown > 20_000, !run.edits.is_empty(), "turn {number}: {grown} tokens");
        if grown > 20_000 {
            cuts.push(number);
        }
    }
    assert!(cuts.len() > 5);
    assert!(cuts.windows(2).all(|pair| pair[1] - pair[0] >= 3), "{cuts:?}");
}

#[test]
fn a_history_that_is_handed_in_once_keeps_as_much_as_the_budget_has() {
    let history: Vec<Content> = (0..60).flat_map(turn).collect();
    let mut session = session(20_000.0);
    session.push(&history);
    session.run(false);
    let (_, now) = session.tokens();
    assert!(now <= 20_000 && now > 18_000, "{now} tokens");
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn an_instance_made_anew_goes_on_in_the_same_way(
        steps in steps(),
        budget in 0..20_000_u32,
        moment in any::<prop::sample::Index>(),
    ) {
        let parts = work(&steps);
        let mut one = session(f64::from(budget));
        let mut other = session(f64::from(budget));
        let moment = moment.index(parts.len() + 1);
        for (at, part) in parts.iter().enumerate() {
            if at == moment {
                other = other.reborn();
            }
            for session in [&mut one, &mut other] {
                session.push(part);
                session.run(false);
            }
        }
        prop_assert_eq!(one.output(), other.output());
    }
}

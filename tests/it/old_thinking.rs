//! What the model thought long ago.

use densify::content::{Content, Speaker};
use densify::edit::RuleName;
use densify::options::{FlushPolicy, OptimizeSettings, Preset};
use densify::view::Capabilities;
use serde_json::json;

use crate::results::{lines, shell, switched, with};
use crate::session::Session;

fn thinking(number: usize) -> serde_json::Value {
    json!({"type": "thinking", "thought": format!("What does number {number} say?")})
}

/// A call with a thought before it, and its short answer, which no rule cuts.
fn step(number: usize) -> Vec<Content> {
    let mut both = shell(&number.to_string(), &format!("echo {number}"), &format!("{number} it is"));
    both[0].blocks.insert(0, serde_json::from_value(thinking(number)).unwrap());
    both
}

fn human() -> Content {
    serde_json::from_value(json!({"speaker": "human", "blocks": [{"type": "text", "text": "Go on."}]}))
        .unwrap()
}

fn always(settings: OptimizeSettings) -> OptimizeSettings {
    OptimizeSettings { flush: Some(FlushPolicy::Always), ..settings }
}

/// The numbers of the thoughts that are left.
fn left(contents: &[Content]) -> Vec<usize> {
    let said = serde_json::to_string(contents).unwrap();
    let thoughts = said.split("What does number ").skip(1);
    thoughts.map(|thought| thought.split(' ').next().unwrap().parse().unwrap()).collect()
}

/// What is left after each of so many steps.
fn after_each(settings: &OptimizeSettings, demands: Capabilities, steps: usize) -> Vec<Vec<usize>> {
    let mut session = Session::with(settings, demands);
    session.push(&[human()]);
    (0..steps)
        .map(|number| {
            session.push(&step(number));
            session.run(false);
            left(&session.output())
        })
        .collect()
}

#[test]
fn thinking_goes_in_steps_of_sixteen_results_four_of_which_came_after_it() {
    for preset in [Preset::Balanced, Preset::Aggressive] {
        let all = after_each(&always(with(preset)), Capabilities::default(), 60);
        for (number, left) in all.into_iter().enumerate() {
            // The newest result isn't answered yet.
            let gone = |thought: &usize| (thought + 4).next_multiple_of(16) <= number;
            let expected: Vec<usize> = (0..=number).filter(|thought| !gone(thought)).collect();
            assert_eq!(left, expected, "after {number}");
        }
    }
}

#[test]
fn in_a_chat_without_tools_the_users_words_tell_its_age() {
    let thought = json!({"speaker": "ai", "blocks": [thinking(0), {"type": "text", "text": "So it is."}]});
    let turn = |number: usize| -> [Content; 2] {
        let mut answer: Content = serde_json::from_value(thought.clone()).unwrap();
        answer.blocks[0] = serde_json::from_value(thinking(number)).unwrap();
        [human(), answer]
    };
    let mut session = Session::new(&always(with(Preset::Balanced)));
    let budget = OptimizeSettings { budget: Some(1.0), ..with(Preset::Lossless) };
    let mut pressed = Session::new(&budget);
    for number in 0..40 {
        session.push(&turn(number));
        pressed.push(&turn(number));
        session.run(false);
        let gone = |thought: &usize| (thought + 1 + 4).next_multiple_of(16) <= number + 1;
        let expected: Vec<usize> = (0..=number).filter(|thought| !gone(thought)).collect();
        assert_eq!(left(&session.output()), expected, "after {number}");
    }
    pressed.run(false);
    assert_eq!(left(&pressed.output()), (36..40).collect::<Vec<_>>());
}

#[test]
fn calls_and_words_stay_and_an_entry_of_nothing_else_goes() {
    let alone = json!({"speaker": "ai", "blocks": [thinking(100), {"type": "text", "text": " \n"}]});
    let mut history = vec![human(), serde_json::from_value(alone).unwrap()];
    history.extend((0..40).flat_map(step));
    let mut session = Session::new(&with(Preset::Balanced));
    session.push(&history);
    let run = session.run(false);
    let output = session.output();
    assert_eq!(output.len(), history.len() - 1);
    assert!(output.iter().all(|content| !content.blocks.is_empty()));
    assert_eq!(output.iter().filter(|content| content.speaker == Speaker::Tool).count(), 40);
    assert_eq!(left(&output), (29..40).collect::<Vec<_>>());
    assert!(run.edits.iter().all(|logged| logged.rule == RuleName::OldThinking));
}

#[test]
fn no_call_comes_to_open_a_history_where_it_must_follow_others() {
    let alone = json!({"speaker": "ai", "blocks": [thinking(100)]});
    let mut history: Vec<Content> = vec![serde_json::from_value(alone).unwrap()];
    history.extend((0..40).flat_map(step));
    let follow = Capabilities { calls_follow_others: true, ..Capabilities::default() };
    for (demands, first) in [(follow, [100]), (Capabilities::default(), [29])] {
        let mut session = Session::with(&always(with(Preset::Balanced)), demands);
        session.push(&history);
        session.run(false);
        assert_eq!(left(&session.output())[..1], first, "{demands:?}");
    }
}

#[test]
fn it_stays_where_the_preset_or_the_option_says_so() {
    let off = switched(with(Preset::Aggressive), |rules| rules.old_thinking = Some(false));
    for settings in [with(Preset::Seed), with(Preset::Lossless), off] {
        let all = after_each(&always(settings), Capabilities::default(), 40);
        assert_eq!(all.last().unwrap().len(), 40);
    }
}

#[test]
fn a_budget_takes_it_first() {
    let budget = |old_thinking| OptimizeSettings {
        budget: Some(1.0),
        ..switched(with(Preset::Lossless), |rules| rules.old_thinking = old_thinking)
    };
    let result = shell("long", "make", &lines("made", 0..60));
    let history = [vec![human()], result, (0..20).flat_map(step).collect()].concat();
    let [taken, kept] = [None, Some(false)].map(|old_thinking| {
        let mut session = Session::new(&budget(old_thinking));
        session.push(&history);
        let first = session.run(false).edits[0].rule;
        (first, left(&session.output()).len())
    });
    assert_eq!(taken, (RuleName::OldThinking, 4));
    assert_eq!(kept, (RuleName::OldResults, 20));
}

#[test]
fn what_the_provider_binds_stays() {
    for demands in [
        Capabilities { thinking_bound_to_prefix: true, ..Capabilities::default() },
        Capabilities { thinking_keeps_successors: true, ..Capabilities::default() },
        Capabilities { keeps_thinking: true, ..Capabilities::default() },
    ] {
        let all = after_each(&always(with(Preset::Balanced)), demands, 40);
        assert_eq!(all.last().unwrap().len(), 40, "{demands:?}");
    }
}

#[test]
fn what_the_provider_wants_back_goes_once_the_user_has_spoken_again() {
    let demands = Capabilities { open_loop_keeps_thinking: true, ..Capabilities::default() };
    let mut session = Session::with(&always(with(Preset::Balanced)), demands);
    session.push(&[human()]);
    for number in 0..40 {
        session.push(&step(number));
        session.run(false);
    }
    assert_eq!(left(&session.output()).len(), 40);
    session.push(&[human()]);
    session.run(false);
    assert_eq!(left(&session.output()), (29..40).collect::<Vec<_>>());
}

#[test]
fn thinking_without_text_is_left_alone() {
    let mut history = vec![human()];
    for number in 0..40 {
        let mut both = shell(&number.to_string(), &format!("echo {number}"), &format!("{number} it is"));
        both[0].blocks.insert(0, serde_json::from_value(json!({"type": "thinking", "thought": ""})).unwrap());
        history.extend(both);
    }
    assert_eq!(crate::results::optimized(&history, &always(with(Preset::Aggressive))), history);
}

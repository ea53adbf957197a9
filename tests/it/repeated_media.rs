//! Images and files that come again.

use densify::content::{Block, Content, KnownBlock};
use densify::edit::{Edit, RuleName};
use densify::optimize_contents;
use densify::options::{FlushPolicy, OptimizeSettings, Preset};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::histories::cases;
use crate::results::{exchange, switched, with};
use crate::session::Session;

fn media(data: &str) -> Value {
    json!({"type": "media", "mimeType": "image/png", "data": data, "encoding": "base64"})
}

/// What the user says beside something.
fn shown(block: &Value) -> Content {
    serde_json::from_value(json!({"speaker": "human", "blocks": [{"type": "text", "text": "See."}, block]}))
        .unwrap()
}

/// A call whose result holds something.
fn given(id: &str, block: &Value) -> Vec<Content> {
    let mut both = exchange(id, "screenshot", json!({}), json!("done"));
    both[1].blocks.push(serde_json::from_value(block.clone()).unwrap());
    both
}

fn answer() -> Content {
    serde_json::from_value(json!({"speaker": "ai", "blocks": [{"type": "text", "text": "Yes."}]})).unwrap()
}

/// What stands in an entry beside its words: a text of ours, or what media hold.
fn beside(content: &Content) -> &str {
    match &content.blocks[1] {
        Block::Known(KnownBlock::Text { text, .. }) => text,
        Block::Known(KnownBlock::Media { data, .. }) => data.as_str().unwrap(),
        other => panic!("{other:?}"),
    }
}

fn optimized(history: &[Content], settings: &OptimizeSettings) -> Vec<Content> {
    optimize_contents(history, settings).unwrap().0
}

const IMAGE: &str = "[… the same image: again later]";

#[test]
fn what_a_tool_gives_again_is_a_short_text_where_it_came_before() {
    let [one, other] = [media(&"A".repeat(800)), media(&"B".repeat(800))];
    let history = [given("1", &one), given("2", &other), given("3", &one), given("4", &one)].concat();
    for preset in [Preset::Lossless, Preset::Balanced, Preset::Aggressive] {
        let output = optimized(&history, &with(preset));
        assert_eq!(beside(&output[5]), IMAGE);
        // Another image stands between the first one and its copy: "again later" might mean that.
        let is_first_cut = preset != Preset::Lossless;
        assert_eq!(beside(&output[1]) == IMAGE, is_first_cut, "{preset:?}");
        assert_eq!([&output[3], &output[7]], [&history[3], &history[7]]);
    }
    for off in
        [with(Preset::Seed), switched(with(Preset::Lossless), |rules| rules.repeated_media = Some(false))]
    {
        assert_eq!(optimized(&history, &off), history);
    }
}

#[test]
fn what_the_user_shows_gives_way_only_to_what_the_user_shows_again() {
    let image = media(&"A".repeat(800));
    let to_a_tool = [vec![shown(&image), answer()], given("1", &image)].concat();
    assert_eq!(optimized(&to_a_tool, &with(Preset::Balanced)), to_a_tool);
    let again = [to_a_tool, vec![shown(&image)]].concat();
    let output = optimized(&again, &with(Preset::Balanced));
    assert_eq!([beside(&output[0]), beside(&output[3])], [IMAGE; 2]);
    assert_eq!(output[4], again[4]);
    let Block::Known(KnownBlock::Text { text, .. }) = &output[0].blocks[0] else { panic!("no words") };
    assert_eq!(text, "See.");
}

#[test]
fn a_file_is_called_one_and_a_place_is_the_same_as_long_as_its_name_is() {
    let file =
        |url: &str| json!({"type": "media", "mimeType": "application/pdf", "data": url, "encoding": "url"});
    let [one, other] = [file("https://a.example/1.pdf"), file("https://a.example/2.pdf")];
    let history = [given("1", &one), given("2", &other), given("3", &one)].concat();
    let output = optimized(&history, &with(Preset::Balanced));
    assert_eq!(beside(&output[1]), "[… the same file: again later]");
    assert_eq!(output[3..], history[3..]);
}

#[test]
fn media_are_the_same_only_if_all_that_is_said_of_them_is() {
    let page = |context: &str| {
        let mut page = media(&"A".repeat(800));
        page["context"] = json!(context);
        page
    };
    for preset in [Preset::Lossless, Preset::Balanced] {
        let history = [given("1", &page("signed")), given("2", &page("blank"))].concat();
        assert_eq!(optimized(&history, &with(preset)), history);
        let again = [given("1", &page("signed")), given("2", &page("signed"))].concat();
        assert_eq!(beside(&optimized(&again, &with(preset))[1]), IMAGE);
    }
}

#[test]
fn what_costs_no_more_than_a_pointer_and_what_has_no_data_stay() {
    let tiny = json!({"type": "media", "mimeType": "text/plain", "data": "QUFBQQ==", "encoding": "base64"});
    let none = json!({"type": "media", "mimeType": "image/png"});
    for block in [tiny, none] {
        let history = [given("1", &block), given("2", &block)].concat();
        assert_eq!(optimized(&history, &with(Preset::Balanced)), history);
    }
}

#[test]
fn the_edit_says_which_rule_and_which_message_it_rests_on() {
    let image = media(&"A".repeat(800));
    let mut session = Session::new(&with(Preset::Lossless));
    session.push(&[given("1", &image), given("2", &image)].concat());
    let run = session.run(false);
    let [logged] = run.edits[..] else { panic!("{:?}", run.edits) };
    assert_eq!((logged.rule, logged.cause), (RuleName::RepeatedMedia, 3));
    assert!(matches!(logged.edit, Edit::SetText { unit: 1, block: 1, .. }));
    assert_eq!(run.counts[RuleName::RepeatedMedia as usize], 1);
    let (before, after) = session.tokens();
    assert!(after + 60 < before, "{before} tokens became {after}");
    // After a trap the same edit is made again, and nothing else follows from it.
    let mut reborn = session.reborn();
    assert_eq!(reborn.run(false).edits, []);
    assert_eq!(reborn.output(), session.output());
    assert_eq!(reborn.tokens().1, after);
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    Shown(u8),
    Given(u8),
    Said,
}

fn entries() -> impl Strategy<Value = Vec<Entry>> {
    let entry =
        prop_oneof![(0_u8..3).prop_map(Entry::Shown), (0_u8..3).prop_map(Entry::Given), Just(Entry::Said),];
    prop::collection::vec(entry, 0..24)
}

proptest! {
    #![proptest_config(cases(400))]

    /// The rule in one sentence: media are replaced if the same come later, from the user, or from a tool after a tool; in
    /// `lossless` only if no others stand in between.
    #[test]
    fn turn_by_turn_and_at_once_the_newest_of_each_stay(entries in entries(), is_strict in any::<bool>()) {
        let settings = with(if is_strict { Preset::Lossless } else { Preset::Balanced });
        let data = |of: u8| char::from(b'A' + of).to_string().repeat(800);
        let history = entries.iter().enumerate().flat_map(|(at, entry)| match *entry {
            Entry::Shown(of) => vec![shown(&media(&data(of)))],
            Entry::Given(of) => given(&at.to_string(), &media(&data(of))),
            Entry::Said => vec![answer()],
        });
        let history: Vec<Content> = history.collect();
        let mut places = 0_usize;
        let mut expected = history.clone();
        for (at, entry) in entries.iter().enumerate() {
            let again = entries[at + 1..].iter().position(|later| match (*entry, *later) {
                (Entry::Shown(one) | Entry::Given(one), Entry::Shown(other))
                | (Entry::Given(one), Entry::Given(other)) => one == other,
                _ => false,
            });
            let is_other = |between: &Entry| match (*entry, *between) {
                (Entry::Shown(one) | Entry::Given(one), Entry::Shown(other) | Entry::Given(other)) => one != other,
                _ => false,
            };
            let is_again = again.is_some_and(|again| !is_strict || !entries[at + 1..at + 1 + again].iter().any(is_other));
            places += usize::from(matches!(entry, Entry::Given(_)));
            if is_again {
                expected[at + places].blocks[1] = serde_json::from_value(json!({"type": "text", "text": IMAGE})).unwrap();
            }
        }
        let settings = OptimizeSettings { flush: Some(FlushPolicy::Always), ..settings };
        prop_assert_eq!(optimized(&history, &settings), expected.clone());
        let mut session = Session::new(&settings);
        for content in &history {
            session.push(std::slice::from_ref(content));
            session.run(false);
        }
        prop_assert_eq!(session.output(), expected);
    }
}

//! Bounds of token counts, whatever the text and however it is cut. A test of the package holds them
//! against both vocabularies.

use densify::tokens::bounds::{Bounder, Bounds, bounds};
use proptest::prelude::*;

use super::splits::hostile_text;

proptest! {
    #[test]
    fn bounds_dont_depend_on_chunks(text in hostile_text(60), cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..6)) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let mut bounder = Bounder::default();
        let mut cuts: Vec<usize> =
            cuts.iter().filter(|_| !places.is_empty()).map(|cut| places[cut.index(places.len())]).collect();
        cuts.sort_unstable();
        let mut from = 0;
        for to in cuts.into_iter().chain([text.len()]) {
            bounder.feed(&text.as_bytes()[from..to]);
            prop_assert!(bounder.finish().lower <= bounder.finish().upper, "looking changes nothing");
            from = to;
        }
        prop_assert_eq!(bounder.finish(), bounds(&text));
    }

    #[test]
    fn bounds_hold_each_other(text in hostile_text(60)) {
        let Bounds { lower, upper } = bounds(&text);
        prop_assert!(lower <= upper && upper as usize <= text.len());
        prop_assert_eq!(lower == 0, text.is_empty());
    }
}

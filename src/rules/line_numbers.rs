//! The numbers before a result's lines. Where a series begins and at every hundredth line they stay,
//! so that all others can be counted.

use super::new_result::NewResult;
use super::rule::{Context, Rule, Setup};
use crate::edit::{Change, RuleName, may_patch};
use crate::lines::{Form, first_number, number_before};
use crate::options::Preset;
use crate::utf16::utf16_length;

/// Fewer numbers in a row may be something else.
const LEAST: u32 = 8;
/// The distance between two numbers that stay.
pub const STEP: u32 = 100;

/// Takes the numbers out of new results.
#[derive(Clone, Copy, Debug)]
pub struct LineNumbers;

impl Rule for LineNumbers {
    const NAME: RuleName = RuleName::LineNumbers;
    const PRESETS: &'static [Preset] = &[Preset::Lossless, Preset::Balanced, Preset::Aggressive];

    fn new(_: &Setup<'_>) -> Self {
        Self
    }

    fn see(&mut self, context: &mut Context<'_>, result: &NewResult<'_>) {
        let has_numbers = result.rows.iter().any(|row| row.number.is_some());
        if result.is_cuttable
            && has_numbers
            && !result.is_decided
            && may_patch(context.view, result.block)
            && !may_be_taken_for_numbers(result)
        {
            let cause = context.view.block(result.block).unit;
            let text = (result.block, result.text);
            let changes = changes(result.text);
            context.editor.patch(context.view, context.source, text, &changes, (Self::NAME, cause));
        }
    }
}

/// Whether some numbered line of a result begins with a number of its own in the same form: without the tool's number
/// before it, nobody could tell whose it is.
fn may_be_taken_for_numbers(result: &NewResult<'_>) -> bool {
    let plain = |form| if form == Form::PaddedTab { Form::Tab } else { form };
    let form_of = |line| number_before(line).map(|found| plain(found.form));
    let form = first_number(result.text).map(|first| plain(first.form));
    let mut numbered = result.rows.iter().filter(|row| row.number.is_some());
    numbered.any(|row| form_of(row.content) == form)
}

/// The changes that take the numbers out of a text.
fn changes(text: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    // Start and end of the lines after the last kept number, the next number, and the number of lines.
    let mut series: Option<(u32, u32, u32, u32)> = None;
    let mut close = |series: Option<(u32, u32, u32, u32)>| {
        if let Some((start, end, _, count)) = series
            && count >= LEAST
            && start < end
        {
            changes.push(Change::Unnumber { start, end });
        }
    };
    let form = first_number(text).map(|first| first.form);
    let mut end = 0_u32;
    for line in text.split_inclusive('\n') {
        end = end.saturating_add(utf16_length(line));
        let number = number_before(line).filter(|found| Some(found.form) == form).map(|found| found.number);
        series = match (series, number) {
            (Some((start, _, next, count)), Some(number)) if number == next && number % STEP != 0 => {
                Some((start, end, next + 1, count + 1))
            }
            (before, number) => {
                close(before);
                number.map(|number| (end, end, number.saturating_add(1), 1))
            }
        };
    }
    close(series);
    changes
}

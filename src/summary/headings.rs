//! Headings for the user's wishes, in any spelling of a model.

/// What such a heading speaks of.
const WISHES: [&str; 9] = [
    "constraint",
    "preference",
    "directive",
    "prohibition",
    "user rule",
    "user said",
    "user says",
    "user instruct",
    "user's instruct",
];
/// A line of more words is no label.
const LONGEST_LABEL: usize = 4;

/// The role of a line under a heading for the user's wishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Under no such heading, or such a heading itself.
    Outside,
    /// Under one.
    Inside,
}

/// Where each line of a text stands. Headings below one that speaks of the user's wishes are part of it.
pub(super) fn places(body: &str) -> Vec<Place> {
    let mut lines = body.lines().peekable();
    let mut places = Vec::new();
    let mut own: Option<usize> = None;
    while let Some(line) = lines.next() {
        let underline = lines.peek().and_then(|next| underline(line, next));
        let level = underline.or_else(|| level(line));
        if level.is_some_and(|level| own.is_none_or(|own| level <= own)) {
            own = level.filter(|_| speaks_of_wishes(line) && !line.trim_start().starts_with("</"));
            places.push(Place::Outside);
        } else {
            places.push(if own.is_some() { Place::Inside } else { Place::Outside });
        }
        if underline.is_some() {
            lines.next();
            places.push(Place::Outside);
        }
    }
    places
}

/// What stands under the headings for the user's wishes.
pub(super) fn under(body: &str) -> String {
    let mut text = String::new();
    for (line, _) in body.lines().zip(places(body)).filter(|(_, place)| *place == Place::Inside) {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Whether a line is a heading or label that is too short to say anything by itself.
pub(super) fn is_short(line: &str) -> bool {
    level(line).is_some() && words(line) <= LONGEST_LABEL
}

/// The text after a label for the user's wishes.
pub(super) fn is_labelled(line: &str) -> bool {
    let is_tagged = line.trim_start().starts_with('<') && speaks_of_wishes(line) && level(line).is_none();
    is_tagged
        || line.split_once(':').is_some_and(|(label, rest)| {
            !rest.trim().is_empty() && words(label) <= LONGEST_LABEL && speaks_of_wishes(label)
        })
}

fn speaks_of_wishes(line: &str) -> bool {
    let lower = line.to_lowercase();
    WISHES.iter().any(|word| lower.contains(word))
}

fn words(line: &str) -> usize {
    line.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).count()
}

/// The level of a heading. Labels and short lines that are bold as a whole are below all others.
pub(super) fn level(line: &str) -> Option<usize> {
    let line = line.trim();
    // A snapshot's sections are parted by tags.
    if line.starts_with('<') && line.ends_with('>') && !line.contains(' ') {
        return Some(1);
    }
    let level = line.len() - line.trim_start_matches('#').len();
    if level > 0 {
        return Some(level);
    }
    let is_item = line.starts_with(['-', '•', '+']) || line.starts_with("* ");
    let bare = line.trim_end_matches('*');
    let is_bold = line.len() > 4 && line.starts_with("**") && bare.trim_end_matches(':').len() < line.len();
    let is_label =
        bare.ends_with(':') || is_bold || !is_item && words(line) < LONGEST_LABEL && speaks_of_wishes(line);
    (is_label && words(line) <= LONGEST_LABEL).then_some(usize::MAX)
}

/// The level that a line gives to the one above it.
fn underline(above: &str, line: &str) -> Option<usize> {
    let line = line.trim_end();
    let is_text = !above.trim().is_empty() && !above.trim_start().starts_with(['-', '*', '+', '#', '>', '|']);
    let is_line = |sign| line.len() > 1 && line.chars().all(|character| character == sign);
    if !is_text {
        None
    } else if is_line('=') {
        Some(1)
    } else {
        is_line('-').then_some(2)
    }
}

#[cfg(test)]
mod tests {
    use super::{level, under};

    #[test]
    fn headings_for_wishes_are_known_however_they_are_spelled() {
        for heading in [
            "## Constraints & Preferences",
            "## constraints:",
            "###### User directives",
            "Constraints\n-----------",
            "Constraints & Preferences\n===",
            "**Constraints**",
            "**Constraints & Preferences:**",
            "Constraints:",
            "- **User preferences**:",
            "Prohibitions",
        ] {
            let text =
                format!("## Goal\nx\n\n{heading}\n- one\n### Of the user\n- two\n\n# Progress\n- three");
            let found = under(&text);
            assert!(found.contains("- one"), "{heading}: {found}");
            assert!(!found.contains("three") && !found.contains('x'), "{heading}: {found}");
        }
        let text = "## Constraints\n- one\n### Of the user\n- two\n**Bold**\n- three\nDone\n----\n- four";
        assert_eq!(under(text), "- one\n### Of the user\n- two\n**Bold**\n- three\n");
    }

    #[test]
    fn a_sentence_is_no_heading() {
        for line in
            ["- Use tabs in all the files of this project:", "**Never push to main at all**", "plain text"]
        {
            assert_eq!(level(line), None, "{line}");
        }
    }
}

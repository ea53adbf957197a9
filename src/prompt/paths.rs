//! Where the host looks for a prompt of its own (requirements 3, document 004).

use crate::error::{Error, ErrorCode};

/// The paths of the files that may override a prompt, the most specific first: of the model, of the
/// provider, of everyone. The host looks them up in a directory of its choice, never in the workspace.
///
/// # Errors
/// [`ErrorCode::InvalidPath`] for a name that is empty or absolute or that holds `..`.
pub fn candidates(name: &str, provider: Option<&str>, model: Option<&str>) -> Result<Vec<String>, Error> {
    let name = segment("strategy", name)?;
    let provider = provider.map(|provider| segment("provider", provider)).transpose()?;
    let model = model.map(|model| segment("model", model)).transpose()?;
    let mut paths = Vec::new();
    if let Some(provider) = &provider {
        if let Some(model) = &model {
            paths.push(format!("providers/{provider}/models/{model}/compression/{name}.md"));
        }
        paths.push(format!("providers/{provider}/compression/{name}.md"));
    }
    paths.push(format!("compression/{name}.md"));
    Ok(paths)
}

/// A prompt that the host found, without blank lines around it.
///
/// # Errors
/// [`ErrorCode::InvalidPrompt`], with the path, if it is blank.
pub fn check_override<'text>(path: &str, text: &'text str) -> Result<&'text str, Error> {
    let trimmed = text.trim_start_matches('\u{feff}').trim();
    if trimmed.is_empty() {
        let message = format!("prompt {path}: found nothing but blanks, expected text");
        return Err(Error::new(ErrorCode::InvalidPrompt, message).key(path));
    }
    Ok(trimmed)
}

/// A name as one segment of a path.
fn segment(key: &str, name: &str) -> Result<String, Error> {
    let refuse = |found: &str| {
        let message =
            format!("{key} '{}': found {found}, expected a relative name without '..'", shortened(name));
        Err(Error::new(ErrorCode::InvalidPath, message).key(key))
    };
    if name.trim().is_empty() {
        return refuse("nothing");
    }
    if name.contains("..") || name == "." {
        return refuse("dots that lead out of the directory");
    }
    if name.starts_with(['/', '\\']) || is_on_drive(name) {
        return refuse("an absolute path");
    }
    Ok(encoded(name))
}

fn is_on_drive(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && characters.next() == Some(':')
        && matches!(characters.next(), Some('/' | '\\'))
}

/// Percent-encodes what separates paths and what some file system refuses in a name.
fn encoded(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for (at, character) in name.char_indices() {
        let is_last = at + character.len_utf8() == name.len();
        let is_refused = matches!(character, '/' | '\\' | ':' | '%' | '<' | '>' | '"' | '|' | '?' | '*')
            || character.is_ascii_control()
            || is_last && matches!(character, '.' | ' ');
        if is_refused {
            text.push('%');
            for half in [u32::from(character) >> 4, u32::from(character) & 15] {
                text.extend(char::from_digit(half, 16).map(|digit| digit.to_ascii_uppercase()));
            }
        } else {
            text.push(character);
        }
    }
    text
}

fn shortened(name: &str) -> String {
    name.chars().take(80).flat_map(char::escape_debug).collect()
}

//! Token costs of attachments, from their size alone and never from their base64 text.
//!
//! Providers charge by pixels, pages and seconds. An image's pixels stand in its first bytes, from which the adapters
//! work out its tokens; else the sizes assumed here are those of ordinary compressed files.

/// Most tokens an ordinary image costs: larger ones are scaled down to about 1.15 megapixels
/// (Anthropic, vision guide: "width × height / 750", at most about 1,600).
const IMAGE_MAX: u32 = 1_600;
/// Least tokens of an image: the flat price of a low-detail one (`OpenAI`, vision guide).
const IMAGE_MIN: u32 = 85;
/// Bytes per image token: 750 pixels a token at a typical quarter of a byte a pixel.
const IMAGE_BYTES_PER_TOKEN: u32 = 188;
/// Tokens per PDF page (Anthropic, PDF guide: 1,500 to 3,000 with the rendered page).
const PDF_TOKENS_PER_PAGE: u32 = 2_000;
/// Bytes of a typical PDF page.
const PDF_BYTES_PER_PAGE: u32 = 50_000;
/// Most pages of a PDF in one request (Anthropic, PDF guide).
const PDF_MAX_PAGES: u32 = 100;
/// Bytes per token of compressed audio: 32 tokens a second (Google, token guide) at 128 kbit/s.
const AUDIO_BYTES_PER_TOKEN: u32 = 500;
/// Bytes per token of uncompressed audio: the same 32 tokens at 16,000 samples of two bytes.
const WAVE_BYTES_PER_TOKEN: u32 = 1_000;
/// Bytes per token of video: 263 tokens a second (Google, token guide) at 2 Mbit/s.
const VIDEO_BYTES_PER_TOKEN: u32 = 950;
/// Bytes per token of a text attachment, the usual rule of thumb.
const TEXT_BYTES_PER_TOKEN: u32 = 4;

/// Estimates the tokens of an image file of `bytes` decoded bytes; 0 means the size is not known.
///
/// Between 85 and 1,600 tokens; an image of unknown size costs the maximum.
#[must_use]
pub fn image_tokens(bytes: u32) -> u32 {
    if bytes == 0 {
        return IMAGE_MAX;
    }
    (bytes / IMAGE_BYTES_PER_TOKEN).clamp(IMAGE_MIN, IMAGE_MAX)
}

/// Estimates the tokens of a PDF by its number of pages.
#[must_use]
pub const fn pdf_tokens(pages: u32) -> u32 {
    pages.saturating_mul(PDF_TOKENS_PER_PAGE)
}

/// Estimates the tokens of an attachment of type `mime` with `bytes` decoded bytes.
///
/// Never 0; of 0 bytes (size not known) the least of its kind, but for images the most. Any other file costs as much
/// as an image.
#[must_use]
pub fn media_tokens(mime: &str, bytes: u32) -> u32 {
    let essence = mime.split(';').next().unwrap_or_default().trim();
    let (kind, subtype) = essence.split_once('/').unwrap_or((essence, ""));
    let is = |name: &str| kind.eq_ignore_ascii_case(name);
    if is("audio") {
        (bytes / audio_bytes_per_token(subtype)).max(1)
    } else if is("video") {
        (bytes / VIDEO_BYTES_PER_TOKEN).max(1)
    } else if is("text") || subtype.eq_ignore_ascii_case("json") {
        (bytes / TEXT_BYTES_PER_TOKEN).max(1)
    } else if subtype.eq_ignore_ascii_case("pdf") {
        pdf_tokens(bytes.div_ceil(PDF_BYTES_PER_PAGE).clamp(1, PDF_MAX_PAGES))
    } else {
        image_tokens(bytes)
    }
}

fn audio_bytes_per_token(subtype: &str) -> u32 {
    let uncompressed = ["wav", "x-wav", "wave", "vnd.wave", "l16", "pcm"];
    if uncompressed.iter().any(|name| subtype.eq_ignore_ascii_case(name)) {
        WAVE_BYTES_PER_TOKEN
    } else {
        AUDIO_BYTES_PER_TOKEN
    }
}

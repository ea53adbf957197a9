//! Private keys in base64 without lines of PEM around them: a whole PEM file that was encoded again, as Kubernetes has it,
//! and the bare bytes of a key.

use super::bytes::{at, part, rest, run_end};

/// `-----BEGIN ` in base64.
const PEM: &[u8] = b"LS0tLS1CRUdJTi";
/// How keys begin: `?` stands for any letter, which tells the key's length.
const BARE: [&[u8]; 7] = [
    // PKCS #8 of RSA, of an elliptic curve, of Ed25519.
    b"MII???IBADANBgkqhkiG9w0BAQEFAASC",
    b"MI???gEAMBMGByqGSM49AgEG",
    b"MI???gEAMBAGByqGSM49AgEG",
    b"MC4CAQAwBQYDK2VwBCIEI",
    // PKCS #1 and SEC 1.
    b"MII???IBAAKCAQEA",
    b"MII???IBAAKCAgEA",
    b"b3BlbnNzaC1rZXktdjEA",
];
/// Shorter data are no key.
const SHORTEST: usize = 60;
/// How much of a PEM file tells what it holds.
const LABEL: usize = 64;

/// Where the key ends that starts at a place.
pub(super) fn key_end(bytes: &[u8], start: usize) -> Option<usize> {
    if !matches!(at(bytes, start), b'L' | b'M' | b'b') {
        return None;
    }
    let text = rest(bytes, start);
    let is_pem = text.starts_with(PEM);
    let begins = |lead: &&[u8]| {
        text.len() >= lead.len() && lead.iter().zip(text).all(|(known, byte)| known == byte || *known == b'?')
    };
    if !is_pem && !BARE.iter().any(begins) {
        return None;
    }
    let end = run_end(bytes, start, |byte| value_of(byte).is_some() || byte == b'=');
    let is_private =
        !is_pem || decoded(part(bytes, start, start + LABEL)).windows(11).any(|text| text == b"PRIVATE KEY");
    (is_private && end - start >= SHORTEST).then_some(end)
}

/// The six bits of a letter of base64.
const fn value_of(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(value as u32)
}

/// The bytes that a text of base64 stands for.
fn decoded(text: &[u8]) -> Vec<u8> {
    let four = |letters: &[u8]| {
        letters.iter().try_fold(0, |bits, letter| Some(bits << 6 | value_of(*letter)?)).unwrap_or_default()
    };
    text.chunks_exact(4).flat_map(|letters| four(letters).to_be_bytes().into_iter().skip(1)).collect()
}

//! Whatever is in a text: redacting twice changes nothing more, chunks make no difference, the time is linear.

use densify::redact::{Detector, Redactor, redact};
use proptest::prelude::*;

use super::{ALNUM, SHAPES, planted, random};
use crate::histories::cases;

/// Texts of fragments: secrets, names, signs, quotes, markers.
fn text() -> impl Strategy<Value = String> {
    let fragment = prop_oneof![
        4 => (0..SHAPES.len(), 1..50_u32).prop_map(|(shape, seed)| planted(shape, seed).0),
        3 => prop::sample::select(vec![
            "password", "token", "=", ": ", "\"", "'", "\\\"", "\\n", "\\t", "\t", "\n", "://", "@", "-----BEGIN RSA PRIVATE KEY-----",
            "passwords", "value", "name", "auth", " is ", " to ", "(", ")", "[", "{", "}", "|", "- ", "&", ";", ",", "''", "**", "</key>",
            "INSERT INTO t (a, password) VALUES ", "('x', '", "'),", "insert into t (token)\n", "values\n", "<tr>", "<tr>\n", "<th>password</th>", "</tr>",
            "<td>", "</td>", "<td>password:</td>\n", "password</td>", "\"kty\":", "\"d\":\"", "\"", "}", "value: hunter22x\n", "name: DB_PASSWORD\n",
            "Private-Lines: 2\n", "user,password\n", "| a | password |\n", " -> \"", "] => ", "：", "COPY t (a, token) FROM stdin;\n", "334 UGFzc3dvcmQ6\n",
            "PASS ", "USER a\n", "hunter22x", "a1 LOGIN b ", "AUTH ", "net use \\\\h\\s ", "echo ", " | kinit", " <<< ", "curl -b ", "TRUE\t/\tTRUE\t1\tsid\t",
            "a  password\n", "-  ----\n", "x1y2z3w4  hunter22x\n", "，",
            "key", "data:", "kind: Secret\n", "|---|\n", "  ", "hunter22!x", "\\", "-----END RSA PRIVATE KEY-----", "-----END", "BEGIN PRIVATE KEY-----", "[REDACTED: token]",
                "[REDACTED: private-key]", "[REDACTED", "eyJ", ".", "~", "Bearer ", "--", " ", "]", "é", "<", ">", "sk-", "x",
        ]).prop_map(str::to_owned),
        2 => "[A-Za-z0-9+/=]{0,70}",
        2 => (1..50_u32).prop_map(|seed| format!("abc8Q~{}", random(34, ALNUM, seed))),
        1 => ".{0,12}",
    ];
    prop::collection::vec(fragment, 0..14).prop_map(|fragments| fragments.concat())
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn redacting_twice_changes_nothing_more(text in text()) {
        let once = redact(&text).into_owned();
        prop_assert_eq!(redact(&once), once.as_str());
    }

    #[test]
    fn chunks_make_no_difference(text in text(), sizes in prop::collection::vec(1..40_usize, 1..8)) {
        let (mut redactor, mut output, mut rest) = (Redactor::new(), String::new(), text.as_str());
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let cut = (*size..=rest.len()).find(|cut| rest.is_char_boundary(*cut)).unwrap_or(rest.len());
            let (chunk, next) = rest.split_at(cut);
            redactor.push(chunk, &mut output);
            rest = next;
        }
        redactor.finish(&mut output);
        prop_assert_eq!(redact(&text), output);
    }

    #[test]
    fn what_is_detected_in_chunks_is_all_that_may_change(
        text in text(),
        sizes in prop::collection::vec(1..40_usize, 1..8),
    ) {
        let (mut detector, mut rest) = (Detector::new(), text.as_str());
        for size in sizes.iter().cycle() {
            let cut = (*size..=rest.len()).find(|cut| rest.is_char_boundary(*cut)).unwrap_or(rest.len());
            let (chunk, next) = rest.split_at(cut);
            detector.push(chunk);
            rest = next;
            if rest.is_empty() {
                break;
            }
        }
        // The detector reports some texts in which nothing is redacted: markers end words, and a name may stand in the text
        // before.
        let has_marks = ["[REDACTED: ", "-----BEGIN ", "-----END ", "password", "token", "earer", "psk", "auth", "data", "value", "nto t", "<tr", "kty", "Private-Lines", "334", "COPY", "PASS", "AUTH", "\"d\"", "PRIVATE KEY", "</key>"].iter().any(|mark| text.contains(mark));
        let has_found = detector.finish();
        let changes = redact(&text) != text.as_str();
        prop_assert!(has_found || !changes, "{}", text);
        prop_assert!(changes || has_marks || !has_found, "{}", text);
        prop_assert!(!detector.finish());
    }

    #[test]
    fn what_is_not_replaced_stays_in_order(text in text()) {
        let redacted = redact(&text).into_owned();
        // The pieces between the markers occur in the text, one after the other.
        let mut from = 0;
        for (at, piece) in redacted.split("[REDACTED: ").enumerate() {
            let piece = if at == 0 { piece } else { piece.split_once(']').map_or("", |(_, piece)| piece) };
            let found = text[from..].find(piece);
            prop_assert!(found.is_some(), "{} => {}", text, redacted);
            from += found.unwrap_or(0) + piece.len();
        }
    }
}

/// Parts of texts that would cost the most.
const HOSTILE: [&str; 101] = [
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "password=\"",
    "token='token=\\\"",
    "eyJ",
    "a://",
    "sk-",
    "-",
    "_",
    "eyJa.",
    "--token ",
    "-----",
    "token=",
    "token: ",
    "password=a",
    "abc1Q~",
    "eyJ-",
    "https://hooks.slack.com/services/",
    "MTk4NjIyNDgzNDcxOTI1MjQ4",
    "M-",
    "sk-ant-",
    "fm2_.",
    "-u a:",
    "token=\\",
    "<token>",
    "Bearer ",
    "AKIA",
    "-----BEGIN PRIVATE KEY-----AAAAAAAAAAAAAAAAAAAAA",
    "-----BEGIN PRIVATE KEY-----\n-----END",
    "-----BEGIN PRIVATE KEY-----\n",
    "-----END PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
    "abc8Q~jfFyJgOSfychvWH959iHIJV5gM1L5PZguc",
    "ghp_jfFyJgOSfychvWH959iHIJV5gM1L5PZgucAa.",
    "[REDACTED: token]",
    "[REDACTED: a",
    "password=hunter22 ",
    "password=hunter22[REDACTED: token]",
    "/fm2_.",
    "a+b/",
    "\\t",
    "token\\t",
    "token=\\t",
    "password='x ",
    "password=\"x password='x ",
    "password=\\\"x password=\"x ",
    "password=a1b2c3;",
    "password=(",
    "password=a1b2)",
    "password=a1b2c3,",
    "password=a<",
    "password=\\x",
    "password('",
    "passwords: [",
    "password:\n",
    "passwords:\n- a\n",
    "passwords:\n  - a1b2c3d4\n",
    "data:\n",
    "data:\n  a: b\n",
    " data:\n",
    "| token |",
    "| token |\n|---|\n",
    "<key>token</key>",
    "<password a ",
    "postgres://u:a'",
    "smbclient -U a",
    "net user ",
    "password to ",
    "{value: a",
    "name: token, value: ",
    ":5432:a:",
    "insert into t (password) values ('a'),",
    "insert into t (password",
    "insert into t (password) values ('",
    "('a', 'b'),",
    "<tr>\n",
    "<tr><th>password</th>",
    "<th>password</th></tr><td>a</td>",
    "password</td><td>",
    "\"kty\":\"",
    "\"d\":\"aB3dE5gH7jK9mN1pQ3sT\",",
    "\"d\":\"aB3dE5gH7jK9mN1pQ3sT\"\n",
    "value: hunter22x\n",
    "Private-Lines: 9\n",
    "PASS a1b2c3\n",
    "AUTH ",
    "a1 LOGIN ",
    "net use \\\\h\\s ",
    "echo | kinit ",
    "kinit <<< ",
    "curl -b ",
    "TRUE\t/\t",
    "COPY t (token",
    "user,password,",
    "user,password\n",
    "a  password\n",
    "\"a1b2c3\" -> ",
    "password\" -> \"",
    "LS0tLS1CRUdJTiBQ",
    "MIIEvQIBADANBgkq",
    "[password] => ",
    "${env:token}",
];

#[test]
fn hostile_texts_cost_linear_time() {
    for part in HOSTILE {
        let start = std::time::Instant::now();
        let text = format!("{}.{}", part.repeat(100_000 / part.len()), "a".repeat(100_000));
        let mut output = String::new();
        let mut redactor = Redactor::new();
        for chunk in text.as_bytes().chunks(1000) {
            redactor.push(std::str::from_utf8(chunk).unwrap(), &mut output);
        }
        redactor.finish(&mut output);
        let took = start.elapsed();
        // Quadratic work would take many minutes; a debug build on a busy machine doesn't take one.
        assert!(took.as_secs() < 60, "{part:?} took {took:?}");
    }
}

/// What goes on behind a line's end is judged by the length of the line, of which a part may be written already.
#[test]
fn a_credential_that_was_wrapped_goes_on_wherever_the_text_is_cut() {
    let text = "abc8Q~jfFyJgOSfychvWH959iHIJV5gM1L5PZguc-----BEGIN RSA PRIVATE KEY-----++A0AaA0++A=A+0=AA+00a=0aa==\n\
        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npm_jfFyJgOSfychvWH959iHIJV5gM1L5PZgucpp";
    for size in 1..text.len() {
        let (mut redactor, mut output) = (Redactor::new(), String::new());
        for chunk in text.as_bytes().chunks(size) {
            redactor.push(std::str::from_utf8(chunk).unwrap(), &mut output);
        }
        redactor.finish(&mut output);
        assert_eq!(redact(text), output, "{size}");
    }
}

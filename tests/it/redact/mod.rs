//! Redaction: every shape goes, ordinary text stays.

use std::borrow::Cow;

use densify::redact::redact;

use crate::support::shared;

mod columns;
mod planted;
mod properties;
mod shapes;
mod spellings;

/// Letters and digits as chance has them, the same in every run.
fn random(length: usize, alphabet: &str, seed: u32) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        alphabet[(state >> 8) as usize % alphabet.len()]
    };
    (0..length).map(|_| next()).collect()
}

const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX: &str = "0123456789abcdef";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// What stands around a secret, the secret's lead, alphabet and length, what follows.
const SHAPES: [(&str, &str, &str, usize, &str); 113] = [
    ("", "AKIA", UPPER, 16, ""),
    ("", "ASIA", UPPER, 16, ""),
    ("", "AIza", ALNUM, 35, ""),
    ("", "GOCSPX-", ALNUM, 28, ""),
    ("", "ya29.", ALNUM, 80, ""),
    ("", "1//0", ALNUM, 60, ""),
    ("", "dop_v1_", HEX, 64, ""),
    ("", "HRKU-", ALNUM, 58, ""),
    ("", "tskey-auth-", ALNUM, 30, ""),
    ("", "sbp_", HEX, 40, ""),
    ("", "dapi", HEX, 32, ""),
    ("", "pul-", HEX, 40, ""),
    ("", "pscale_tkn_", ALNUM, 43, ""),
    ("", "github_pat_", ALNUM, 82, ""),
    ("", "ghp_", ALNUM, 36, ""),
    ("", "gho_", ALNUM, 36, ""),
    ("", "ghs_", ALNUM, 36, ""),
    ("", "ghu_", ALNUM, 36, ""),
    ("", "ghr_", ALNUM, 36, ""),
    ("", "glpat-", ALNUM, 20, ""),
    ("", "sqp_", HEX, 40, ""),
    ("", "CFPAT-", ALNUM, 43, ""),
    ("", "AKCp", ALNUM, 69, ""),
    ("", "CLOJARS_", HEX, 60, ""),
    ("", "ops_eyJ", ALNUM, 64, ""),
    ("", "glrt-", ALNUM, 20, ""),
    ("", "ATATT3xFfGF0", ALNUM, 180, ""),
    ("", "CCIPAT_", ALNUM, 60, ""),
    ("", "npm_", ALNUM, 36, ""),
    ("", "pypi-AgEIcHlwaS5vcmc", ALNUM, 80, ""),
    ("", "rubygems_", HEX, 48, ""),
    ("", "cio", ALNUM, 32, ""),
    ("", "dckr_pat_", ALNUM, 27, ""),
    ("", "sk-ant-api03-", ALNUM, 95, ""),
    ("", "sk-proj-", ALNUM, 120, ""),
    ("", "sk-or-v1-", HEX, 64, ""),
    ("", "sk-", ALNUM, 48, ""),
    ("", "sk-", HEX, 32, ""),
    ("", "hf_", ALNUM, 34, ""),
    ("", "gsk_", ALNUM, 52, ""),
    ("", "xai-", ALNUM, 80, ""),
    ("", "pplx-", ALNUM, 48, ""),
    ("", "r8_", ALNUM, 37, ""),
    ("", "nvapi-", ALNUM, 64, ""),
    ("", "tvly-dev-", ALNUM, 32, ""),
    ("", "xoxb-123456789012-1234567890123-", ALNUM, 24, ""),
    ("", "xoxp-123456789012-1234567890123-", ALNUM, 32, ""),
    ("", "xapp-1-A0123456789-", ALNUM, 64, ""),
    ("https://hooks.slack.com/services/", "T0123456/B0123456/", ALNUM, 24, ""),
    ("https://discord.com/api/webhooks/", "123456789012345678/", ALNUM, 68, ""),
    ("", "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.", ALNUM, 27, ""),
    ("https://api.telegram.org/bot123456789:", "AA", ALNUM, 33, "/getMe"),
    ("", "SK", HEX, 32, ""),
    ("SG.", "", ALNUM, 22, ".Q2hhbmNl7fG4hJ2kL9mN3pQ5rS8tU1vW6xY0zA2bC"),
    ("", "xkeysib-", HEX, 64, "-a1B2c3D4e5F6g7H8"),
    ("", "sk_live_", ALNUM, 24, ""),
    ("", "rk_test_", ALNUM, 24, ""),
    ("", "whsec_", ALNUM, 32, ""),
    ("", "sq0atp-", ALNUM, 22, ""),
    ("", "shpat_", HEX, 32, ""),
    ("", "EAACEdEose0cBA", ALNUM, 90, ""),
    ("", "lin_api_", ALNUM, 40, ""),
    ("", "ntn_", ALNUM, 46, ""),
    ("", "secret_", ALNUM, 43, ""),
    ("", "figd_", ALNUM, 40, ""),
    ("", "glsa_", ALNUM, 32, "_a1b2c3d4"),
    ("", "NRAK-", ALNUM, 27, ""),
    ("", "AGE-SECRET-KEY-1", UPPER, 58, ""),
    ("hvs.", "CAES", ALNUM, 90, ""),
    ("a1B2c3D4e5F6g7.atlasv1.", "", ALNUM, 67, ""),
    ("dp.pt.", "", ALNUM, 43, ""),
    ("", "abc8Q~", ALNUM, 34, ""),
    ("", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.", ALNUM, 43, ""),
    ("", "npg_", ALNUM, 12, ""),
    ("", "napi_", ALNUM, 64, ""),
    ("", "patAbCdEfGh1234Ij.", HEX, 64, ""),
    ("", "access_token$production$9zr7k2mqx4tj8wvb$", HEX, 32, ""),
    ("", "sha256~", ALNUM, 43, ""),
    ("", "3tQ9kLmN2pXw7Rv5Bs8Yd1HfZc4Gj6TaUe0Ko3MiPqXnVrLbW2y5JQQJ99", UPPER, 26, ""),
    ("", "IQoJb3JpZ2luX2Vj", ALNUM, 300, ""),
    ("", "PMAT-", UPPER, 26, ""),
    ("", "EZAK", ALNUM, 54, ""),
    ("", "duffel_live_", ALNUM, 43, ""),
    ("", "shippo_test_", HEX, 40, ""),
    ("", "sgp_", HEX, 40, ""),
    ("", "rdme_", ALNUM, 70, ""),
    ("", "tfp_", ALNUM, 59, ""),
    ("", "phx_", ALNUM, 43, ""),
    ("", "GR1348941", ALNUM, 20, ""),
    ("", "dnkey-", ALNUM, 79, ""),
    ("", "xau_", ALNUM, 36, ""),
    ("", "polar_oat_", ALNUM, 40, ""),
    ("", "access-production-8f14e45f-", HEX, 27, ""),
    ("", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", ALNUM, 300, ""),
    ("", "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUV2", ALNUM, 300, ""),
    ("dt0c01.", "ST2EY72KQINMH574WMNVI7YN.", UPPER, 64, ""),
    ("dp.ct.", "", ALNUM, 43, ""),
    ("postgres://admin:", "", ALNUM, 16, "@db.example.com:5432/app"),
    ("mongodb+srv://user:", "p%40", ALNUM, 12, "@cluster0.mongodb.net"),
    ("https://", "", ALNUM, 40, "@git.example.com/a.git"),
    ("Authorization: Bearer ", "", ALNUM, 40, ""),
    ("'Authorization': `token ", "", HEX, 40, "`"),
    ("authorization: Basic ", "", ALNUM, 24, "=="),
    ("x-api-key: ", "", HEX, 32, ""),
    ("aws_secret_access_key = ", "", ALNUM, 40, ""),
    ("AccountName=x;AccountKey=", "", ALNUM, 86, "==;EndpointSuffix=core"),
    ("Server=db;User Id=sa;Password=", "S3cr3t!", ALNUM, 8, ";Encrypt=true"),
    ("\"client_secret\": \"", "", ALNUM, 24, "\","),
    ("{\\\"password\\\":\\\"", "", ALNUM, 12, "\\\"}"),
    ("curl --token ", "", ALNUM, 32, " x"),
    ("<password>", "", ALNUM, 12, "</password>"),
    ("config['api_key'] = '", "", HEX, 32, "'"),
    ("?X-Amz-Expires=300&X-Amz-Signature=", "", HEX, 64, "&x=1"),
];

/// A line with a secret, and the part of it that must go.
fn planted(shape: usize, seed: u32) -> (String, String) {
    let (before, lead, alphabet, length, after) = SHAPES[shape];
    let secret = format!("{lead}{}", random(length, alphabet, seed));
    (format!("{before}{secret}{after}"), secret)
}

fn key(body: &str) -> String {
    format!("-----BEGIN RSA PRIVATE KEY-----{body}-----END RSA PRIVATE KEY-----")
}

#[test]
fn every_shape_goes_and_what_surrounds_it_stays() {
    let mut missed = Vec::new();
    for shape in 0..SHAPES.len() {
        for seed in 1..40 {
            let (line, secret) = planted(shape, seed);
            for (head, tail) in
                [("", ""), ("a ", " b"), ("x\\n", "\\ny"), ("text\n", "\nmore"), ("k: \"", "\"")]
            {
                let redacted = redact(&format!("{head}{line}{tail}")).into_owned();
                let is_in_place = redacted.starts_with(head) && redacted.ends_with(tail);
                if !redacted.contains("[REDACTED: ") || redacted.contains(&secret) || !is_in_place {
                    missed.push(format!("{seed}: {head}{line}{tail} => {redacted}"));
                }
            }
        }
    }
    let shown = missed.iter().step_by(5).take(12).cloned().collect::<Vec<_>>().join("\n");
    assert!(missed.is_empty(), "{} missed:\n{shown}", missed.len());
}

/// Parameters of calls are read as JSON, in which a tab is a backslash and a letter.
#[test]
fn blanks_beside_a_sign_are_blanks_however_they_are_written() {
    let secret = random(24, ALNUM, 5);
    let mut missed = Vec::new();
    for blank in ["", " ", "            ", "\t", "\t\t\t\t\t\t", " \t", "\r"] {
        for line in [
            format!("password{blank}={blank}{secret}"),
            format!("API_KEY{blank}={blank}{secret}"),
            format!("token:{blank}{secret}"),
            format!("TOKEN{blank}:={blank}{secret}"),
            format!(":password{blank}=>{blank}\"{secret}\""),
            format!("--password {blank}{secret}"),
            format!("--password\t{blank}{secret}"),
        ] {
            // A carriage return begins no value.
            if blank == "\r" && !line.contains(&format!("={blank}{secret}")) {
                continue;
            }
            let plain = serde_json::to_string(&[&line]).unwrap();
            let nested = serde_json::to_string(&[&plain]).unwrap();
            let raw = if blank == "\r" { String::new() } else { line };
            missed.extend([raw, plain, nested].into_iter().filter(|text| redact(text).contains(&secret)));
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn a_user_may_have_a_short_name_or_one_with_dots() {
    for user in ["me", "joe", "first.last", "a-b_c.d"] {
        for flag in ["-u ", "-u \"", "--user ", "--user '"] {
            let text = format!("curl {flag}{user}:hunter22x https://example.com");
            assert!(!redact(&text).contains("hunter22x"), "{text}");
        }
    }
}

#[test]
fn a_value_at_the_end_of_a_sentence_goes() {
    for value in ["YWRtaW46aHVudGVyMjI=", "YWRtaW46aHVudGVyMjI=="] {
        let text = format!("I saw authorization: Basic {value}.");
        assert!(!redact(&text).contains("YWRtaW46"), "{}", redact(&text));
    }
}

#[test]
fn tokens_with_signs_among_their_first_letters_go() {
    let rest = random(60, ALNUM, 9);
    for token in [
        format!("fm2_lJPE+CAA/x.{rest}"),
        format!("fm2_a+b/c=d.{rest}"),
        format!("glc_eyJv/Ijo+{rest}"),
        format!("sntrys_eyJp.YXQ+{rest}"),
        format!("ATBBa/b/{rest}"),
    ] {
        for (head, tail) in [("", ""), ("token ", " x"), ("\"x\\n", "\""), ("key=", ";"), ("(", ")")] {
            let redacted = redact(&format!("{head}{token}{tail}")).into_owned();
            assert!(redacted.starts_with(&format!("{head}[REDACTED: ")), "{token} => {redacted}");
            assert!(redacted.ends_with(tail) && !redacted.contains(&rest), "{token} => {redacted}");
        }
    }
    let path = format!("src/confm2_lib/atbb/ATB_x.{}", "a".repeat(30));
    assert_eq!(redact(&path), path);
}

#[test]
fn private_keys_go_over_all_their_lines() {
    let line = random(64, ALNUM, 3);
    let lines = [line.as_str(); 20];
    for between in ["\n", "\r\n", "\\n", "\\r\\n"] {
        let body = format!("{between}{}{between}", lines.join(between));
        let text = format!("{{\"key\": \"{}\"}} rest", key(&body));
        assert_eq!(redact(&text), "{\"key\": \"[REDACTED: private-key]\"} rest");
        let cut = &text[..text.len() - 80];
        assert!(!redact(cut).contains(&line), "{}", redact(cut));
    }
    let escaped = format!("x\\n{}\\n", key(&format!("\\n{line}\\n")));
    assert_eq!(redact(&escaped), "x\\n[REDACTED: private-key]\\n");
    let names = "`-----BEGIN PRIVATE KEY-----` and `-----END PRIVATE KEY-----` are its lines";
    assert!(matches!(redact(names), Cow::Borrowed(_)));
}

#[test]
fn a_private_key_that_follows_at_once_goes_too() {
    let body = "MIIEpAIBAAKCAQEA1c7Wq9xT";
    for shape in 0..SHAPES.len() {
        for seed in 1..10 {
            let (line, secret) = planted(shape, seed);
            for text in [
                format!("{line}{}", key(&format!("\n{body}\n"))),
                format!("{secret}{}", key(body)),
                format!("{}{line}", key(body)),
                format!("{}{line}", &key(body)[..60]),
            ] {
                let redacted = redact(&text);
                assert!(!redacted.contains(&body[8..]), "{text} => {redacted}");
            }
            let redacted = redact(&format!("{line}{}", key(body))).into_owned();
            assert!(!redacted.contains(&secret), "{line} => {redacted}");
        }
    }
    let chain = format!("{}{}", key(body).trim_end_matches('-'), key(body));
    assert_eq!(redact(&chain), "[REDACTED: private-key][REDACTED: private-key]");
}

#[test]
fn what_one_replacement_brings_to_light_goes_at_once() {
    let azure = |seed| format!("abc8Q~{}", random(33, ALNUM, seed));
    // Each is one only when the next has gone.
    let chain = (1..40).map(azure).collect::<Vec<_>>().join(".");
    for text in [
        "abc8Q~jfFyJgOSfychvWH959iHIJV5gM1L5PZguc-----BEGIN RSA PRIVATE KEY-----a=A=Aa+=AaA0A=aa=Aaa",
        "-----BEGIN RSA PRIVATE KEY----------BEGIN RSA PRIVATE KEY-----AKIAHFNIHECQJS2H7SFH-----END RSA PRIVATE KEY-----000a=A0a0+A+0a===a=+-----END RSA PRIVATE KEY-----",
        "https://hooks.slack.com/services/T0123456/B0123456/aB3dE5gH7jK9mN1pQ3sT5vW7-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1c7Wq9xT\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nfoo sk-ant-aB3dE5gH7jK9mN1pQ3sT-----bbbb AAAAAAAAAAAAAAAAAAAAAAAAA-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1c7Wq9xT",
        "-----BEGIN PRIVATE KEY-----\npassword=\"-----END x1\" BBBBBBBBBBBBBBBBBBBBBBBBB-----END PRIVATE KEY-----",
        "password=[REDACTED: x]token=[REDACTED: private-key] -----BEGIN PRIVATE KEY-----[REDACTED: token]AAAAAAAAAAAAAAAAAAAAAAAAA-----END PRIVATE KEY-----",
        &format!("{}.{}", azure(1), azure(2)),
        &format!("AKIA{}ghp_{}", random(16, UPPER, 3), random(36, ALNUM, 5)),
        &format!("x {chain} y"),
        &format!("{chain}\n{chain}{}", key(&chain)),
    ] {
        let once = redact(text).into_owned();
        assert_eq!(redact(&once), once, "{text}");
        for secret in ["jfFyJgOSfych", "HFNIHECQ", "aB3dE5gH", "MIIEpAIBAAK", "AAAAAAAAAAAAAAAAAAAAAAAAA"] {
            assert!(!once.contains(secret), "{text} => {once}");
        }
    }
    let redacted = redact(&chain).into_owned();
    assert!((1..40).all(|seed| !redacted.contains(&azure(seed)[10..])), "{redacted}");
}

#[test]
fn ordinary_text_stays() {
    for text in [
        "integrity sha512-9FQ1s6o9XKq3mZ8xk6Cw2RkL0b1n5T7y8u9i0o1p2a3s4d5f6g7h8j9k0l==",
        "checksum = \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"",
        "commit 3f583a4e085d17addc69c38f84d9416d7564f7b1",
        "session 550e8400-e29b-41d4-a716-446655440000",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "const password: string = getPassword();",
        "password = os.environ['DB_PASSWORD_2']",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "API_KEY=$OPEN_KEY_1 make",
        "let token = self.tokens.next_token2();",
        "max_tokens: 4096, total_tokens=123456",
        "password: \"Enter your password\"",
        "Authorization: Bearer <token>",
        "Authorization: `Bearer ${token1}`",
        "PWD=/home/user1/work2",
        "postgres://user:${PASSWORD}@localhost/db",
        "https://example.com:8080/@scope/package@1.2.3",
        "if (token === 'abc1') {}",
        "ssh://git@github.com/a/b.git",
        "npm_config_registry_and_more_of_the_same_kind",
        "sk-circle-fade-dot-animation-delay-2",
        "hf_hub_download_from_path_or_url_with_cache",
        "fw_updateFirmwareVersionInfoForAll",
        "secret_key_base_for_all_environments_that_there_are",
        "getUserAccessTokenForSessionAndRefresh",
        "type Token = { kind: 'NUMBER1' }",
        "compass=north1east2south3",
        "secretName: db-credentials-2",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn what_is_redacted_says_what_it_was() {
    let token = format!("ghp_{}", random(36, ALNUM, 5));
    assert_eq!(redact(&format!("GITHUB_TOKEN={token}")), "GITHUB_TOKEN=[REDACTED: github-token]");
    assert_eq!(redact("PASSWORD=hunter22 x"), "PASSWORD=[REDACTED: password] x");
    assert_eq!(redact("postgres://a:b1@h/d"), "postgres://a:[REDACTED: url-password]@h/d");
}

#[test]
fn of_real_logs_only_what_was_planted_goes() {
    let Some(folder) = shared("transcripts") else { return };
    let mut seed = 0;
    for agent in
        std::fs::read_dir(folder).unwrap().filter_map(|entry| std::fs::read_dir(entry.unwrap().path()).ok())
    {
        for file in agent {
            let Ok(text) = std::fs::read_to_string(file.unwrap().path()) else { continue };
            assert!(matches!(redact(&text), Cow::Borrowed(_)));
            let (mut planted_text, mut expected) = (String::new(), String::new());
            for (at, line) in text.split_inclusive('\n').enumerate() {
                if at % 50 == 0 {
                    seed += 1;
                    let (secret, _) = planted(seed as usize % SHAPES.len(), seed);
                    expected += &format!("{}\n", redact(&secret));
                    planted_text += &format!("{secret}\n");
                }
                planted_text += line;
                expected += line;
            }
            assert!(redact(&planted_text) == expected, "seed {seed}");
        }
    }
    eprintln!("{seed} planted");
}

//! Credentials that have neither a prefix nor a name with a sign behind it.

use densify::redact::{Detector, Redactor, redact};

use super::{ALNUM, HEX, random};
use crate::support::shared;

/// A text, and the part of it that must go.
fn planted(seed: u32) -> Vec<(String, String)> {
    let word = || format!("{}7x", random(10, ALNUM, seed));
    let long = || random(40, ALNUM, seed);
    let hex = || random(32, HEX, seed);
    let chosen = || format!("S3cr3t!{}", random(4, ALNUM, seed));
    let hash = || random(86, ALNUM, seed);
    let shapes: Vec<(&str, String, &str)> = vec![
        // A tag behind the value.
        ("<bash-stdout>API_TOKEN=", long(), "</bash-stdout>"),
        ("<output>DB_PASSWORD=", long(), "</output>"),
        ("<td>API_TOKEN=", long(), "<br>"),
        ("<string>Authorization: Bearer ", long(), "</string>"),
        ("<connectionString>Server=db;Password=", chosen(), "</connectionString>"),
        ("<key_knowledge>\nDB_PASSWORD=", chosen(), "</key_knowledge>"),
        // Cookies.
        ("Cookie: theme=dark; session=", long(), ""),
        ("Set-Cookie: sid=", long(), "; Path=/; HttpOnly"),
        ("curl -H 'Cookie: connect.sid=", long(), "' https://example.com"),
        ("\"cookie\": \"PHPSESSID=", hex(), "\""),
        ("JSESSIONID=", hex(), ""),
        // Files and commands.
        ("machine api.example.com login me password ", word(), ""),
        ("machine api.example.com\n  login me\n  password ", word(), "\n"),
        ("mysql -uroot -p", chosen(), " app"),
        ("mysqldump -u root -p'", chosen(), "' app > dump.sql"),
        ("sshpass -p ", word(), " ssh host"),
        ("sshpass -p'", chosen(), "' ssh host"),
        ("root:$6$saltsalt$", hash(), ":19000:0:99999:7:::"),
        ("admin:$apr1$abcdefgh$", random(22, ALNUM, seed), ""),
        ("admin:$2y$10$", random(53, ALNUM, seed), ""),
        ("pbkdf2_sha256$260000$abcdefgh$", random(43, ALNUM, seed), "="),
        ("CREATE USER app IDENTIFIED BY '", chosen(), "';"),
        ("alter user 'a'@'%' identified with mysql_native_password by '", chosen(), "';"),
        ("CREATE ROLE app LOGIN PASSWORD '", chosen(), "';"),
        ("SECRET_KEY_BASE=", random(128, HEX, seed), ""),
        ("secret_key_base: ", random(128, HEX, seed), ""),
        ("ENV DB_PASSWORD ", chosen(), "\n"),
        ("ARG API_TOKEN ", long(), "\n"),
        ("setx DB_PASSWORD ", chosen(), ""),
        ("set -x DB_PASSWORD ", chosen(), ""),
        ("$env:DB_PASSWORD = \"", chosen(), "\""),
        ("ConvertTo-SecureString \"", chosen(), "\" -AsPlainText -Force"),
        ("kubectl create secret generic db --from-literal=password=", chosen(), ""),
        ("echo ", chosen(), " | sudo -S apt-get update"),
        // Services.
        ("https://api.twilio.com/2010-04-01 -u AC0123456789abcdef0123456789abcdef:", hex(), ""),
        ("new Twilio('AC0123456789abcdef0123456789abcdef', '", hex(), "')"),
        ("mailgun key-", hex(), ""),
        ("mailgun ", format!("{}-0a1b2c3d-4e5f6a7b", hex()), ""),
        ("mailchimp ", format!("{}-us12", hex()), ""),
        ("VAULT s.", format!("a1B2{}", random(20, ALNUM, seed)), ""),
        ("dsn https://", hex(), "@o12345.ingest.sentry.io/67890"),
        ("asana 1/1200123412341234:", hex(), ""),
        // Members of their own.
        ("- name: X_TOKEN\n  value: ", long(), "\n"),
        ("env:\n  - name: DB_PASSWORD\n    value: \"", chosen(), "\"\n"),
        ("{\"name\": \"API_TOKEN\", \"value\": \"", long(), "\"}"),
        ("{\n  \"name\": \"API_TOKEN\",\n  \"value\": \"", long(), "\"\n}"),
        ("\"Name\": \"/prod/db/password\", \"Value\": \"", chosen(), "\""),
        ("\"Type\": \"SecureString\",\n\"Value\": \"", chosen(), "\""),
        ("{\\\"name\\\":\\\"X_TOKEN\\\",\\\"value\\\":\\\"", long(), "\\\"}"),
        // Words and tables.
        ("the admin password is ", word(), "."),
        ("the password is `", chosen(), "`"),
        ("API token is ", long(), ""),
        ("| password | ", chosen(), " |"),
        ("| user | **API key** | `", long(), "` |"),
    ];
    shapes.into_iter().map(|(head, secret, tail)| (format!("{head}{secret}{tail}"), secret)).collect()
}

#[test]
fn secrets_without_a_prefix_of_their_own_go() {
    let mut missed = Vec::new();
    for seed in 1..30 {
        for (text, secret) in planted(seed) {
            for (head, tail) in [("", ""), ("before\n", "\nafter"), ("{\"a\": 1}\n", "")] {
                let text = format!("{head}{text}{tail}");
                let redacted = redact(&text).into_owned();
                if redacted.contains(&secret) || redact(&redacted) != redacted {
                    missed.push(format!("{text} => {redacted}"));
                }
            }
        }
    }
    missed.sort_unstable();
    let shown: Vec<_> = missed.iter().step_by(missed.len() / 40 + 1).cloned().collect();
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), shown.join("\n"));
}

#[test]
fn wherever_a_text_is_cut_the_same_goes() {
    for (text, secret) in planted(3) {
        for cut in (0..text.len()).filter(|&cut| text.is_char_boundary(cut)) {
            let mut output = String::new();
            let mut redactor = Redactor::new();
            redactor.push(&text[..cut], &mut output);
            redactor.push(&text[cut..], &mut output);
            redactor.finish(&mut output);
            assert_eq!(output, redact(&text), "{text} at {cut}");
            let mut detector = Detector::new();
            detector.push(&text[..cut]);
            detector.push(&text[cut..]);
            assert!(detector.finish(), "{text}: {secret} at {cut}");
        }
    }
}

#[test]
fn a_key_that_was_wrapped_goes_with_all_its_lines() {
    let (first, second, third) = (random(60, ALNUM, 1), random(60, ALNUM, 2), random(20, ALNUM, 3));
    let text = format!("export TOKEN={first}\n{second}\r\n  {third}\nnext line of 12 words\n");
    let expected =
        "export TOKEN=[REDACTED: token]\n[REDACTED: token]\r\n  [REDACTED: token]\nnext line of 12 words\n";
    assert_eq!(redact(&text), expected);
    for cut in 0..text.len() {
        let mut output = String::new();
        let mut redactor = Redactor::new();
        redactor.push(&text[..cut], &mut output);
        redactor.push(&text[cut..], &mut output);
        redactor.finish(&mut output);
        assert_eq!(output, expected, "at {cut}");
    }
    let short = format!("TOKEN={}\n3f583a4e085d17addc69c38f84d9416d7564f7b1\n", random(20, ALNUM, 4));
    assert!(redact(&short).contains("3f583a4e"), "a commit behind a short line");
}

/// The lines of a key's body.
fn key_body() -> Vec<String> {
    (0..8)
        .map(|seed| random(64, "ABCDEFGHijklmnop0123456789+/", seed))
        .chain(["Zm9vYmFyMQ==".to_owned()])
        .collect()
}

#[test]
fn a_key_whose_beginning_was_cut_off_goes_up_to_its_end() {
    const END: &str = "-----END RSA PRIVATE KEY-----";
    let body = key_body();
    let lines = |prefix: &dyn Fn(usize) -> String| -> String {
        let line = |(at, line): (usize, &String)| format!("{}{line}\n", prefix(at + 9));
        body.iter().enumerate().map(line).collect::<String>() + &prefix(99) + END
    };
    for text in [
        lines(&|_| String::new()),
        lines(&|_| "    ".to_owned()),
        lines(&|_| "+".to_owned()),
        lines(&|at| format!("{at}\t")),
        lines(&|at| format!("    {at}→")),
        lines(&|at| format!("keys/server.pem:{at}:")),
        format!("… cut …\\n{}\\n{END}\\n\"}}", body.join("\\n")),
        lines(&|_| String::new()).replace('\n', "\r\n"),
    ] {
        let text = format!("before\n{text}\nafter\n");
        let expected = redact(&text).into_owned();
        assert!(body.iter().all(|line| !expected.contains(line.as_str())), "{expected}");
        assert!(expected.starts_with("before\n") && expected.ends_with("after\n") || text.contains("cut"));
        assert_eq!(redact(&expected), expected);
        for cut in (0..text.len()).filter(|&cut| text.is_char_boundary(cut)) {
            let mut output = String::new();
            let mut redactor = Redactor::new();
            redactor.push(&text[..cut], &mut output);
            redactor.push(&text[cut..], &mut output);
            redactor.finish(&mut output);
            assert_eq!(output, expected, "at {cut}");
        }
    }
    // Of other data, and of certificates, nothing goes.
    for text in [body.join("\n"), format!("{}\n-----END CERTIFICATE-----\n", body.join("\n"))] {
        assert_eq!(redact(&text), text);
    }
}

#[test]
fn values_that_commands_and_dumps_set_go() {
    for seed in 0..20 {
        let value = random(20, ALNUM, seed);
        for text in [
            format!("{{\"kind\":\"Secret\",\"data\":{{\"DB_URL\":\"{value}\"}}}}"),
            format!("{{\"data\": {{\"A\":\"Zm9v\",\"DB_URL\":\"{value}\"}},\"kind\": \"Secret\"}}"),
            format!("{{\\\"kind\\\":\\\"Secret\\\",\\\"data\\\":{{\\\"URL\\\":\\\"{value}\\\"}}}}"),
            format!("gh secret set DEPLOY --body=\"{value}\""),
            format!("gh secret set DEPLOY -b {value}"),
            format!("aws ssm put-parameter --name /x --value {value} --type SecureString"),
            format!("fly secrets set FOO={value}"),
            format!("glab variable set FOO {value} --masked"),
            format!("vercel deploy -t {value}"),
            format!("curl --user=me@x.io:{value} https://x"),
            format!("rman target sys/{value}@//h:1521/x"),
            format!("[\"password\"]=>\n  string(20) \"{value}\""),
            format!("Key         Value\n---         -----\npassword    {value}"),
        ] {
            let redacted = redact(&text).into_owned();
            assert!(!redacted.contains(&value), "{redacted}");
            assert_eq!(redact(&redacted), redacted);
        }
    }
    for text in [
        "{\"kind\":\"ConfigMap\",\"data\":{\"level\":\"a1B2c3D4e5F6g7H8i9\"}}",
        "{\"data\":{\"id\":\"a1B2c3D4e5F6g7H8i9\",\"kind\":\"SecretSanta\"}}",
        "git checkout -b feature/a1B2c3D4e5F6",
        "docker build -t registry/a1B2c3D4e5F6g7H8 .",
        "fly secrets set --help",
        "[\"password\"]=>\n  NULL",
        "password    the user's password",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn text_like_these_shapes_stays() {
    for text in [
        "Set-Cookie: theme=dark; Path=/; Max-Age=3600",
        "document.cookie = 'accepted=yes'",
        "const { cookie } = headers; // cookie: string",
        "password is required",
        "The password is sha256-hashed, and the secret is base64",
        "the token is valid for 12h",
        "docker run -p 8080:80 -p5432:5432 mysql",
        "mkdir -p src/app2/views3 && mysql --port=3306",
        "mysql -u root -p app2",
        "| password | string | required |",
        "| token | grep2 |",
        "echo $password | sha256sum | cut -c1-8",
        "- name: REPLICAS\n  value: \"a1B2c3D4e5F6g7H8i9\"",
        "{\"name\": \"color\", \"value\": \"a1B2c3D4e5F6g7H8i9\"}",
        "{ name: 'token', value: 'string' }",
        "sorted by name2, grouped by id",
        "this is synthetic1",
        "let x = $1 + $2; echo $6$7",
        "type Secrets = { apiToken: Secret2<String>, password: Option<String> }",
        "md5 0123456789abcdef0123456789abcdef  a.txt",
        "login page2 password field3",
        "ENV NODE_VERSION 20.11.1",
        "set -x PATH /usr/local/bin $PATH",
        "kubectl create configmap c --from-literal=level=debug7",
        "echo build42 | tee log.txt",
        "docker login -p ${TOKEN} && mkdir -p dist/v2",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn of_ten_thousand_values_of_todays_logs_less_than_one_goes() {
    let Some(folder) = shared("transcripts-new") else { return };
    let (mut values, mut gone) = (0_usize, Vec::new());
    for agent in
        std::fs::read_dir(folder).unwrap().filter_map(|entry| std::fs::read_dir(entry.unwrap().path()).ok())
    {
        for file in agent {
            let Ok(text) = std::fs::read_to_string(file.unwrap().path()) else { continue };
            for line in text.lines() {
                values += line.split(['=', ':', ' ', '|']).filter(|value| value.len() >= 6).count();
                let redacted = redact(line);
                if redacted != line {
                    gone.extend(redacted.match_indices("[REDACTED: ").map(|(at, _)| {
                        let from = redacted.floor_char_boundary(at.saturating_sub(60));
                        redacted[from..redacted.floor_char_boundary(at + 40)].to_owned()
                    }));
                }
            }
        }
    }
    eprintln!("{} of {values} values", gone.len());
    assert!(gone.len() * 10_000 < values, "{} of {values}: {gone:#?}", gone.len());
}

//! Columns of tables whose header names a secret.

use densify::redact::redact;

const VALUES: [&str; 5] =
    ["q7Zt9LmX2vKc8RbN", "wP4dT6yHs9JfQz3M", "K8rVb2NxG5cLp7Wd", "Zs3Ef6Tg9Yh1Uj4k", "Mn5Bv8Cx2Za7Qw4e"];

#[track_caller]
fn all_go(header: &str, row: impl Fn(usize, &str) -> String) {
    let rows: String = VALUES.iter().enumerate().map(|(at, value)| row(at, value) + "\n").collect();
    let text = format!("above\n{header}\n{rows}\nbelow, and more\n");
    let redacted = redact(&text);
    for value in VALUES {
        assert!(!redacted.contains(value), "{redacted}");
    }
    assert!(redacted.contains("user3") && redacted.ends_with("below, and more\n"), "{redacted}");
    assert_eq!(redact(&redacted), redacted);
}

#[test]
fn a_column_whose_header_names_a_secret_is_secret() {
    let keys = "… (5 objects: their keys, then the values of each)\n";
    all_go(&format!("{keys}[\"id\",\"user\",\"password\"]"), |at, value| {
        format!("[{at},\"user{at}\",\"{value}\"]")
    });
    all_go(&format!("{keys}[\"apiKey\",\"user\"]"), |at, value| format!("[\"{value}\",\"user{at}\"]"));
    all_go("id,user,password", |at, value| format!("{at},user{at},{value}"));
    all_go("\"id\",\"db password\",\"user\"", |at, value| format!("{at},\"{value}\",\"user{at}, the\""));
    all_go("id\ttoken\tuser", |at, value| format!("{at}\t{value}\tuser{at}"));
    all_go(" id | user  | password  \n----+-------+-----------", |at, value| {
        format!("  {at} | user{at} | {value}")
    });
}

#[test]
fn every_secret_column_of_a_table_is_secret() {
    let rows = format!(
        "user,password,token,note\nuser1,{},{},ok\nuser2,{},{},ok\n",
        VALUES[0], VALUES[1], VALUES[2], VALUES[3]
    );
    let redacted = redact(&rows);
    assert!(VALUES[..4].iter().all(|value| !redacted.contains(value)), "{redacted}");
    assert_eq!(redacted.matches(",ok\n").count(), 2);
}

#[test]
fn what_is_no_table_stays() {
    for text in [
        // Code and prose are written with blanks behind commas.
        "login(user, password,\n      address1, address2)\n",
        "name, email, password\nfirst1, second2, third3abc\n",
        // Rows with another number of cells, and values that are none.
        "user,password\nsee chapter4a\n",
        "user,password\nbob,required\nann,optional\n",
        "[\"id\",\"password\"]\n{\"a\":\"q7Zt9LmX2vKc8RbN\"}\n",
        "model,max_token\ngpt-4.1,4096\n",
        "a | password\nb | q7Zt9LmX2vKc8RbN\n",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn credentials_of_the_second_attack_go() {
    let long = "qZt9LmX2vKc8RbNwP4dT6yHs9JfQz3MK8rVb2NxG5cL";
    for text in [
        "AWS Secret Access Key [None]: {}",
        "curl -u me@x.io:{} https://x.example",
        "dp.st.dev.{}",
        "storePassword \"{}\"",
        "gh secret set DEPLOY --body {}",
        "aws ssm put-parameter --name /x/db --type SecureString --value {}",
        "TOKENS=(\"{}\" \"b\")",
    ] {
        let redacted = redact(&text.replace("{}", long)).into_owned();
        assert!(!redacted.contains(long), "{redacted}");
        assert_eq!(redact(&redacted), redacted);
    }
    for text in [
        "refreshToken: RefreshTokenDto2",
        "http://localhost:3000@v1",
        "gh pr create --body q7Zt9LmX2vKc8RbN",
        "items [None]: q7Zt9LmX2vKc8RbN",
        "NAMES=(\"q7Zt9LmX2vKc8RbN\")",
    ] {
        assert_eq!(redact(text), text);
    }
}

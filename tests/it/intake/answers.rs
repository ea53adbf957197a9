//! Intake keeps the text that a call asked for, and the lines that explain a failure.

use densify::intake::{Call, shrink_result};
use densify::tools::ToolTable;
use serde_json::{Value, json};

use super::limits;

/// A result as it is sent.
fn sent(call: &Call, text: &str) -> String {
    shrink_result(text, call, &limits(json!({}))).map_or_else(|| text.to_owned(), |shrunk| shrunk.text)
}

fn call(name: &str, parameters: &Value) -> Call {
    Call::new(name, parameters, &ToolTable::default())
}

#[track_caller]
fn keeps(command: &str, text: &str, parts: &[&str]) {
    let sent = sent(&call("bash", &json!({"command": command})), text);
    for part in parts {
        assert!(text.contains(part), "{command}: no {part:?} in the input");
        assert!(sent.contains(part), "{command}: {part:?} of\n{sent:.3000}");
    }
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect::<Vec<_>>().join("\n")
}

/// Many lines of noise with a block in the middle and a last line.
fn amid(count: usize, noise: impl Fn(usize) -> String, block: &str, last: &str) -> String {
    lines(count, |at| if at == count / 2 { block.to_owned() } else { noise(at) }) + "\n" + last
}

type Noise<'line> = &'line dyn Fn(usize) -> String;

fn debug(at: usize) -> String {
    format!("out {at} {} {}", at * 7919 % 100_003, "xyz ".repeat(8))
}

#[test]
fn a_failure_stays_with_its_block() {
    let jest = "  ● cart › computes total\n\n    expect(received).toBe(expected) // Object.is equality\n\n    \
                Expected: 4711\n    Received: 4712\n\n      41 |   cart.add(x);\n    > 42 |   \
                expect(cart.total).toBe(4711);\n         |                      ^\n\n      at Object.<anonymous> \
                (src/cart.test.ts:42:22)\n";
    let noise = |at: usize| {
        format!("  console.log\n    state dump {at} {} {}\n", at * 7919 % 100_003, "abc ".repeat(10))
    };
    let text = amid(1_200, noise, jest, "Tests:       1 failed, 400 passed, 401 total");
    let parts = ["● cart", "Expected: 4711", "Received: 4712", "> 42 |", "src/cart.test.ts:42:22"];
    keeps("npx jest", &text, &parts);

    let vitest = " FAIL  src/cart.test.ts > computes\nAssertionError: expected { a: 1 } to deeply equal { a: 2 }\n\n- \
                  Expected\n+ Received\n\n  {\n    \"a\": 1,\n-   \"b\": 3,\n+   \"b\": 2,\n  }\n\n ❯ \
                  src/cart.test.ts:42:22\n     42|   expect(cart).toEqual({a:1,b:3});\n       |                ^\n";
    let noise = |at: usize| {
        format!("stdout | src/x{at}.test.ts > t {}\nsome text {at} {}\n", at * 7919 % 1009, "abc ".repeat(12))
    };
    let text = amid(1_200, noise, vitest, " Tests  1 failed | 3 passed (4)");
    keeps("npx vitest run", &text, &["-   \"b\": 3,", "+   \"b\": 2,", "❯ src/cart.test.ts:42:22"]);

    for (command, block, parts) in [
        (
            "pytest",
            "____ test_total ____\n\n    def test_total():\n        c = cart()\n>       assert c.total == 4711\nE       \
             assert 4712 == 4711\nE        +  where 4712 = <Cart items=3>.total\n\ntests/test_cart.py:42: \
             AssertionError\n----- Captured stdout call -----",
            &["____ test_total ____", "c = cart()", "where 4712", "tests/test_cart.py:42"][..],
        ),
        (
            "pytest",
            "E       AssertionError: assert {'a': 1} == {'a': 2}\nE         \nE         Full diff:\nE           {\nE         \
             -     'b': 3,\nE         +     'b': 2,\nE           }\n\ntests/test_cart.py:42: AssertionError",
            &["-     'b': 3", "+     'b': 2", "tests/test_cart.py:42"],
        ),
        (
            "make check",
            "--- FAIL: TestCart (0.00s)\n    cart_test.go:40: setup done\n    cart_test.go:41: adding 3 items\n    \
             cart_test.go:42: total = 4712, want 4711",
            &["want 4711"],
        ),
        (
            "./gradlew test",
            "CartTest > total() FAILED\n    org.opentest4j.AssertionFailedError: sums differ ==> expected: <4711> but was: \
             <4712>\n        at app//com.acme.Other.call(Other.java:7)\n        at \
             app//com.acme.CartTest.total(CartTest.java:42)",
            &["but was: <4712>", "CartTest.java:42"],
        ),
        (
            "bundle exec rspec",
            "  1) Cart total sums up\n     Failure/Error: expect(cart.total).to eq(4711)\n\n       expected: 4711\n            \
             got: 4712\n\n       (compared using ==)\n     # ./spec/cart_spec.rb:42:in 'block (3 levels)'",
            &["1) Cart total", "got: 4712", "cart_spec.rb:42"],
        ),
        (
            "mix test",
            "  1) test total (CartTest)\n     test/cart_test.exs:42\n     Assertion with == failed\n     code:  assert \
             total(c) == 4711\n     left:  4712\n     right: 4711\n     stacktrace:\n       test/cart_test.exs:43: (test)",
            &["left:  4712", "right: 4711", "cart_test.exs:43"],
        ),
        (
            "npx playwright test",
            "  1) [chromium] › e2e/cart.spec.ts:7:5 › total ────\n\n    Error: expect(locator).toHaveText(expected) \
             failed\n\n    Locator: getByTestId('total')\n    Expected string: \"4711\"\n    Received string: \
             \"4712\"\n    Timeout: 5000ms\n\n    Call log:\n      - Expect \"toHaveText\" with timeout 5000ms\n\n    > 11 \
             |   await expect(page.getByTestId('total')).toHaveText('4711');\n         |      ^\n        at \
             e2e/cart.spec.ts:11:43",
            &[
                "1) [chromium]",
                "Locator: getByTestId('total')",
                "Received string: \"4712\"",
                "cart.spec.ts:11:43",
            ],
        ),
        (
            "dotnet test",
            "  Failed Acme.CartTest.Total [12 ms]\n  Error Message:\n   Assert.Equal() Failure: Values differ\nExpected: \
             4711\nActual:   4712\n  Stack Trace:\n     at Acme.CartTest.Total() in /r/CartTest.cs:line 42",
            &["Actual:   4712", "CartTest.cs:line 42"],
        ),
        (
            "vendor/bin/phpunit",
            "1) Tests\\CartTest::testTotal\nFailed asserting that two arrays are equal.\n--- Expected\n+++ Actual\n@@ @@\n \
             Array (\n-    'total' => 4711\n+    'total' => 4712\n )\n\n/r/tests/CartTest.php:42",
            &["1) Tests", "-    'total' => 4711", "+    'total' => 4712", "CartTest.php:42"],
        ),
    ] {
        keeps(command, &amid(2_500, debug, block, "1 failed"), parts);
    }
}

#[test]
fn an_error_among_many_warnings_stays_with_its_block() {
    let rustc = "error[E0308]: mismatched types\n   --> src/cart.rs:42:18\n    |\n40  | fn total() -> i32 {\n    |               \
                 --- expected `i32` because of return type\n42  |     \"4711\"\n    |     ^^^^^^ expected `i32`, found \
                 `&str`\n";
    let warning = |at: usize| {
        format!(
            "warning: unused variable: `x{at}`\n  --> src/a{at}.rs:{at}:9\n   |\n{at} |     let x{at} = {};\n   |         ^^ \
             help: if this is intentional, prefix it with an underscore: `_x{at}`\n",
            at * 7919 % 1009
        )
    };
    let text = amid(1_500, warning, rustc, "error: could not compile `x` due to 1 previous error");
    keeps("cargo build", &text, &["src/cart.rs:42:18", "found `&str`"]);

    let tsc = "src/cart.ts:42:3 - error TS2322: Type 'string' is not assignable to type 'number'.\n\n42   total: \
               \"4711\",\n     ~~~~~\n\n  src/types.ts:7:3\n    7   total: number;\n        ~~~~~\n    The expected type \
               comes from property 'total'\n";
    let unused = |at: usize| {
        format!(
            "src/f{at}.ts:{at}:1 - error TS6133: 'x{at}' is declared but its value is never read.\n\n{at} const x{at} = \
             {};\n  ~~~~~~\n",
            at * 7919 % 1009
        )
    };
    keeps("npx tsc --pretty", &amid(900, unused, tsc, "Found 900 errors"), &["TS2322", "src/types.ts:7:3"]);
}

#[test]
fn the_room_for_the_middle_is_used() {
    let text = amid(3_000, debug, "error: it broke", "done");
    let tokens = densify::tokens::estimate::estimate(&sent(&call("bash", &json!({"command": "./x"})), &text));
    assert!((7_200..=8_000).contains(&tokens), "{tokens}");
}

#[test]
fn the_one_odd_line_stays() {
    let plan = |what: [&'static str; 3], odd: [&'static str; 3]| {
        lines(600, |at| {
            let [head, sign, end] = if at == 300 { odd } else { what };
            let tag = at * 7919 % 1009;
            format!(
                "  # aws_db.b{at} {head}\n  {sign} resource \"aws_db\" \"b{at}\" {{\n      ~ tag = \"b-{tag}\"{end}\n    }}"
            )
        })
    };
    let replaced =
        plan(["will be updated in-place", "~", ""], ["must be replaced", "-/+", " # forces replacement"]);
    keeps("terraform plan", &replaced, &["b300 must be replaced", "forces replacement"]);
    let destroyed = plan(["will be created", "+", ""], ["will be destroyed", "-", ""]);
    keeps("terraform plan", &destroyed, &["b300 will be destroyed"]);

    let host = |at: usize| at * 7919 % 65_000;
    let pod = |at: usize| format!("ns{} pod-{}-abc 1/1 Running 0 5d", at % 7, host(at));
    let closed = |at: usize| format!("{}/tcp closed unknown", host(at));
    let unit = |at: usize| format!("unit-{}.service loaded active running Unit {at}", host(at));
    let branch =
        |at: usize| format!("  feature/{} {:x} [origin/x{at}] message {at}", host(at), host(at) + 1_000_000);
    let file = |at: usize| format!(">f+++++++++ f{}/file{at}.txt", host(at));
    let read = |at: usize| format!("read(3, \"abc{}\", 4096) = 4096", host(at));
    let size = |at: usize| format!("2026-01-01 10:00:00  {} part-{at}.gz", host(at) + 100);
    let cases: &[(&str, Noise, &str)] = &[
        ("kubectl get pods -A", &pod, "ns2 pod-7-abc 0/1 ImagePullBackOff 0 5d"),
        ("kubectl get pods -A", &pod, "ns2 pod-7-abc 0/1 Pending 0 5d"),
        ("nmap -p- h", &closed, "8080/tcp open unknown"),
        ("systemctl list-units", &unit, "unit-7.service loaded activating auto-restart Unit 7"),
        ("git branch -avv", &branch, "* feature/7 f4240 [origin/x7] message 7"),
        ("rsync -n --delete", &file, "*deleting   prod/keys.json"),
        ("strace -f ./x", &read, "openat(AT_FDCWD, \"/etc/app.conf\") = -1 EPERM (Operation not permitted)"),
        ("aws s3 ls", &size, "2026-01-01 10:00:00  0 part-1250.gz"),
        ("./check", &|at| format!("host-{} YES", host(at)), "host-7 NO"),
        (
            "zpool status",
            &|at| format!("  disk{} ONLINE 0 0 0 some text here", host(at)),
            "  disk7 DEGRADED 0 0 0 some text here",
        ),
        ("diff -rq a b", &|at| format!("Files a/f{at} and b/f{at} differ"), "Only in a: config.prod.yml"),
        (
            "alembic upgrade --sql",
            &|at| format!("ALTER TABLE t{at} ADD COLUMN c{at} INT;"),
            "DROP TABLE invoices;",
        ),
        (
            "docker ps -a",
            &|at| format!("c{at} img:{} \"run\" 5 days ago Up 5 days app{at}", at % 7),
            "Restarting (137)",
        ),
        ("git diff", &|at| format!("+  const v{at} = {};", host(at)), "-  const v7 = 1;"),
        // A rare value in a line like all others.
        ("./rollout", &|at| format!("node{} image=app:2.4.1 ready", host(at)), "node7 image=app:2.4.0 ready"),
        (
            "./jobs",
            &|at| format!("job {} took {} ms, exit=0x0", host(at), at % 97),
            "job 7 took 5 ms, exit=0x8b",
        ),
        ("./replicas", &|at| format!("shard-{at} 3/3 in eu-west-1"), "shard-1250 2/3 in eu-west-1"),
    ];
    for (command, noise, odd) in cases {
        keeps(command, &amid(2_500, noise, odd, "end"), &[odd]);
    }
}

#[test]
fn lines_that_all_differ_are_not_odd() {
    // Words of letters alone: no two lines have the same shape.
    let letter = |at: usize| "abcdefghijklmnop".chars().nth(at & 15).unwrap();
    let word = |at: usize| (0..6).map(|place| letter(at >> (place * 2))).collect::<String>();
    let text = lines(4_000, |at| format!("{} {} words in a line", word(at * 7919), word(at * 104_729)));
    let sent = sent(&call("bash", &json!({"command": "./x"})), &text);
    assert_eq!(sent.matches("left out").count(), 1, "{sent:.2000}");
}

fn time(at: usize) -> String {
    format!("2026/01/01 10:{:02}:{:02}", at / 60 % 60, at % 60)
}

#[test]
fn reports_with_levels_are_no_logs() {
    let tree =
        lines(260, |at| format!("[INFO] |  +- org.lib{}:artifact-{at}:jar:1.{at}.0:compile", at * 37 % 211));
    let text = format!(
        "[INFO] Scanning\n[WARNING] Some problems\n[INFO] com.acme:app:jar:1.0\n{tree}\n[INFO] BUILD SUCCESS"
    );
    keeps("mvn dependency:tree", &text, &["artifact-100:"]);
    let updates =
        lines(260, |at| format!("[INFO]   org.lib:artifact-{at} ........ 1.{at} -> 2.{}", at * 7 % 19));
    keeps(
        "mvn -q versions:display-dependency-updates",
        &format!("[WARNING] y\n{updates}"),
        &["artifact-100 "],
    );
    let tree = lines(260, |at| format!("[info]   +-org.lib{}:artifact-{at}:1.{at}", at * 37 % 211));
    keeps("sbt dependencyTree", &format!("[info] welcome\n[warn] y\n{tree}"), &["artifact-100:"]);
}

#[test]
fn what_a_search_found_in_a_log_stays() {
    let found = lines(300, |at| {
        let (time, state) = (time(at), at * 7919 % 1009);
        if at == 150 {
            format!("{time} WARN slow id=7 q={at}")
        } else {
            format!("{time} INFO order id=7 state={state}")
        }
    });
    let state = &format!("state={}", 60 * 7919 % 1009)[..];
    for command in [
        "grep 'id=7 ' app.log",
        "docker logs web | grep id=7",
        "docker logs web 2>&1 | rg id=7 | head -500",
        "bash -lc \"grep 'id=7 ' app.log\"",
        "ssh web \"grep 'id=7 ' app.log\"",
        "cd /srv && awk '/id=7/' app.log",
        "mysql -B -e 'select ts, level, msg from audit'",
    ] {
        keeps(command, &found, &[state]);
    }
    let listed = call("shell", &json!({"command": ["bash", "-lc", "grep id=7 app.log | sort"]}));
    assert!(sent(&listed, &found).contains(state));
    let grep = call("Grep", &json!({"pattern": "id=7", "path": "app.log", "output_mode": "content"}));
    assert!(sent(&grep, &found).contains(state));
    // A log without some of its lines is still a log.
    for command in ["docker logs web", "docker logs web | grep -v healthcheck", "grep x a.txt; make run"] {
        assert!(!sent(&call("bash", &json!({"command": command})), &found).contains(state), "{command}");
    }
}

#[test]
fn a_test_that_fails_amid_log_lines_stays() {
    let test = |at: usize| {
        let place =
            if at == 30 { "\n    server_test.go:42: got body \"hello\", want \"goodbye\"" } else { "" };
        let handled = lines(5, |line| {
            format!("{} INFO handled path=/x{line} dur={}ms", time(at * 5 + line), line * 7 % 13)
        });
        let ended =
            lines(5, |line| format!("{} INFO shutting down worker={}", time(at * 5 + line), line * 37 % 11));
        let outcome = if at == 30 { "FAIL" } else { "PASS" };
        format!("=== RUN   TestServer{at}\n{handled}{place}\n{ended}\n--- {outcome}: TestServer{at} (0.00s)")
    };
    keeps("make check", &(lines(60, test) + "\nFAIL\nFAIL\tex.com/server\t0.5s"), &["want \"goodbye\""]);
}

#[test]
fn of_a_log_the_line_that_is_like_no_other_stays() {
    let beat = |at: usize| format!("{} INFO beat {}", time(at), at * 37 % 11);
    let text = format!(
        "{}\n{}\n{}",
        time(0) + " ERROR lost",
        amid(300, beat, &(time(150) + " INFO mode=readonly now"), ""),
        lines(30, beat)
    );
    keeps("journalctl -u x", &text, &["mode=readonly"]);
    // Neither does it say anything that a line without a time has a level, if it stands there once.
    let text = amid(
        300,
        |at| format!("[INFO] Running com.T{at}"),
        "[INFO] Deployed to eu-central",
        "[WARNING] slow",
    );
    keeps("mvn deploy", &text, &["eu-central"]);
}

#[test]
fn steps_that_are_the_result_stay() {
    let updated = lines(30, |at| {
        format!("    Updating crate{} v1.{at}.0 -> v{}.{}.0", at * 7 % 31, at % 3 + 1, at + 1)
    });
    keeps("cargo update --dry-run", &format!("     Locking 30 packages\n{updated}"), &["v1.15.0 ->"]);
    let added = lines(30, |at| format!("      Adding crate{at} v1.{at}.0 (available: v2.{at}.0)"));
    keeps("cargo update", &added, &["v1.15.0"]);
    keeps("cargo build", &format!("{added}\n   Compiling a v1.0.0"), &["v1.15.0"]);
    let added = lines(30, |at| format!("      Adding crate{at} v1.{at}.0"));
    keeps("cargo update", &added, &["v1.15.0"]);
    keeps(
        "./collect.sh",
        &lines(12, |at| format!("Collecting host-{at}: {} open ports", at * 7919 % 101)),
        &["host-5: "],
    );
    keeps(
        "./cache",
        &lines(12, |at| format!("Hit: {} of 200 in shard {}", at * 7919 % 101, at * 3 % 13)),
        &["shard 2"],
    );
    keeps(
        "./setup",
        &lines(12, |at| format!("Setting up tenant t{at} -> port {}", 4000 + at * 7919 % 101)),
        &["t5 ->"],
    );
    let fetched =
        |at: usize| format!("npm http fetch GET {} https://r/p{at} {at}ms", if at == 9 { 404 } else { 200 });
    keeps("npm install", &lines(30, fetched), &["404 https://r/p9"]);
    let set_up = |at: usize| {
        format!("Setting up lib{at} (1.1) {}", if at == 9 { "with the password x7" } else { "..." })
    };
    keeps("apt-get install x", &lines(30, set_up), &["password x7"]);
    // Steps of installers still go.
    for step in [
        "Collecting dep7>=1.0 (from -r requirements.txt (line 3))",
        "Requirement already satisfied: dep7 in /venv/lib (1.26)",
        "Get:7 http://deb.example/debian bookworm/main amd64 dep7 amd64 1.2-3 [45 kB]",
        "Setting up dep7 (1.2.3-4) ...",
        "npm http fetch GET 200 https://r/p7 7ms (cache miss)",
        "go: downloading example.com/dep7 v1.2.3",
    ] {
        let text = lines(30, |at| step.replace('7', &format!("{}", at * 7 % 31)));
        assert!(sent(&call("bash", &json!({"command": "./install"})), &text).contains("left out"), "{step}");
    }
    let built = format!("{added}\n   Compiling a v1.0.0\n    Finished dev");
    assert!(!sent(&call("bash", &json!({"command": "cargo build"})), &built).contains("v1.15.0"));
}

#[test]
fn a_generated_hunk_that_was_asked_for_stays() {
    let hunk = |path: &str| {
        let changes = lines(30, |at| format!("{}  pkg{at}: 1.{at}", if at % 2 == 0 { '+' } else { '-' }));
        format!(
            "diff --git a/{path} b/{path}\nindex 1..2 100644\n--- a/{path}\n+++ b/{path}\n@@ -1,9 +1,9 @@\n{changes}\n-  \
             left-pad: 1.3.0\n+  left-pad: 1.2.0\n"
        )
    };
    let own = "diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b";
    let lock = hunk("pnpm-lock.yaml");
    for command in [
        "git log -p -S\"left-pad: 1.2.0\"",
        "git log -p -S 'left-pad: 1.2.0'",
        "git log -p -G left-pad",
        "git diff -- '*.yaml' src",
        "git diff -- '*lock*' src",
        "git diff pnpm-lock* src",
    ] {
        keeps(command, &format!("commit abc\n\n    bump\n\n{lock}{own}"), &["left-pad: 1.2.0"]);
    }
    keeps("git diff -- dist src", &format!("{}{own}", hunk("dist/app.js")), &["left-pad: 1.2.0"]);
    // A diff of nothing else was asked for.
    keeps("git show HEAD", &format!("commit abc\n\n    bump\n\n{lock}"), &["left-pad: 1.2.0"]);
    for command in ["git diff", "git diff -- '*.ts'", "git log -p -S\"right-pad\"", "git diff main..dev"] {
        let sent = sent(&call("bash", &json!({"command": command})), &format!("{lock}{own}"));
        assert!(!sent.contains("left-pad"), "{command}");
    }
}

#[test]
fn cells_keep_their_indentation() {
    let boxed = |rows: &[&str]| {
        let width = rows.iter().map(|row| row.len()).max().unwrap_or_default();
        let rule = format!("+{}+", "-".repeat(width + 2));
        let row = |row: &str| format!("| {row:width$} |");
        let body = rows.iter().map(|text| row(text)).collect::<Vec<_>>().join("\n");
        format!("{rule}\n{}\n{rule}\n{body}\n{rule}", row("QUERY PLAN"))
    };
    let plan = [
        "Hash Join  (cost=1.09)",
        "  ->  Seq Scan on a",
        "        Filter: (x > 3)",
        "  ->  Hash",
        "        ->  Nested Loop",
        "              ->  Index Scan on b",
    ];
    // The last row stands above a rule, too, and is no head.
    keeps("pgcli -e explain", &boxed(&plan), &plan);
    let yaml = " id |       src       \n----+-----------------\n  1 | on:            +\n    |   push:        +\n    |     \
                branches:  +\n    |       - main   +\n    | 12:            +\n    |   3: a         +\n    |     with: b    \n(1 row)\n";
    keeps("psql -c 'select src from wf'", yaml, &["|       - main", "|   3: a", "|     with: b"]);
    let first = " src             |   id \n-----------------+------\n if x:           |    1 \n     return 1    |   22 \n return 2        | NULL \n";
    let tight = sent(&call("bash", &json!({"command": "psql"})), &first.repeat(3));
    assert!(tight.contains("if x: | 1\n    return 1 | 22\n"), "{tight}");
}

#[test]
fn a_slow_test_stays() {
    let go = |at: usize| {
        format!("=== RUN   TestA{at}\n--- PASS: TestA{at} ({}s)", if at == 5 { "47.11" } else { "0.00" })
    };
    keeps("go test -v ./...", &(lines(12, go) + "\nPASS\nok  \tx\t47.2s"), &["47.11s"]);
    let jest = |at: usize| format!("    ✓ t{at} ({} ms)", if at == 5 { 4711 } else { 2 });
    keeps(
        "npx jest",
        &format!("PASS src/a.test.ts\n{}\n\nTests:       12 passed, 12 total", lines(12, jest)),
        &["4711 ms"],
    );
    let bun = |at: usize| format!("(pass) t{at} [{}.00ms]", if at == 9 { 9000 } else { 1 });
    keeps("bun test", &(lines(12, bun) + "\n 12 pass"), &["t9 [9000.00ms]"]);
    let retried = |at: usize| {
        format!("  ✓  {at} a.spec.ts:{at}:1 › t{at}{} (1.0s)", if at == 4 { " (retry #1)" } else { "" })
    };
    keeps("npx playwright test", &(lines(12, retried) + "\n\n  1 flaky\n  12 passed (5.0s)"), &["retry #1"]);
    // Where all are slow, none is news.
    let slow = lines(12, |at| format!("--- PASS: TestA{at} (2.{at}s)")) + "\nPASS";
    assert!(!sent(&call("bash", &json!({"command": "go test -v"})), &slow).contains("TestA5"));
}

#[test]
fn ticks_above_what_sums_up_no_tests_stay() {
    let seats = lines(12, |at| format!("✓ Seat {} assigned to guest {}", at * 37 % 91, at * at));
    for end in ["12 passed (checks)", "Tests: none", "Tests:       see below"] {
        keeps("./seats", &format!("{seats}\n{end}"), &["Seat 3 assigned"]);
    }
}

#[test]
fn directives_of_tap_stay_in_any_case() {
    let tap = "1..8\nok 1 - a\nok 2 - b # skip no db\nok 3 - c # todo later\nok 4 - d # Skip no net\n"
        .to_owned()
        + &lines(4, |at| format!("ok {} - the test number {at}", at + 5));
    keeps("prove -v", &tap, &["no db", "later", "no net"]);
}

#[test]
fn own_frames_stay() {
    let frames = "Error: boom\n    at lib (/r/node_modules/x/i.js:1:1)\n    at s (internal/other.js:14:3)\n    at r \
                  (internal/third.js:15:3)\n    at q (internal/fourth.js:16:3)";
    keeps("node a.js", frames, &["internal/other.js:14"]);
    let go = "panic: boom\n\ngoroutine 7 [running]:\n".to_owned()
        + &lines(4, |at| {
            format!("example.com/app/store.F{at}(0x1)\n\t/repo/pkg/mod/store/f{at}.go:12 +0x1d")
        });
    keeps("go test ./...", &go, &["/repo/pkg/mod/store/f2.go:12"]);
}

/// Numbers that rise, but not by the same step.
const WORKERS: [usize; 12] = [1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 4, 5];
const RISING: [usize; 10] = [3, 7, 8, 8, 19, 20, 41, 55, 70, 90];

#[test]
fn a_number_that_a_line_assigns_to_another_stays() {
    for line in [
        |at, worker| format!("shard {at} -> worker {worker} of the cluster"),
        |at, floor| format!("Room {} is on floor {floor}, in the old building", 101 + at),
        |row, group| format!("{{\"row\": {row}, \"group\": {group}, \"kind\": \"seat\"}}"),
        |seat, table| format!("- {{seat: {seat}, table: {table}, menu: standard}}"),
        |at, chapter| format!("Lesson {at}: chapter {chapter}, in room 7 as always"),
        |at, team| format!("{at}\t{team}\tmember of a team"),
        |at, level| format!("GPIO {at}: level={} fsel=0 func=INPUT", level % 2),
        |pid, _| format!("pid {} holds the lock of job {}", 4000 + pid, pid * 3),
    ] {
        let line: fn(usize, usize) -> String = line;
        let all: Vec<String> = WORKERS.iter().enumerate().map(|(at, value)| line(at, *value)).collect();
        let parts: Vec<&str> = all.iter().map(String::as_str).collect();
        let sent = sent(&call("bash", &json!({"command": "./x"})), &all.join("\n"));
        // Where the number is the same on four lines, the two between them can be inferred.
        let unfolded = sent.replace("… (2 lines with consecutive numbers left out)", "\n");
        assert!(!unfolded.contains("left out") && unfolded.lines().count() >= parts.len(), "{sent}");
    }
}

#[test]
fn measurements_beside_a_number_stay() {
    for line in [
        |at, value| format!("threads {at} elapsed {value}.2 s"),
        |at, value| format!("pid {} waiting {value} s for lock on accounts", 4000 + at),
        |at, value| format!("Sprint {at}: {value}/100 points completed"),
        |at, value| format!("Flight {at} remaining: {value} of 100 seats"),
        |at, value| format!("Option {at} {} {value}%", "█".repeat(value / 2 + 3)),
        |_, value| format!("{} {value}%", "█".repeat(value / 2 + 3)),
        |at, value| format!("Bucket {at} [====>    ] {value} s"),
        |at, value| format!("Region {at}/10 completed {value}%"),
        |at, value| format!("Epoch {at}/10 elapsed {value} s"),
        |at, value| format!("Epoch {at}/10 {value} s remaining"),
        |at, value| format!("Disk {at} copying {value} GB to the archive"),
        |at, value| format!("Partition {at}: {value}% processed, skipped {at}"),
        |at, value| format!("attempt {at} of the upload, waiting {value} s"),
        |at, value| format!("attempt {at}, still waiting, {value}%"),
        |at, value| format!("1{at}:{:02} loading bay open", value % 60),
        |at, value| format!("Truck {at} loading 1{at}:{:02} at dock 4", value % 60),
        |_, value| format!("the query elapsed {value} ms in total"),
        |_, value| format!("100% completed, took {value} s"),
    ] {
        let line: fn(usize, usize) -> String = line;
        let all: Vec<String> = RISING.iter().enumerate().map(|(at, value)| line(at, *value)).collect();
        let parts: Vec<&str> = all.iter().map(String::as_str).collect();
        keeps("./x", &all.join("\n"), &parts);
    }
}

#[test]
fn lines_that_can_be_inferred_go() {
    for line in [
        |at| format!("[{at}/12] copied the next part of the archive"),
        |at| format!("Pass {at} of the solver is done"),
        |at| format!("{at:>3} | empty row of the table"),
        |at| format!("{at:<3} | empty row of the table"),
        |at| format!("Chapter {at} begins on page {}", at + 10),
        |at| format!("part [{at:02}/12] was written to the disk"),
        |at| format!("2026-02-09 07:00:{:02} still waiting for the server, attempt {at}", at * 3),
        |at| format!("lint  [{}>{}] {at}/12", "=".repeat(at), " ".repeat(12 - at)),
        |at| {
            format!(
                "{}% of the model downloaded, downloading at {}.5 MB/s, {} s left",
                at * 8,
                at % 5,
                50 - at * 3 % 7
            )
        },
        |at| format!("Receiving objects: {:>3}% ({}/1200), {at}.20 MiB", at * 100 / 12, at * 100),
    ] {
        let line: fn(usize) -> String = line;
        let sent = sent(&call("bash", &json!({"command": "./x"})), &lines(12, |at| line(at + 1)));
        assert!(sent.contains("left out") && sent.lines().count() <= 7, "{sent}");
    }
    // The depth of a line is no number.
    let nested = lines(6, |at| format!("{}→{}}}", 166 + at, "\t".repeat(7 - at)));
    keeps("./x", &nested, &["169→\t\t\t\t}"]);
}

#[test]
fn results_that_look_like_steps_stay() {
    let odd = |at: usize| at * 37 % 91;
    for line in [
        |at, odd| format!("[{at}/12] Creating invoice INV-{odd} for customer C{}", at * at),
        |at, odd| format!("[{at}/12] Scanning host 10.0.{odd}.1 open 22,{}", at * 7),
        |at, odd| format!("[{at}/12] Resolving ticket T-{odd} as duplicate of T-{}", at * at),
        |at, odd| format!("[{at}/12] Performing transfer of {odd} EUR to account {}", at * at),
        |at, odd| format!("[{at}/12] Copying s3://b/{odd} to s3://c/{}", at * at),
        |at, odd| format!("[{at}/12] Building for sale: {odd} Main St"),
        |at, odd| format!("[{at}/12] Fetching mailbox user{odd}@x.com"),
        |at, odd| format!("[{at}/12] Scanning src/a{odd}.py found {} secrets", at * 7),
        |at, odd| format!("[{at}/12] Creating report-{odd}.pdf"),
        |at, odd| format!("[{at}/12] Creating account object {odd}"),
        |_, odd| format!("[5/12] shop{odd}.example.com"),
        |at, odd| format!("Setting up user{at} (uid {}, desk {odd})", 1000 + at),
        |at, odd| format!("Setting up desk{at} ({odd})"),
        |at, odd| format!("Unpacking shipment-{at} ({odd} pallets, dock {at})"),
        |at, odd| format!("Collecting sample{at} (pH 7.{odd})"),
        |at, odd| format!("Collecting parcel-{at}-{odd}"),
        |at, odd| format!("Processing triggers for zap{at} (lead {odd})"),
        |at, odd| format!("  Downloading report{at} (id {odd})"),
        |at, odd| format!("Downloading https://x.example/{at}.csv ({odd} rows)"),
        |at, odd| format!("  Installing printer v{odd} in room v{at}"),
    ] {
        let line: fn(usize, usize) -> String = line;
        let all: Vec<String> = (1..=12).map(|at| line(at, odd(at))).collect();
        let parts: Vec<&str> = all.iter().map(String::as_str).collect();
        keeps("./x", &all.join("\n"), &parts);
    }
    for step in [
        "[7/40] Building CXX object src/app.dir/part7.cpp.o",
        "[7/40] Linking CXX shared library lib7.so.1",
        "[ 7%] Built target part7",
        "[7/40] Generating part7.h with a custom command",
        "[7/40] Scanning /w/src/part7.cpp for CXX dependencies",
        "[7/40] Performing update step for 'part7'",
        "[7/40] Compiling App Part7.swift",
        "[7/40] CC [M] drivers/part7.o",
        "[7/40] src/part7.c",
        "Unpacking lib7:amd64 (1:2.7-3) over (1:2.6-1) ...",
        "Processing triggers for lib7 (2.36-9+deb12u4) ...",
        "  Downloading dep7-1.0-py3-none-any.whl (12 kB)",
        "Using cached dep7-1.0.tar.gz (1.2 MB)",
    ] {
        let text = lines(30, |at| step.replace('7', &format!("{}", at * 7 % 31 + 1)));
        assert!(sent(&call("bash", &json!({"command": "./install"})), &text).contains("left out"), "{step}");
    }
}

#[test]
fn figures_and_gaps_of_similar_lines_stay() {
    let memory = lines(10, |at| format!("loading shard, memory {}%", 30 + at * at * 7 / 10));
    keeps("./load", &memory, &["memory 47%"]);
    let share = |at: usize| [10, 12, 30, 31, 33, 50, 60, 70, 80, 90].get(at).copied().unwrap_or(99);
    keeps(
        "./cov",
        &lines(10, |at| format!("processed file {} of 10: coverage {}%", at + 1, share(at))),
        &["31%"],
    );
    let times =
        ["12:00:01", "12:00:02", "12:00:03", "12:00:04", "12:47:00", "12:47:01", "12:47:02", "12:47:03"];
    let beats = times.map(|time| format!("{time} heartbeat still alive")).join("\n");
    keeps("./x", &beats, &["12:00:04", "12:47:00"]);
}

#[test]
fn a_line_whose_trouble_is_a_number_or_a_letter_stays() {
    let bad = [
        "INFO: 10.0.0.9:1 - \"GET /items/907 HTTP/1.1\" 503 Service Unavailable",
        "INFO request done status=500",
        "INFO {\"path\":\"/x\",\"status\":502}",
        "INFO worker 7 exited with code 137",
        "INFO job done rc=1",
        "INFO health check web-7: DOWN",
        "INFO order 907 declined",
        "INFO der kom en fejl",
        "INFO {\"level\":50,\"msg\":\"x\"}",
    ];
    for line in bad {
        let log: Vec<String> = (0..400)
            .map(|at| match at {
                57 | 157 | 257 | 357 => format!("2026-01-02T10:00:00Z {line}"),
                200 => "2026-01-02T10:00:00Z WARN queue is long".to_owned(),
                _ => format!("2026-01-02T10:00:00Z INFO 10.0.0.{}:1 - \"GET /items/{at} HTTP/1.1\" 200 OK status=200 rc=0", at % 9),
            })
            .collect();
        let shrunk = sent(&call("bash", &json!({"command": "cat app.log"})), &log.join("\n"));
        assert!(shrunk.lines().count() < 200, "{line}");
        assert_eq!(shrunk.matches(line).count(), 4, "{line}");
    }
}

//! What commands read and write.

use serde_json::{Value, json};

use super::{call, operations, short};

#[track_caller]
fn check(command: &str, expected: &str) {
    assert_eq!(short(&operations(&call("Bash", json!({"command": command})))), expected, "{command}");
}

#[test]
fn commands_that_show_files() {
    for (command, expected) in [
        ("cat a", "r/w/a"),
        ("cat a ./b ../c /d", "r/c r/d r/w/a r/w/b"),
        ("cat -n -- -odd", "r/w/-odd"),
        ("cat -", ""),
        ("cat", ""),
        ("cat < a", "r/w/a"),
        ("/bin/cat a", "r/w/a"),
        ("head a", "r/w/a"),
        ("head -20 a", "r/w/a"),
        ("head -n 20 a", "r/w/a"),
        ("head -n20 a b", "r/w/a r/w/b"),
        ("head --lines=3 a", "r/w/a"),
        ("head --lines 3 a", "r/w/a"),
        ("tail -n +5 a", "r/w/a"),
        ("tail -c 100 -f a", "r/w/a"),
        ("sed -n '1,220p' src/a.ts", "r/w/src/a.ts"),
        ("sed -n 1,20p a b", "r/w/a r/w/b"),
        ("sed -n -e 1p -e '3p' a", "r/w/a"),
        ("sed -ne 1p a", "r/w/a"),
        ("sed --expression=p -n a", "r/w/a"),
        ("sed 's/a/b/' a", "r/w/a"),
        ("sed -f script a", ""),
        ("sed -n '1,2p'", ""),
        ("nl -ba src/a.ts | sed -n '560,620p'", "r/w/src/a.ts"),
        ("nl -b a a", "r/w/a"),
        ("less +G a", "r/w/a"),
        ("FOO=1 cat a", "r/w/a"),
    ] {
        check(command, expected);
    }
}

#[test]
fn commands_that_write_files() {
    for (command, expected) in [
        ("sed -i 's/a/b/' a", "e/w/a"),
        ("sed -i.bak -e 's/a/b/' a", "e/w/a"),
        ("sed -i '' 's/a/b/' a", "e/w/a"),
        ("sed --in-place=.bak 's/a/b/' a", "e/w/a"),
        ("echo x > a", "w/w/a"),
        ("echo x >> a", "e/w/a"),
        ("echo x >| a", "w/w/a"),
        ("echo x>a", "w/w/a"),
        ("echo x 1>a 2>b", "w/w/a"),
        ("make >& log", ""),
        ("make &> log", "w/w/log"),
        ("make > /dev/null 2>&1", ""),
        ("cat a > b", "r/w/a w/w/b"),
        ("make 2>&1 | tee -a out.log | tail -3", "w/w/out.log"),
        ("cat > a <<'EOF'\ncat b\n$(x)\nEOF\ncat c", "r/w/c w/w/a"),
        ("cat <<-END > a\n\tcat b\n\tEND\ncat c", "r/w/c w/w/a"),
        ("python - <<PY\nopen('x')\nPY", ""),
    ] {
        check(command, expected);
    }
}

#[test]
fn where_a_command_runs() {
    for (command, expected) in [
        ("cd src && cat a", "r/w/src/a"),
        ("cd /x; cat a; cd y; cat b", "r/x/a r/x/y/b"),
        ("cd /x\ncat a", "r/x/a"),
        ("cd \"$DIR\" && cat a /b", "r/b"),
        ("cd - && cat a", ""),
        ("cd && cat a", ""),
        ("cd ~/x && cat a && cd /y && cat b", "r/y/b"),
        ("cd src | cat a", "r/w/a"),
        ("pushd x; cat a", ""),
        ("cd x || cd y; cat a", ""),
    ] {
        check(command, expected);
    }
    let at = |parameters: Value| short(&operations(&call("shell_command", parameters)));
    assert_eq!(at(json!({"command": "cat a", "workdir": "/v"})), "r/v/a");
    assert_eq!(at(json!({"command": "cd x && cat a", "cwd": "v"})), "r/w/v/x/a");
    assert_eq!(at(json!({"command": ["bash", "-lc", "cat a && cat b"]})), "r/w/a r/w/b");
    assert_eq!(at(json!({"command": ["sed", "-n", "1,2p", "a b"]})), "r/w/a b");
    assert_eq!(at(json!({"command": ["/bin/zsh", "-c", "sh -c 'cat a'"]})), "r/w/a");
}

#[test]
fn quotes_and_escapes() {
    for (command, expected) in [
        ("cat 'a b' \"c d\" e\\ f", "r/w/a b r/w/c d r/w/e f"),
        ("cat a\\\n b", "r/w/a r/w/b"),
        ("cat \"a\\\"b\"", "r/w/a\"b"),
        ("cat '*' '$a' '~'", "r/w/$a r/w/* r/w/~"),
        ("cat app/[id]/page.tsx", "r/w/app/[id]/page.tsx"),
        ("cat a # b", "r/w/a"),
        ("cat a#b", "r/w/a#b"),
        ("cat 日本.md", "r/w/日本.md"),
        ("cat a;cat b&&cat c", "r/w/a r/w/b r/w/c"),
    ] {
        check(command, expected);
    }
}

#[test]
fn what_isnt_understood_yields_nothing() {
    for command in [
        "",
        " ",
        "\n",
        "|",
        "&&",
        "<<",
        ">",
        "cat 'a",
        "cat \"a",
        "cat a\\",
        "cat $(ls)",
        "cat `ls`",
        "cat \"$(ls)\"",
        "cat $'a'",
        "cat <(ls)",
        "(cat a)",
        "{ cat a; }",
        "if true; then cat a; fi",
        "for f in a b; do cat $f; done",
        "while read x; do cat a; done < b",
        "! cat a",
        "cat a & cat b",
        "cat a ;; cat b",
        "cat $FILE",
        "cat *.ts",
        "cat a?",
        "cat {a,b}",
        "cat ~/a",
        "cat ~",
        "cat a || cat b",
        "grep x a",
        "ls a",
        "rm a",
        "git show HEAD:a",
        "find . -name a | head -5",
        "cat a\\b",
        "cat ''",
        "echo x > $OUT",
        "awk '{print > \"a\"}' b",
        "exec cat a",
        "eval 'cat a'",
        "cat 'a\nb'",
        "cat 'a\u{fffd}'",
        "cat /dev/stdin",
        "bash script.sh",
        "bash -c",
        "bash -c \"$X\"",
    ] {
        check(command, "");
    }
    // An alternative hides only its own list.
    check("cat a || true; cat b", "r/w/b");
    check("test -f a && cat b", "r/w/b");
    check("[ -f a ] && cat b", "r/w/b");
    // Shells that call shells that call shells.
    check("sh -c \"sh -c 'sh -c cat\\ a'\"", "");
}

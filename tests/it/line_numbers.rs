//! Which numbers before lines are the tool's, and which are data.

use densify::options::Preset;
use serde_json::{Value, json};

use crate::results::{exchange, lines, optimized, text_of, with};

/// A program with blank and indented lines, each line as a host writes it.
fn program(count: usize, write: impl Fn(usize, &str) -> String) -> String {
    let line = |number: usize| match number % 4 {
        0 => String::new(),
        1 => format!("fn name_{number}() {{"),
        2 => format!("    compute({number});"),
        _ => "}".to_owned(),
    };
    (1..=count).map(|number| write(number, &line(number)) + "\n").collect()
}

/// What `lossless` leaves of one result.
fn left(tool: &str, parameters: Value, text: &str) -> String {
    let history = exchange("1", tool, parameters, json!(text));
    text_of(&optimized(&history, &with(Preset::Lossless))[1]).to_owned()
}

/// The lines of the program, with the first and the hundredth number.
fn unnumbered(count: usize, write: impl Fn(usize, &str) -> String) -> String {
    program(
        count,
        |number, line| {
            if number == 1 || number % 100 == 0 { write(number, line) } else { line.to_owned() }
        },
    )
}

type Write = fn(usize, &str) -> String;

#[test]
fn numbers_go_in_every_form_that_a_host_writes() {
    let hosts: &[(&str, &str, Write, &str)] = &[
        ("Claude Code since 2.1.205", "Read", |number, line| format!("{number}\t{line}"), ""),
        ("Claude Code before", "Read", |number, line| format!("{number:6}→{line}"), ""),
        ("Cursor", "Read", |number, line| format!("{number:6}|{line}"), ""),
        ("Amp", "Read", |number, line| format!("{number}: {line}"), ""),
        ("Copilot CLI", "view", |number, line| format!("{number}. {line}"), ""),
        ("Crush", "view", |number, line| format!("{number:6}|{line}"), "<file>\n"),
        ("Kimi CLI", "ReadFile", |number, line| format!("{number:6}\t{line}"), ""),
        ("opencode before 1.0", "read", |number, line| format!("{number:05}| {line}"), "<file>\n"),
        (
            "opencode",
            "read",
            |number, line| format!("{number}: {line}"),
            "<path>/a.rs</path>\n<type>file</type>\n<content>\n",
        ),
        ("Codex", "read_file", |number, line| format!("L{number}: {line}"), ""),
        ("Roo Code", "read_file", |number, line| format!("{number:3} | {line}"), ""),
        (
            "Grok CLI",
            "read_file",
            |number, line| format!("{number} | {line}"),
            "[/a.rs: lines 1-120 of 120]\n",
        ),
        ("Zed", "read_file", |number, line| format!("{number:6}\t{line}"), ""),
        ("deep agents", "read_file", |number, line| format!("{number:6}\t{line}"), ""),
        (
            "Goose",
            "developer__text_editor",
            |number, line| format!("{number}: {line}"),
            "### /a.rs\n```rust\n",
        ),
        ("other hosts", "read_file", |number, line| format!("{number}: {line}"), ""),
    ];
    for (host, tool, write, header) in hosts {
        for path in ["path", "file_path", "filePath", "target_file"] {
            let text = header.to_string() + &program(120, write);
            let expected = header.to_string() + &unnumbered(120, write);
            let parameters = json!({path: "/a.rs", "command": "view"});
            assert_eq!(left(tool, parameters, &text), expected, "{host}");
        }
    }
}

#[test]
fn lines_are_compared_without_their_numbers_in_every_form() {
    let text = lines("a", 0..60);
    let in_form = |write: Write| {
        text.lines().enumerate().map(|(at, line)| write(at + 1, line) + "\n").collect::<String>()
    };
    let forms: &[Write] = &[
        |number, line| format!("{number}\t{line}"),
        |number, line| format!("{number:6}→{line}"),
        |number, line| format!("{number}: {line}"),
    ];
    for (at, form) in forms.iter().enumerate() {
        let shown = in_form(*form);
        let read = |id| exchange(id, "Read", json!({"file_path": "/a.rs"}), json!(shown));
        let again = exchange("2", "Bash", json!({"command": "cat /a.rs"}), json!(text));
        let history = [read("1"), again].concat();
        let cut = optimized(&history, &with(Preset::Lossless));
        assert!(text_of(&cut[1]).starts_with("[… "), "form {at}: superseded by plain lines");
        let write = json!({"file_path": "/a.rs", "content": text});
        let history =
            [exchange("1", "Write", write, json!("File created successfully at: /a.rs")), read("2")].concat();
        let cut = optimized(&history, &with(Preset::Lossless));
        assert_ne!(cut[0], history[0], "form {at}: the written text is shown by the read");
    }
}

#[test]
fn numbers_that_are_data_stay() {
    let rows = |write: Write| (1..=40).map(|number| write(number, "") + "\n").collect::<String>();
    let maps = [
        ("m.yml", rows(|number, _| format!("{number}: name_{number}"))),
        ("m.yml", "codes:\n".to_owned() + &rows(|number, _| format!("  {number}: \"status {number}\""))),
        ("m.json5", rows(|number, _| format!("  {number}: 'name_{number}',"))),
        (
            "m.yaml",
            rows(|number, _| if number % 5 == 0 { format!("{number}:") } else { format!("{number}: x") }),
        ),
        ("ids.tsv", rows(|number, _| format!("{number}\tcustomer_{number}"))),
        ("ids.tsv", rows(|number, _| format!("{number}\t{}", if number % 3 == 0 { "" } else { "\tx" }))),
        ("ids", rows(|number, _| format!("{number:6}\tcustomer_{number}"))),
        ("ids.txt", rows(|number, _| format!("{number:03}|name_{number}"))),
        ("ids.psv", rows(|number, _| format!("{number}|name_{number}"))),
        ("query.out", rows(|number, _| format!("{number:3} | name_{number}"))),
        ("list.md", rows(|number, _| format!("{number}. point {number}"))),
        ("labels.asm", rows(|number, _| format!("L{number}: nop"))),
        ("pasted.txt", rows(|number, _| format!("{number:6}→a line of another file"))),
    ];
    for (name, text) in &maps {
        for tool in ["read_file", "read", "read_text_file", "mcp__filesystem__read_file", "readFile"] {
            assert_eq!(left(tool, json!({"path": format!("/{name}")}), text), *text, "{tool} {name}");
        }
        assert_eq!(left("bash", json!({"command": format!("cat {name}")}), text), *text, "cat {name}");
    }
    // From the line that was asked for on.
    let asked = (401..441).map(|key| format!("  {key}: \"status {key}\"\n")).collect::<String>();
    assert_eq!(left("read_file", json!({"path": "/a.yaml", "offset": 401}), &asked), asked);
}

#[test]
fn numbers_in_a_program_are_data_where_a_tool_of_a_known_name_numbers_nothing() {
    let entries = |write: Write| (1..=20).map(|number| write(number, "") + "\n").collect::<String>();
    let code = program(40, |_, line| line.to_owned());
    let maps = [
        (
            "m.ts",
            "export const names = {\n".to_owned()
                + &entries(|key, _| format!("  {key}: \"name {key}\","))
                + "};\n",
        ),
        (
            "m.ts",
            "export const names = {\n  // by number\n".to_owned()
                + &entries(|key, _| format!("  {key}: \"a\","))
                + "};\n",
        ),
        (
            "m.py",
            "\"\"\"Steps.\n\n".to_owned()
                + &entries(|key, _| format!("{key}. step {key}"))
                + "\"\"\"\n"
                + &code,
        ),
        ("m.rs", "// Table:\n".to_owned() + &entries(|key, _| format!("{key}|value {key}")) + &code),
        (
            "t.py",
            code.clone()
                + "SHOWN = \"\"\"\n"
                + &program(20, |number, line| format!("{number:6}\t{line}"))
                + "\"\"\"\n"
                + &code,
        ),
        (
            "t.py",
            code.clone()
                + "SHOWN = \"\"\"\n"
                + &program(20, |number, line| format!("{number:6}→{line}"))
                + "\"\"\"\n"
                + &code,
        ),
    ];
    for (name, text) in &maps {
        for (tool, key) in
            [("Read", "filepath"), ("Read", "file_path"), ("view", "path"), ("read_file", "path")]
        {
            for header in ["", "Content of m:\n"] {
                let text = header.to_owned() + text;
                assert_eq!(left(tool, json!({key: format!("/{name}")}), &text), text, "{tool} {name}");
            }
        }
    }
}

#[test]
fn numbers_of_a_tool_go_whatever_stands_around_them() {
    let write: Write = |number, line| format!("{number}\t{line}");
    let notes = "\n<system-reminder>\n".to_owned() + &lines("note", 0..60) + "</system-reminder>\n";
    for (before, behind) in [
        ("", notes.as_str()),
        ("Here's the result of running `cat -n` on /a.rs:\n", ""),
        ("[/a.rs: lines 1-20 of 20]\n", "\n(End of file - total 20 lines)\n"),
        (
            "File: a.rs\nIMPORTANT: cut\n\tStatus: Showing lines 1-20.\n\tTo read more: Use the tool.\n\n",
            "\n<file_diagnostics>\nWarn: a\n</file_diagnostics>\n",
        ),
    ] {
        let text = before.to_owned() + &program(20, write) + behind;
        let expected = before.to_owned() + &unnumbered(20, write) + behind;
        assert_eq!(left("Read", json!({"file_path": "/a.rs"}), &text), expected, "{before}");
    }
}

#[test]
fn a_map_in_a_tool_that_numbers_lines_loses_only_the_tools_numbers() {
    let write: Write = |number, _| format!("{number}\t{number}: name_{number}");
    let shown = program(40, write);
    assert_eq!(left("Read", json!({"file_path": "/m.yml"}), &shown), shown, "who knows what this tool does");
    let call = |id, path: &str, text: &str| exchange(id, "Read", json!({"file_path": path}), json!(text));
    let history = [
        call("1", "/a.rs", &program(40, |number, line| format!("{number}\t{line}"))),
        call("2", "/m.yml", &shown),
    ];
    let output = optimized(&history.concat(), &with(Preset::Lossless));
    assert_eq!(text_of(&output[3]).lines().nth(6), Some("7: name_7"));
}

#[test]
fn a_line_that_is_out_of_order_makes_numbers_data() {
    let table = "9\theader\n".to_owned()
        + &(1..=40).map(|number| format!("{number}\tcustomer_{number}\n")).collect::<String>();
    let gaps = (1..=40).map(|number| format!("{}\tcustomer\n", number + number / 20)).collect::<String>();
    let holes = (1..=40)
        .map(
            |number| {
                if number == 20 { "text\n".to_owned() } else { format!("{number}\tcustomer_{number}\n") }
            },
        )
        .collect::<String>();
    for text in [table, gaps, holes] {
        assert_eq!(left("Read", json!({"file_path": "/ids.tsv"}), &text), text);
    }
    // Not the lines that were asked for.
    let text = program(40, |number, line| format!("{number}\t{line}"));
    assert_eq!(left("Read", json!({"file_path": "/ids.tsv", "offset": 200}), &text), text);
}

#[test]
fn commands_that_number_lines_do_so_for_all_that_they_show() {
    let text = program(40, |number, line| format!("{number:6}\t{line}"));
    let with_table = text.clone() + &program(40, |number, _| format!("{number:6}\tcustomer_{number}"));
    for command in [
        "cat -n a.rs",
        "cd /src && nl -ba a.rs | sed -n '1,40p;50q'",
        "for f in a.rs; do echo \"FILE $f\"; nl -ba $f; done",
        "git status --short; cat -n a.rs",
        "# Look at it\nrg -n foo src; git diff --stat; nl -ba a.rs | grep -A 20 foo",
    ] {
        assert!(left("bash", json!({"command": command}), &text).len() < text.len(), "{command}");
        let listed = json!({"command": ["bash", "-lc", command]});
        assert!(left("shell", listed, &text).len() < text.len(), "{command}");
    }
    for command in "cat -n a.rs; cat ids|cat -n a.rs && sed -n 1,40p ids|git show HEAD:ids; cat -n a.rs|cat -n a.rs; grep -h '' ids\
        |cat -n a.rs && rg -N '' ids|cat -n a.rs; git diff ids|cat -n a.rs; echo \"$(cat ids)\"|cat -n a.rs; cat < ids\
        |cat -n a.rs; git log -p"
        .split('|')
        .chain(["cat -n a.rs | cat - ids", "cat -n a.rs | grep -h '' - ids"])
    {
        assert_eq!(left("bash", json!({"command": command}), &with_table), with_table, "{command}");
    }
}

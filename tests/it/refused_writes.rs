//! Writes that nobody flags as failed: only what says that it wrote, or says nothing, takes the place of what was read.

use serde_json::{Value, json};

use crate::results::{exchange, read, shell, text_of};
use crate::superseded::{call, file, gone, rules};

/// Whether a read, and the arguments of a write behind it, stand for nothing any more after a further write.
fn takes_place(result: Value) -> bool {
    let parameters = json!({"file_path": "/a.rs", "content": "new"});
    let history = [read("1", "/a.rs", &file(0..40)), exchange("2", "write_file", parameters, result)];
    let (output, _) = densify::optimize_contents(&history.concat(), &rules()).unwrap();
    text_of(&output[1]).starts_with("[… ")
}

#[test]
fn what_says_that_it_wrote_takes_the_place_of_what_was_read() {
    for said in [
        "",
        "\n",
        "ok",
        "OK.",
        "Done!",
        "Wrote 1 line",
        "Successfully wrote 3 bytes to a.rs",
        "Wrote 1 line to file /a.rs in 0.2 seconds",
        "Successfully overwrote file: /a.rs. Here is the updated code:\nError\nnot\ncannot\n\n\nfail",
        "The file /a.rs has been updated. Here's the result of running `cat -n` on a snippet:\n1→a\n2→error\n3→\n4→\n5→\n6→",
        "File created successfully at: /a.rs (file state is current in your context — no need to Read it back)",
        "{\"path\":\"/a.rs\",\"operation\":\"created\",\"notice\":\"You do not need to re-read the file\"}",
        "The content was successfully saved to a.rs.",
        "✅ File written",
        "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA /a.rs\n",
        "<returncode>0</returncode>\n<output>\n</output>",
        "(Bash completed with no output)",
        "{\"success\": true}",
    ] {
        assert!(takes_place(json!(said)), "{said}");
    }
    for result in [json!({"status": "ok"}), json!({"stdout": "", "exitCode": 0}), json!([]), json!({})] {
        assert!(takes_place(result.clone()), "{result}");
    }
}

#[test]
fn a_write_that_was_refused_in_whatever_words_takes_nothings_place() {
    for said in [
        "File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.",
        "File has not been read yet. Read it first before writing to it.",
        "File already exists: /w/a.py",
        "File already exists at: /w/updated/a.py. Cannot overwrite files using command `create`.",
        "Refusing to overwrite",
        "Write blocked by policy",
        "Invalid path: /w/created a.py",
        "Access to /w/a.py is blocked",
        "Path is outside the allowed directories",
        "Unable to write file",
        "Did not write: file is locked",
        "The file was not saved",
        "Nothing was written",
        "It wasn't updated",
        "Disk quota exceeded",
        "EACCES",
        "EISDIR: illegal operation",
        "Unauthorized",
        "You must read file /w/a.py before it is overwritten",
        "The user doesn't want to proceed",
        "Denied",
        "No",
        "This operation was blocked by hook: protect-files.sh",
        "Write tool disabled in plan mode",
        "Failed to write",
        "FAILED",
        "ERROR",
        "NOT FOUND",
        "Cannot write",
        "The file will be created once somebody has reviewed it",
        "Exit code: 1",
        "{\"success\":false}",
        "{\"isError\":true,\"content\":\"x\"}",
        "Traceback...",
        "Hook protect.sh says:\n1\n2\n3\n4\n5\n6\n7\n8",
    ] {
        assert!(!takes_place(json!(said)), "{said}");
    }
    for result in [json!({"result": "Failed to write"}), json!({"message": "no"}), json!(["Denied"])] {
        assert!(!takes_place(result.clone()), "{result}");
    }
}

#[test]
fn a_write_that_says_that_it_wrote_something_else_takes_nothings_place() {
    for said in "Wrote to a.rs.new|Successfully wrote to /tmp/staging/a.rs.tmp|Created a.rs.bak|Successfully wrote b.rs|ok: wrote /w/b.rs\
        |created new file a.rs~1.rs|Wrote 40 of 120 lines to a.rs|Updated 1 of 3 files|Wrote 10 bytes to a.rs|written 1000 lines\
        |No file was created|No content written|written: no|saved: not|Wrote 0.5 bytes|written 12 %|saved in 2 of 3 places"
        .split('|')
    {
        assert!(!takes_place(json!(said)), "{said}");
    }
    assert!(!takes_place(json!({"written": "/tmp/x.rs", "success": true})));
}

#[test]
fn refused_patches_and_heredocs_take_nothings_place() {
    let old = read("1", "/a.rs", &file(0..40));
    let patch = json!({"input": "*** Begin Patch\n*** Add File: /a.rs\n+new\n*** End Patch"});
    let patched = |said: &str| [old.clone(), call("2", "apply_patch", patch.clone(), said)];
    assert_eq!(gone(&patched("Success. Updated the following files:\nA /a.rs"), &rules()), [0]);
    assert_eq!(gone(&patched("Failed to apply"), &rules()), [0_usize; 0]);
    let heredoc = |said: &str| [old.clone(), shell("2", "cat > /a.rs <<'EOF'\nnew\nEOF", said)];
    assert_eq!(gone(&heredoc(""), &rules()), [0]);
    assert_eq!(gone(&heredoc("zsh: file exists: a.rs"), &rules()), [0_usize; 0]);
}

#[test]
fn what_an_earlier_write_wrote_stays_if_the_next_one_was_refused() {
    let text = file(0..40);
    let write = |id, said| call(id, "write_file", json!({"file_path": "/a.rs", "content": text}), said);
    let left = |said| {
        let history = [write("1", "ok"), write("2", said)].concat();
        let (output, _) = densify::optimize_contents(&history, &rules()).unwrap();
        serde_json::to_string(&output[0]).unwrap().contains("file_20")
    };
    assert!(!left("ok"));
    assert!(left("Failed to write: disk full"));
    assert!(left("Read it first"));
}

#[test]
fn a_write_that_adds_to_its_file_is_no_whole_one() {
    let goes_by = |key: &str, value: Value| {
        let mut parameters = json!({"file_path": "/a.rs", "content": "new"});
        parameters[key] = value;
        gone(&[read("1", "/a.rs", &file(0..40)), call("2", "write_file", parameters, "Success")], &rules())
            == [0]
    };
    for (key, value) in [
        ("append", json!(true)),
        ("mode", json!("append")),
        ("mode", json!("a")),
        ("offset", json!(10)),
        ("start_line", json!(3)),
        ("insert_line", json!(0)),
        ("position", json!("end")),
        ("overwrite", json!(false)),
        ("dry_run", json!("true")),
        ("preview", json!(1)),
        ("command", json!("append")),
        ("replace_all", json!(true)),
        ("view_range", json!([1, 5])),
        ("count", json!(2)),
        ("force", json!("false")),
    ] {
        assert!(!goes_by(key, value.clone()), "{key}: {value}");
    }
    for (key, value) in [
        ("append", json!(false)),
        ("append", json!(null)),
        ("mode", json!("overwrite")),
        ("mode", json!(420)),
        ("description", json!("Appends nothing")),
        ("line_count", json!(1)),
        ("force", json!(true)),
        ("overwrite", json!(true)),
        ("dry_run", json!(false)),
    ] {
        assert!(goes_by(key, value.clone()), "{key}: {value}");
    }
}

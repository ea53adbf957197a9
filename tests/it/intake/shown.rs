//! What shows a file stays letter by letter, however it is shown.

use densify::intake::{Call, shrink_result};
use densify::tools::ToolTable;
use serde_json::{Value, json};

use super::limits;

fn is_changed(name: &str, parameters: &Value) -> bool {
    let file =
        serde_json::to_string_pretty(&json!({"a": (0..60).map(|at| json!({"i": at})).collect::<Vec<_>>()}));
    let call = Call::new(name, parameters, &ToolTable::default());
    shrink_result(&file.unwrap(), &call, &limits(json!({}))).is_some()
}

#[test]
fn commands_that_show_files() {
    for command in [
        "cat <a.json",
        "(cat a.json)",
        "echo \"$(cat a.json)\"",
        "xargs cat < list",
        "find . -name \"*.json\" | xargs cat",
        "find . -name a.json -exec cat {} +",
        "timeout 5 cat a.json",
        "timeout -s 9 5 cat a.json",
        "sudo -u me cat a.json",
        "git -C repo show HEAD:a.json",
        "git --no-pager -c core.pager=cat show HEAD:a.json",
        "docker exec c cat /app/a.json",
        "kubectl exec p -- cat a.json",
        "ssh h cat a.json",
        "ssh h 'cat a.json'",
        "paste a.json",
        "gunzip -c a.json.gz",
        "tar -xOf a.tar a.json",
        "unzip -p a.zip a.json",
        "dd if=a.json",
        "perl -ne print a.json",
        "base64 -d a.b64",
        "xxd a.json",
        "diff /dev/null a.json",
        "while read l; do echo $l; done < a.json",
        "grep -n '' a.json",
        "rg -n \"\" a.json",
        "grep -A40 foo a.json",
        "grep -n -C 5 foo src/a.json",
        "python3 -c \"print(open('a.json').read())\"",
        "node -e \"console.log(require('fs').readFileSync('a.json','utf8'))\"",
    ] {
        assert!(!is_changed("bash", &json!({"command": command})), "{command}");
    }
}

#[test]
fn commands_that_show_none() {
    for command in [
        "make",
        "sudo make",
        "tar -xf a.tar",
        "unzip a.zip",
        "gunzip -c app.log",
        "perl build.pl",
        "timeout 5 cargo test",
        "kubectl logs p",
        "docker logs c",
        "docker exec c cat /var/log/app.log",
        "git -C repo diff",
        "ssh h uptime",
        "rg -n -C3 foo src",
        "grep -rn foo .",
        "find . -name a.json",
        "tail -50 build.log",
        "make | tail -5",
    ] {
        assert!(is_changed("bash", &json!({"command": command})), "{command}");
    }
}

#[test]
fn tools_that_show_files_by_their_names() {
    let path = json!({"path": "a.json"});
    for name in [
        "viewFile",
        "openFile",
        "showFile",
        "loadFile",
        "fileRead",
        "readLines",
        "readTextFile",
        "catFile",
        "load_source",
        "view-file",
        "mcp__fs__read_text_file",
        "getFileContents",
        "FSRead",
    ] {
        assert!(!is_changed(name, &path), "{name}");
    }
    for name in ["deploy", "runTests", "concatenate", "profileHeap", "query"] {
        assert!(is_changed(name, &path), "{name}");
    }
}

#[test]
fn what_others_found_and_instructions_stay() {
    for name in
        ["Task", "Agent", "dispatch_agent", "new_task", "Skill", "exit_plan_mode", "TodoWrite", "ask_user"]
    {
        assert!(!is_changed(name, &json!({"prompt": "look"})), "{name}");
    }
    assert!(is_changed("run_task", &json!({"prompt": "look"})));
}

/// Each word among these may be the command that shows a file: at all of them anew it would take minutes.
#[test]
fn a_long_chain_of_commands_takes_linear_time() {
    for word in
        ["xargs", "find", "sudo", "ssh", "git", "git show", "bash", "cat -1", "sudo bash", "xargs git show"]
    {
        let command = "sudo ".to_owned() + &format!("{word} ").repeat(100_000);
        is_changed("bash", &json!({"command": command}));
    }
    let options = "-e A=b ".repeat(20);
    assert!(!is_changed("bash", &json!({"command": format!("docker run {options} image cat a.json")})));
    assert!(!is_changed("bash", &json!({"command": "sudo xargs -a list cat"})));
}

// The scripts that conversations are written in, and the archives that their files start from.
//
// A script is a list of steps. A step is a line `@directive arguments` and the lines up to the
// next such line, its body. `@#` starts a comment; a body line that must begin with `@` is
// written `\@`. Blank lines around a body don't count.

/** @returns {{directive: string, args: string, body: string, line: number}[]} */
export function parseScript(text) {
  const steps = [];
  let lines = [];
  const finish = () => {
    const step = steps.at(-1);
    if (step) step.body = trimBlankLines(lines).join('\n');
    lines = [];
  };
  text.split('\n').forEach((line, index) => {
    if (line.startsWith('@#')) return;
    const match = /^@([a-z]+)(?: (.*))?$/.exec(line);
    if (match) {
      finish();
      steps.push({ directive: match[1], args: match[2] ?? '', body: '', line: index + 1 });
    } else {
      lines.push(line.startsWith('\\@') ? line.slice(1) : line);
    }
  });
  finish();
  return steps;
}

function trimBlankLines(lines) {
  let from = 0;
  let to = lines.length;
  while (from < to && lines[from].trim() === '') from++;
  while (to > from && lines[to - 1].trim() === '') to--;
  return lines.slice(from, to);
}

/** An archive of files: each begins with a line `-- path --`. @returns {Map<string, string>} */
export function parseArchive(text) {
  const files = new Map();
  let path;
  let lines = [];
  const finish = () => {
    if (path !== undefined) files.set(path, trimBlankLines(lines).join('\n') + '\n');
    lines = [];
  };
  for (const line of text.split('\n')) {
    const match = /^-- (\S+) --$/.exec(line);
    if (match) {
      finish();
      path = match[1];
    } else {
      lines.push(line);
    }
  }
  finish();
  return files;
}

/** The body of an edit: `<<<<`, the old text, `====`, the new text, `>>>>`. */
export function parseEdit(body) {
  const match = /^<<<<\n([\s\S]*?)\n?====\n([\s\S]*?)\n?>>>>$/.exec(body);
  if (!match) throw new Error('an edit needs <<<<, ==== and >>>>');
  return { oldText: match[1], newText: match[2] };
}

/** The body of a todo list: `[x] done`, `[>] under way`, `[ ] pending`. */
export function parseTodos(body) {
  const status = { x: 'completed', '>': 'in_progress', ' ': 'pending' };
  return body.split('\n').map((line, index) => {
    const match = /^\[([x> ])\] (.+)$/.exec(line);
    if (!match) throw new Error(`not a todo: ${line}`);
    return { id: String(index + 1), content: match[2], status: status[match[1]] };
  });
}

// The texts that people read in a file: paragraphs of Markdown, comments, messages in strings, and what a page shows.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const ts = createRequire(new URL('../js-tests/package.json', import.meta.url))('typescript5');

/** A text and its first line. @typedef {{line: number, text: string, isComment?: boolean, isSpelled?: boolean}} Text */

/** Paragraphs of Markdown without code, tables row by row. */
function* ofMarkdown(text) {
  let run = [];
  let start = 0;
  let inCode = false;
  for (const [at, line] of [...text.split('\n'), ''].entries()) {
    if (line.startsWith('```')) inCode = !inCode;
    const prose = inCode || /^\s*(```|<|\|[-: |]+\|$)/.test(line) ? '' : line.trim();
    const isItem = /^([-*#|]|\d+\.)/.test(prose);
    if (run.length > 0 && (prose === '' || isItem)) {
      yield { line: start, text: run.join(' ') };
      run = [];
    }
    if (prose === '') continue;
    if (run.length === 0) start = at + 1;
    run.push(prose);
  }
}

/** Runs of comment lines. */
function* ofComments(text) {
  let run = [];
  let start = 0;
  let inCode = false;
  for (const [at, line] of [...text.split('\n'), ''].entries()) {
    const comment = /^\s*(?:\/\/[/!]?|\*(?!\/)|\/\*\*?)\s?(.*?)(?:\*\/)?\s*$/.exec(line)?.[1] ?? '';
    if (comment.startsWith('```')) inCode = !inCode;
    else if (!comment) inCode &&= /^\s*(\/\/|\*)/.test(line);
    const prose = inCode || /^(@|```)/.test(comment) ? '' : comment.trim();
    if (prose !== '') {
      if (run.length === 0) start = at + 1;
      run.push(prose);
    } else if (run.length > 0) {
      yield { line: start, text: run.join(' '), isComment: true };
      run = [];
    }
  }
}

/** The words of a part of a page, with `code` for what is computed. */
function shownBy(node) {
  if (ts.isJsxText(node)) return node.text.replaceAll(/\s+/g, ' ');
  if (ts.isJsxExpression(node)) {
    const { expression } = node;
    return expression !== undefined && ts.isStringLiteralLike(expression) ? expression.text : ' `code` ';
  }
  if (ts.isJsxElement(node) || ts.isJsxFragment(node)) return node.children.map(shownBy).join('');
  return ' `code` ';
}

const wordsOf = (node) =>
  ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => `\`code\`${literal.text}`).join('')
    : node.text;

/** The messages in a string: parts with several words that are not code. Columns of a usage text are parts of their own. */
const messages = (text, line) =>
  text
    .split(/\n|\s{2,}/)
    .filter((part) => /[a-z]+ [a-z`]+ [a-z`]+/i.test(part) && !/[{;]\w|\w\{/.test(part))
    .map((part) => ({ line, text: part }));

/** Strings with several words, and parts of a page that hold words. */
function* ofStrings(path, text) {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const lineOf = (node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  const found = [];
  const visit = (node, isShown) => {
    let shows = isShown;
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      const holdsWords = node.children.some((child) => ts.isJsxText(child) && child.text.trim() !== '');
      if (holdsWords && !isShown) found.push({ line: lineOf(node), text: shownBy(node).trim() });
      shows ||= holdsWords;
    }
    if ((ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && !ts.isImportDeclaration(node.parent)) {
      found.push(...messages(wordsOf(node), lineOf(node)));
    }
    ts.forEachChild(node, (child) => visit(child, shows));
  };
  visit(source, false);
  yield* found;
}

/** The messages of Rust, outside tests. */
function* ofRustStrings(text) {
  // Characters that are quotes, comments and raw strings become blanks, so that lines stay.
  const blank = (found) => found.replaceAll(/[^\n]/g, ' ');
  const [code] = text
    .replaceAll(/b?'\\?["']'|\br#?"[^"]*"#?/g, blank)
    .replaceAll(/^\s*\/\/.*$/gm, blank)
    .split(/#\[cfg\(test\)\]\s*mod/);
  for (const found of code.matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g)) {
    const words = found[1]
      .replaceAll(/\\\n\s*/g, '')
      .replaceAll(/\\./g, ' ')
      .replaceAll(/\{[^}]*\}/g, '`code`');
    // Many are lists of words to look for.
    const line = code.slice(0, found.index).split('\n').length;
    yield* messages(words, line).map((message) => ({ ...message, isSpelled: false }));
  }
}

/** The texts of a page of HTML: its description, and what it shows. */
function* ofHtml(text) {
  const shown = text.replaceAll(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1>/g, (found) =>
    found.replaceAll(/[^\n]/g, ' '),
  );
  for (const [at, line] of shown.split('\n').entries()) {
    const description = /name="description" content="([^"]*)"/.exec(line)?.[1] ?? '';
    const words = `${description} ${line.replaceAll(/<[^>]*>/g, ' ')}`.trim();
    if (/[a-z]+ [a-z]+ [a-z]+/i.test(words) && !/^\S+="/.test(words)) yield { line: at + 1, text: words };
  }
}

/** The description in a manifest. */
function* ofManifest(text) {
  for (const [at, line] of text.split('\n').entries()) {
    const description = /^\s*"description": "(.*)",?$/.exec(line)?.[1];
    if (description !== undefined) yield { line: at + 1, text: description };
  }
}

/** @returns {Text[]} */
export function textsOf(path) {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.md')) return [...ofMarkdown(text)];
  if (path.endsWith('.html')) return [...ofHtml(text)];
  if (path.endsWith('.json')) return [...ofManifest(text)];
  return [...ofComments(text), ...(path.endsWith('.rs') ? ofRustStrings(text) : ofStrings(path, text))];
}

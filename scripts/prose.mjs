// Checks the texts that people read, in Markdown, comments, messages and the playground:
//
//   node scripts/prose.mjs            exit code 1 if there is a finding
//   node scripts/prose.mjs FILE...    only these files
//
// - Sentences: one scores 2 for each turn of phrase of AVOID, 1 above 25 words and 2 above 35, 1 for each comma after the
//   second, and 1 for each relative pronoun after the first. From 3 points on it is hard. So is any above 30 words (36 in
//   Rust), and, outside comments, any with a word of CLEAR.
// - Terms: those of the glossary, not the others of TERMS.
// - Spelling: by cspell, whose words are in cspell.json.
// - Guides: at most 900 words, an example within ten lines, code of at most 100 columns, alternative texts.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { textsOf } from './prose-texts.mjs';
import { AVOID, CLEAR, DEFENDED, NOT_READ, TERMS } from './prose-words.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const pattern = (words) => new RegExp(`\\b(?:${words.map(([word]) => word).join('|')})\\b`, 'gi');
const [SIGNS, WRONG, NEVER] = [pattern(AVOID), pattern(TERMS), pattern(CLEAR)];
const PRONOUNS = /\b(?:which|what|that|who|whose|where)\b/gi;
const HARD = 3;
/** Words of a sentence; those of the core's comments are longer. */
const LONGEST = 30;
const LONGEST_IN_RUST = 36;
/** Pages that are lists or measurements, not guides. */
const NO_GUIDES = ['docs/options.md', 'docs/known-tools.md', 'docs/benchmarks.md', 'docs/glossary.md'];
const MOST = { guide: 900, guides: 16_000, readme: 1000, readmeLines: 150, terms: 12, columns: 100, exampleBy: 10 };
/** Messages in a provider's own words. */
const QUOTES = /validate\/formats\//;
/** Where cspell reads the texts: a file for each, line for line. Several runs may go on at once. */
const SPELLED = `target/prose/${process.pid}`;

const isGuide = (path) => path.startsWith('docs/') && !NO_GUIDES.includes(path);
const count = (text, words) => text.match(words)?.length ?? 0;
const wordsIn = (text) => count(text, /\S+/g);
const adviceOn = (list, word) => list.find(([sign]) => new RegExp(`^(?:${sign})$`, 'i').test(word))?.[1];

/** A list of names in code reads as one name. */
const withoutLists = (sentence) => sentence.replaceAll(/`[^`]*`(?:,? (?:and |or )?`[^`]*`)+/g, 'code');
const lengthOf = (sentence) => count(withoutLists(sentence).replaceAll(/`[^`]*`/g, 'code'), /[A-Za-z'’]+/g);

function score(sentence) {
  const words = lengthOf(sentence);
  if (words < 6) return 0;
  const commas = count(withoutLists(sentence), /,/g);
  const long = (words > 25 ? 1 : 0) + (words > 35 ? 1 : 0);
  return 2 * count(sentence, SIGNS) + long + Math.max(0, commas - 2) + Math.max(0, count(sentence, PRONOUNS) - 1);
}

const findings = [];
let sentences = 0;
const report = (path, line, what) => findings.push(`${path}:${line}: ${what}`);

function checkSentences(path, { line, text, isComment = false, isSpelled = true }) {
  const longest = path.endsWith('.rs') ? LONGEST_IN_RUST : LONGEST;
  for (const sentence of text.split(/(?<=[.;:!?])\s+|\s\|\s/)) {
    if (sentence.length < 20) continue;
    sentences += 1;
    if (DEFENDED.some((part) => sentence.includes(part))) continue;
    const words = lengthOf(sentence);
    // Rust's strings may be lists.
    if (isSpelled && words > longest)
      report(path, line, `${words} words, at most ${longest}: ${sentence.slice(0, 200)}`);
    if (!isComment)
      for (const word of sentence.replaceAll(/`[^`]*`/g, '').match(NEVER) ?? [])
        report(path, line, `"${word}", write "${adviceOn(CLEAR, word)}": ${sentence.slice(0, 200)}`);
    const points = score(sentence);
    if (points < HARD) continue;
    const signs = [...new Set(sentence.match(SIGNS) ?? [])].map((word) => `"${word.trim()}": ${adviceOn(AVOID, word)}`);
    report(
      path,
      line,
      `hard to read (${points}): ${sentence.slice(0, 200)}${signs.map((sign) => ` · ${sign}`).join('')}`,
    );
  }
}

function checkTerms(path, { line, text }) {
  for (const word of text.replaceAll(/`[^`]*`/g, '').match(WRONG) ?? [])
    report(path, line, `term: "${word}", write "${adviceOn(TERMS, word)}"`);
}

/** Examples are pages of the site. The formatter keeps code within the width, but not comments. */
function checkWidth(path) {
  for (const [at, line] of readFileSync(path, 'utf8').split('\n').entries())
    if (line.length > MOST.columns) report(path, at + 1, `a line of ${line.length} columns, at most ${MOST.columns}`);
}

function checkPage(path) {
  const text = readFileSync(path, 'utf8');
  let inCode = false;
  for (const [at, line] of text.split('\n').entries()) {
    if (line.startsWith('```')) inCode = !inCode;
    else if (inCode && line.length > MOST.columns)
      report(path, at + 1, `code of ${line.length} columns, at most ${MOST.columns}`);
    if (/!\[\s*\]\(/.test(line)) report(path, at + 1, 'a picture without an alternative text');
  }
  const lines = text.split('\n');
  const words = wordsIn(text);
  if (path === 'README.md' && (words > MOST.readme || lines.length > MOST.readmeLines + 1))
    report(path, 1, `${words} words in ${lines.length - 1} lines, at most ${MOST.readme} in ${MOST.readmeLines}`);
  if (path === 'docs/glossary.md') {
    const terms = lines.filter((line) => line.startsWith('| ')).length - 1;
    if (terms > MOST.terms) report(path, 1, `${terms} terms, at most ${MOST.terms}`);
  }
  if (!isGuide(path)) return 0;
  if (words > MOST.guide) report(path, 1, `${words} words, at most ${MOST.guide}`);
  if (!lines.slice(0, MOST.exampleBy).some((line) => /^(```|\|)/.test(line)))
    report(path, 1, `no example in the first ${MOST.exampleBy} lines`);
  return words;
}

/** The texts of a file at their lines, without code, names and links. */
function plain(texts) {
  const lines = [];
  for (const { line, text } of texts.filter(({ isSpelled = true }) => isSpelled)) {
    const words = text
      .replaceAll(/`[^`]*`/g, ' ')
      .replaceAll(/\]\([^)]*\)|<[^>]*>|https?:\S+|[\w.@~*-]*[/\\_][\w./\\@*-]*|\b\w+\.\w+\b/g, ' ');
    lines[line - 1] = `${lines[line - 1] ?? ''} ${words}`;
  }
  return Array.from(lines, (line) => line ?? '').join('\n');
}

function checkSpelling(files) {
  for (const { path, texts } of files) {
    const to = join(SPELLED, `${path}.txt`);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, plain(texts));
  }
  const { stdout, status, error } = spawnSync(
    'js-tests/node_modules/.bin/cspell',
    [
      'lint',
      '--no-progress',
      '--no-summary',
      '--no-color',
      '--no-gitignore',
      '--config',
      'cspell.json',
      `${SPELLED}/**`,
    ],
    { encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  rmSync(SPELLED, { recursive: true, force: true });
  if (error !== undefined) throw error;
  const unknown = [...stdout.matchAll(/prose\/\d+\/(.*)\.txt:(\d+):\d+ - Unknown word \(([^)]+)\)(.*)/g)];
  for (const [, path, line, word, fix] of unknown) report(path, line, `spelling: "${word}"${fix}`);
  if (status !== 0 && unknown.length === 0) throw new Error(`cspell: ${stdout}`);
}

const PAGES = /^(?:[A-Z]+|docs\/[^/]+|bench-tasks\/\w+)\.md$|^www\/index\.html$|^pkg-template\/package\.json$/;
const CODE = /^(?:src|examples|demo|(?:pkg-template|www)\/src)\/.*\.(?:rs|tsx?|mjs|md)$/;
const isRead = (path) => (PAGES.test(path) || CODE.test(path)) && !NOT_READ.some(([part]) => part.test(path));
// Git still lists a file that was deleted and not yet committed.
const tracked = () =>
  execFileSync('git', ['ls-files'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => isRead(path) && existsSync(path));
const given = process.argv.slice(2);
const files = (given.length > 0 ? given : tracked()).map((path) => ({ path, texts: textsOf(path) }));

let guides = 0;
for (const { path, texts } of files) {
  for (const text of texts) {
    checkSentences(path, text);
    if (!QUOTES.test(path)) checkTerms(path, text);
  }
  if (path.endsWith('.md')) guides += checkPage(path);
  if (/^examples\/.*\.ts$/.test(path)) checkWidth(path);
}
if (guides > MOST.guides) report('docs', 1, `${guides} words in all guides, at most ${MOST.guides}`);
checkSpelling(files);

for (const finding of findings) console.log(finding);
console.log(`prose: ${findings.length} findings in ${sentences} sentences; ${guides} words in the guides`);
if (findings.length > 0) process.exitCode = 1;

// Finds sentences that are hard to read, in Markdown, comments and the playground's texts:
//
//   node scripts/prose.mjs            exit code 1 if a file or the whole has too many
//   node scripts/prose.mjs --list     lists them all
//   node scripts/prose.mjs FILE...    lists those of these files
//
// A sentence scores 2 for each word of AVOID, 1 above 25 words and 2 above 35, 1 for each comma after the second, and 1 for each
// relative pronoun after the first. It is hard from 3 points on. DEFENDED holds false alarms, each with a reason.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** Words and turns of phrase to avoid, and what to write instead. */
const AVOID = [
  ['anew', 'again'],
  ['nobody', 'name the actor'],
  ['whoever', 'name the actor'],
  ['whatever', 'any'],
  ['goes? by', 'uses, depends on'],
  ['tells? of|told of', 'reports'],
  ['comes? to', 'is, amounts to'],
  ['so many|so much', 'the number'],
  ['(?:can|could|to) be had|is had', 'is available'],
  ['is said|it says', 'states, returns'],
  ['stands? for all', 'is for all'],
  ['mend(?:ed|s)?', 'fix'],
  ['wish(?:es)?', 'options'],
  ['laid? open|lays? open', 'exposes'],
  ['(?:of|by|to|from|behind|at|with) which', 'split the sentence'],
  ['as it (?:is|was)', 'unchanged'],
  ['for nothing', 'free'],
  ['at hand', 'available'],
  ['but for', 'except'],
  ['in its place|in the place of', 'instead of'],
  ['all the same', 'still'],
  ['some \\d', 'about'],
  ['where (?:nothing|none|no)', 'if no'],
  ["that (?:isn't|is) (?:no|none)", 'split the sentence'],
  ['is no [a-z]+|are no [a-z]+', 'is not a'],
  ["what (?:is|was|has|isn't|the|a|it|they|others?) ", 'name the thing'],
];
const SIGNS = new RegExp(`\\b(?:${AVOID.map(([sign]) => sign).join('|')})\\b`, 'gi');
const PRONOUNS = /\b(?:which|what|that|who|whose|where)\b/gi;
const HARD = 3;
/** The largest shares of hard sentences. */
const MOST = { guides: 0.015, all: 0.02, file: 0.05 };
/** Of a file with few sentences, one is allowed. */
const FEW = 20;

/** Sentences that score too high but read well, by a part of them. */
const DEFENDED = [
  'What is cut and what is kept', // the name of a guide
  'English 1.00, German 0.82', // a list of figures
  'what other libraries do, and what densify does', // the title of a comparison
];

const isMarkdown = (path) => path.endsWith('.md');
const isGuide = (path) => path === 'README.md' || path.startsWith('docs/');

/** The paragraphs of Markdown, or runs of comment lines of code, each with its first line. */
function* paragraphs(path) {
  let run = [];
  let start = 0;
  let inCode = false;
  for (const [at, line] of [...readFileSync(path, 'utf8').split('\n'), ''].entries()) {
    let text;
    if (isMarkdown(path)) {
      if (line.startsWith('```')) inCode = !inCode;
      text = inCode || /^\s*(```|<|!\[|\|[-: |]+\|$)/.test(line) ? '' : line;
    } else {
      text = /^\s*(?:\/\/[/!]?|\*(?!\/)|\/\*\*?)\s?(.*?)(?:\*\/)?\s*$/.exec(line)?.[1] ?? '';
      if (/^(@|```)/.test(text)) text = '';
    }
    const isItem = isMarkdown(path) && /^\s*([-*#|]|\d+\.)/.test(text);
    if (text.trim() !== '' && !(isItem && run.length > 0)) {
      if (run.length === 0) start = at + 1;
      run.push(text.trim());
      continue;
    }
    if (run.length > 0) yield [start, run.join(' ')];
    run = text.trim() === '' ? [] : [text.trim()];
    start = at + 1;
  }
}

function score(sentence) {
  const words = sentence.replaceAll(/`[^`]*`/g, 'code').match(/[A-Za-z'’]+/g)?.length ?? 0;
  if (words < 6) return 0;
  // A list of names in code reads as one name.
  const commas = sentence.replaceAll(/`[^`]*`(?:,? (?:and |or )?`[^`]*`)+/g, 'code').match(/,/g)?.length ?? 0;
  const count = (pattern) => sentence.match(pattern)?.length ?? 0;
  const long = (words > 25 ? 1 : 0) + (words > 35 ? 1 : 0);
  return 2 * count(SIGNS) + long + Math.max(0, commas - 2) + Math.max(0, count(PRONOUNS) - 1);
}

/** The sentences of a file, and those among them that are hard. */
function read(path) {
  const hard = [];
  let sentences = 0;
  for (const [line, text] of paragraphs(path)) {
    for (const sentence of text.split(/(?<=[.;:!?])\s+|\s\|\s/)) {
      if (sentence.length < 20) continue;
      sentences += 1;
      const points = score(sentence);
      if (points >= HARD && !DEFENDED.some((part) => sentence.includes(part))) hard.push({ line, points, sentence });
    }
  }
  return { path, sentences, hard };
}

const show = ({ path, hard }) => {
  for (const { line, points, sentence } of hard) {
    const found = [...new Set(sentence.match(SIGNS) ?? [])].map((word) => {
      const advice = AVOID.find(([sign]) => new RegExp(`^(?:${sign})$`, 'i').test(word))?.[1];
      return `"${word.trim()}": ${advice}`;
    });
    console.log(
      `${path}:${line}: [${points}] ${sentence.slice(0, 200)}${found.length > 0 ? ` (${found.join('; ')})` : ''}`,
    );
  }
};

const given = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const tracked = () =>
  execFileSync('git', ['ls-files', '*.md', 'src/*.rs', 'pkg-template/src/*.ts', 'www/src/*.ts', 'www/src/*.tsx'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) =>
      /^(README|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$|^docs\/|^(src|pkg-template\/src|www\/src)\/.*\.(rs|tsx?)$/.test(
        path,
      ),
    );
const files = (given.length > 0 ? given : tracked()).map(read);
if (given.length > 0 || process.argv.includes('--list')) for (const file of files) show(file);

const share = (some) => {
  const [hard, sentences] = some.reduce(([hard, all], file) => [hard + file.hard.length, all + file.sentences], [0, 0]);
  return { hard, sentences, part: hard / Math.max(1, sentences) };
};
const percent = (part) => `${(100 * part).toFixed(1)} %`;
const [all, guides] = [share(files), share(files.filter(({ path }) => isGuide(path)))];
console.log(
  `prose: ${all.hard} of ${all.sentences} sentences are likely to be hard (${percent(all.part)}); guides ${percent(guides.part)}`,
);
if (given.length === 0) {
  const over = files.filter(
    ({ hard, sentences }) => hard.length > Math.max(sentences < FEW ? 1 : 0, MOST.file * sentences),
  );
  for (const file of over) {
    console.log(
      `prose: ${file.path}: ${file.hard.length} of ${file.sentences} sentences, at most ${percent(MOST.file)} may be hard`,
    );
  }
  for (const [name, { part }, most] of [
    ['all texts', all, MOST.all],
    ['README and guides', guides, MOST.guides],
  ])
    if (part > most) console.log(`prose: ${name}: ${percent(part)} are hard, at most ${percent(most)} may be`);
  if (over.length > 0 || all.part > MOST.all || guides.part > MOST.guides) process.exitCode = 1;
}

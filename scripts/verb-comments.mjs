// Puts what is said of the verbs above each entry's own: an entry makes its verbs of a format (`verbs.optimizeOf(openai)`),
// and editors show of a constant only what stands above it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from './steps.mjs';

/** A member of an interface, and the comment above it. */
const MEMBER = /^ {4}(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\n {4}(\w+)[<(]/gm;
const VERBS = /^(?:export )?interface \w*Verbs<[\s\S]*?^}/gm;
const BARE = /(?<!\*\/\n)^export declare const (\w+)/gm;

/** What the interfaces of verbs say of each, as it is written outside of one. */
export function commentsIn(declarations) {
  const members = [...declarations.matchAll(VERBS)].flatMap(([text]) => [...text.matchAll(MEMBER)]);
  return members.map(([, comment, name]) => [name, comment.replace(/^ {4}/gm, '')]);
}

/** An entry's declarations with a comment above each verb. */
export function withComments(declarations, comments) {
  return declarations.replace(BARE, (declaration, name) => {
    const comment = comments.get(name) ?? fail(`nothing is said of ${name}: no interface of verbs has it`);
    return `${comment}\n${declaration}`;
  });
}

/** Does so in all entries of a folder that tsc made. */
export function commentVerbs(folder) {
  const read = (file) => readFileSync(join(folder, file), 'utf8');
  const declared = (path) => readdirSync(join(folder, path)).filter((name) => name.endsWith('.d.ts'));
  const comments = new Map(declared('formats').flatMap((file) => commentsIn(read(join('formats', file)))));
  for (const file of declared('.')) writeFileSync(join(folder, file), withComments(read(file), comments));
}

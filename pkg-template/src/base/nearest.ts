/** The names, the most similar one to a misspelt name first: it differs in the fewest letters. */
export function nearestFirst(given: string, names: readonly string[]): readonly string[] {
  const differing = names.map((name) => difference(given, name));
  const fewest = Math.min(...differing);
  if (fewest * 2 > given.length) return names; // none is similar
  const at = differing.indexOf(fewest);
  return [...names.slice(at, at + 1), ...names.slice(0, at), ...names.slice(at + 1)];
}

/** An error about an unknown name: its option or its quoted value, and the expected names. */
const MISSPELT = /^(?:option )?(\S+): found (?:'([^']+)'|an unknown key), expected (?:one of )?([^;]+)/;

/** The message of an error, with a question if the found name is similar to one of the expected names. */
export function withQuestion(message: string): string {
  const [, option = '', value, list] = MISSPELT.exec(message) ?? [];
  if (list === undefined) return message;
  const given = value ?? option.slice(option.lastIndexOf('.') + 1);
  const names = list.split(/, | or /).map((name) => name.replace(/^'|'$/g, ''));
  return message + questionAbout(given, names);
}

/** `. Did you mean 'balanced'?` if a name is similar to one of these, else ''. */
export function questionAbout(given: string, names: readonly string[]): string {
  const [likeliest = ''] = nearestFirst(given, names);
  const differing = difference(given, likeliest);
  // Two letters are most of a short name.
  const isMeant = given !== likeliest && differing <= MOST_EDITS && differing * 3 <= given.length;
  return isMeant ? `. Did you mean '${likeliest}'?` : '';
}

/** The most letters that may differ in a misspelt name. */
const MOST_EDITS = 2;

/** The characters of a misspelt name that are compared: no option's name is longer. */
const LONGEST = 64;

/** The number of letters in which two names differ, ignoring case. */
function difference(given: string, name: string): number {
  return edits(given.slice(0, LONGEST).toLowerCase(), name.toLowerCase());
}

/** The number of letters to insert, delete, replace or swap with their neighbours to turn one name into another. */
function edits(given: string, name: string): number {
  let above: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: given.length + 1 }, (_, at) => at);
  for (let from = 0; from < name.length; from++) {
    const next = [from + 1];
    for (let at = 1; at <= given.length; at++) {
      const isSame = given[at - 1] === name[from];
      const isSwapped = at > 1 && from > 0 && given[at - 1] === name[from - 1] && given[at - 2] === name[from];
      const swapped = isSwapped ? above[at - 2]! + 1 : Infinity;
      next.push(Math.min(next[at - 1]! + 1, row[at]! + 1, row[at - 1]! + (isSame ? 0 : 1), swapped));
    }
    [above, row] = [row, next];
  }
  return row.at(-1)!;
}

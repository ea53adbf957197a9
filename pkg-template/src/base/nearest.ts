/** Names, the one first that a misspelt one is likeliest meant to be: from which it differs in the fewest letters. */
export function nearestFirst(given: string, names: readonly string[]): readonly string[] {
  const differing = names.map((name) => edits(given.slice(0, LONGEST).toLowerCase(), name.toLowerCase()));
  const fewest = Math.min(...differing);
  if (fewest * 2 > given.length) return names; // it is like none of them
  const at = differing.indexOf(fewest);
  return [...names.slice(at, at + 1), ...names.slice(0, at), ...names.slice(at + 1)];
}

/** Errors about a misspelt name: the option or the quoted value, and the names that are expected. */
const MISSPELT = /^(?:option )?(\S+): found (?:'([^']+)'|an unknown key), expected (?:one of )?([^;]+)/;

/** The message of an error, with a question if the name that it found is nearly one of those that it lists. */
export function withQuestion(message: string): string {
  const [, option = '', value, list] = MISSPELT.exec(message) ?? [];
  if (list === undefined) return message;
  const given = value ?? option.slice(option.lastIndexOf('.') + 1);
  const names = list.split(/, | or /).map((name) => name.replace(/^'|'$/g, ''));
  return message + questionAbout(given, names);
}

/** `. Did you mean 'balanced'?`, if a name is nearly one of these; else nothing. */
export function questionAbout(given: string, names: readonly string[]): string {
  const [likeliest = ''] = nearestFirst(given, names);
  const differing = edits(given.slice(0, LONGEST).toLowerCase(), likeliest.toLowerCase());
  // In a short name two letters are most of it.
  const isMeant = given !== likeliest && differing <= MOST_EDITS && differing * 3 <= given.length;
  return isMeant ? `. Did you mean '${likeliest}'?` : '';
}

/** The most letters that may differ in a misspelt name. */
const MOST_EDITS = 2;

/** So much of a name is compared: no option's is longer. */
const LONGEST = 64;

/** How many letters must be put in, taken out, replaced or swapped with their neighbours to make one name of another. */
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

/** Tables and texts for terminals: no line is wider than the terminal, as far as single words allow. */

type Row = readonly string[];

/** The width of a terminal that doesn't report its own. */
export const USUAL_COLUMNS = 80;

const GAP = '  ';

/**
 * Rows below their headings, as a table of plain text. A table wider than `columns` becomes several below each other;
 * each repeats the first column. If not even two columns fit, each row becomes a block of lines.
 */
export function tableText(rows: readonly Row[], columns = Infinity): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const [first = 0, ...others] = widths;
  if (others.some((width) => first + GAP.length + width > columns)) return blocksText(rows);
  const groups: number[][] = [[]];
  let used = first;
  others.forEach((width, at) => {
    if (used + GAP.length + width > columns) {
      groups.push([]);
      used = first;
    }
    groups.at(-1)!.push(at + 1);
    used += GAP.length + width;
  });
  const line = (row: Row, group: readonly number[]): string =>
    [row[0]!.padEnd(first), ...group.map((at) => row[at]!.padStart(widths[at]!))].join(GAP).trimEnd();
  return groups.map((group) => rows.map((row) => line(row, group)).join('\n')).join('\n\n');
}

/** A line for each value, with its heading. */
function blocksText([headings = [], ...rows]: readonly Row[]): string {
  const blocks = rows.map(([name, ...cells]) =>
    [name, ...cells.map((cell, at) => `${GAP}${headings[at + 1]}: ${cell}`)].join('\n'),
  );
  return blocks.join('\n');
}

/** A text whose lines are broken between words. The broken parts of a line start with `indent`, and with its own spaces. */
export function wrapped(text: string, columns = Infinity, indent = ''): string {
  return text
    .split('\n')
    .map((line) => broken(line, columns, /^ */.exec(line)![0] + indent))
    .join('\n');
}

function broken(line: string, columns: number, indent: string): string {
  if (line.length <= columns) return line;
  const [own] = /^ */.exec(line)!;
  const lines: string[] = [];
  let part = own;
  for (const word of line.trim().split(/ +/)) {
    const isFirst = part.trim() === '';
    if (!isFirst && part.length + 1 + word.length > columns) {
      lines.push(part);
      part = indent + word;
    } else part += isFirst ? word : ` ${word}`;
  }
  return [...lines, part].join('\n');
}

/** The column at which explanations start in a help text, or further right after a longer option. */
const EXPLANATIONS = 27;
/** Below this many columns an explanation stands under its option. */
const NARROW = 60;

/**
 * A help text for a terminal. Lines such as `  --json    JSON instead of a table` name an option and explain it; lines
 * that start with more spaces continue the explanation. Other lines form paragraphs.
 */
export function helpText(usage: string, columns: number): string {
  const lines: string[] = [];
  for (const line of usage.split('\n')) {
    const isPlain = /^\S/.test(line) && !isItem(line);
    const before = lines.at(-1) ?? '';
    if (/^ {4,}\S/.test(line) || (isPlain && /^\S/.test(before) && !isItem(before))) {
      lines[lines.length - 1] = `${before} ${line.trim()}`;
    } else lines.push(line);
  }
  return lines.map((line) => itemText(line, columns)).join('\n');
}

const ITEM = /^( {0,2}\S.*?) {2,}(\S.*)$/;
const isItem = (line: string): boolean => ITEM.test(line);

function itemText(line: string, columns: number): string {
  const [, name, explanation] = ITEM.exec(line) ?? [];
  if (name === undefined || explanation === undefined) return wrapped(line, columns);
  if (columns < NARROW) return `${wrapped(name, columns, GAP)}\n${wrapped(`      ${explanation}`, columns)}`;
  const start = Math.max(EXPLANATIONS, name.length + 2);
  const text = wrapped(explanation, columns - start).replaceAll('\n', `\n${' '.repeat(EXPLANATIONS)}`);
  return `${name.padEnd(start)}${text}`;
}

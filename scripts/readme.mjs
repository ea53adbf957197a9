/**
 * What the package has of the project's documents: all but what is said of the repository alone, which stands between
 * marks: lines, words within a line, or the last column of a table.
 */
export function shippedText(text, name) {
  const shipped = text
    .replace(/^<!-- repository -->\n[\s\S]*?^<!-- \/repository -->\n/gm, '')
    .replace(/^<!-- repository: last column -->\n([\s\S]*?)^<!-- \/repository -->\n/gm, (_, table) =>
      table.replace(/ ?\|[^|\n]*\|$/gm, ' |').replace(/- \|$/gm, '-|'),
    )
    .replace(/ ?<!-- repository -->[\s\S]*?<!-- \/repository -->/g, '');
  if (shipped.includes('<!--')) throw new Error(`${name}: a comment that is no pair of repository and /repository`);
  return shipped;
}

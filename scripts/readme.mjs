/**
 * A document as the package ships it: without the parts between the marks of the repository, which are lines or words within
 * a line.
 */
export function shippedText(text, name) {
  const shipped = text
    .replace(/^<!-- repository -->\n[\s\S]*?^<!-- \/repository -->\n/gm, '')
    .replace(/ ?<!-- repository -->[\s\S]*?<!-- \/repository -->/g, '');
  if (shipped.includes('<!--')) throw new Error(`${name}: a comment that is no pair of repository and /repository`);
  return shipped;
}

/** What the package's README has of the project's: all but what is said of the repository alone. */
export function shippedReadme(text) {
  const shipped = text.replace(/^<!-- repository -->\n[\s\S]*?^<!-- \/repository -->\n/gm, '');
  if (shipped.includes('<!--')) throw new Error('README.md: a comment that is no pair of repository and /repository');
  return shipped;
}

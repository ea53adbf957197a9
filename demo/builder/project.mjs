// A virtual project: files that really change, so that every read returns the current content.

import { unifiedDiff } from './lines.mjs';

export class Project {
  #files;
  #committed;
  #commits = [];

  constructor(root, files) {
    this.root = root;
    this.#files = new Map(files);
    this.#committed = new Map(files);
  }

  absolute(path) {
    return path.startsWith('/') ? path : `${this.root}/${path}`;
  }

  has(path) {
    return this.#files.has(path);
  }

  read(path) {
    const content = this.#files.get(path);
    if (content === undefined) throw new Error(`no such file in the project: ${path}`);
    return content;
  }

  write(path, content) {
    this.#files.set(path, content);
  }

  remove(path) {
    this.#files.delete(path);
  }

  paths() {
    return [...this.#files.keys()].sort();
  }

  occurrences(path, text) {
    return this.read(path).split(text).length - 1;
  }

  /** What the file would be after one replacement; the text must stand there exactly once. */
  replaced(path, oldText, newText) {
    const count = this.occurrences(path, oldText);
    if (count !== 1) throw new Error(`${path}: ${count} occurrences of ${JSON.stringify(oldText.slice(0, 80))}`);
    const [before, after] = this.read(path).split(oldText);
    return before + newText + after;
  }

  list(directory) {
    const prefix = directory === '.' ? '' : `${directory}/`;
    const names = new Map();
    for (const path of this.paths()) {
      if (!path.startsWith(prefix)) continue;
      const [name, ...rest] = path.slice(prefix.length).split('/');
      names.set(name, rest.length > 0 ? undefined : this.read(path).length);
    }
    const lines = [...names].map(([name, size]) => (size === undefined ? `[DIR] ${name}` : `${name} (${size} bytes)`));
    return `Directory listing for ${prefix === '' ? this.root : this.absolute(directory)}:\n${lines.join('\n')}`;
  }

  /** Matching lines as `path:line: text`. */
  search(pattern, directory) {
    const regex = new RegExp(pattern);
    const hits = [];
    for (const path of this.paths()) {
      if (directory !== '.' && path !== directory && !path.startsWith(`${directory}/`)) continue;
      this.read(path)
        .split('\n')
        .forEach((line, index) => {
          if (regex.test(line)) hits.push(`${path}:${index + 1}: ${line.trim()}`);
        });
    }
    return hits;
  }

  changedPaths() {
    const all = new Set([...this.#files.keys(), ...this.#committed.keys()]);
    return [...all].filter((path) => this.#files.get(path) !== this.#committed.get(path)).sort();
  }

  gitStatus() {
    const letter = (path) => (!this.#files.has(path) ? ' D' : this.#committed.has(path) ? ' M' : '??');
    return this.changedPaths()
      .map((path) => `${letter(path)} ${path}`)
      .join('\n');
  }

  gitDiff(paths) {
    return this.changedPaths()
      .filter((path) => paths.length === 0 || paths.includes(path))
      .filter((path) => this.#committed.has(path))
      .map((path) => {
        const diff = unifiedDiff(this.#committed.get(path), this.#files.get(path) ?? '');
        return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${diff}`;
      })
      .join('\n');
  }

  commit(message, hash) {
    const changed = this.changedPaths();
    const lines = changed.map((path) => countChanges(this.#committed.get(path), this.#files.get(path)));
    const added = lines.reduce((sum, [plus]) => sum + plus, 0);
    const removed = lines.reduce((sum, [, minus]) => sum + minus, 0);
    this.#committed = new Map(this.#files);
    this.#commits.unshift(`${hash} ${message}`);
    return `[main ${hash}] ${message}\n ${changed.length} files changed, ${added} insertions(+), ${removed} deletions(-)`;
  }

  log() {
    return this.#commits.join('\n');
  }
}

function countChanges(before = '', after = '') {
  const lines = unifiedDiff(before, after)
    .split('\n')
    .filter((line) => !line.startsWith('@@'));
  return [lines.filter((line) => line.startsWith('+')).length, lines.filter((line) => line.startsWith('-')).length];
}

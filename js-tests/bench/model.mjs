/**
 * The neutral model as the rescan sees it, and its facts about single blocks.
 *
 * @typedef {{type: string, [key: string]: any}} Block
 * @typedef {{speaker: string, blocks: readonly Block[], metadata?: Record<string, unknown>}} Content
 * @typedef {(text: string) => number} CountTokens
 * @typedef {{readWritePairsPruned: number, fileDeduplicationsPruned: number, recencyPruned: number}} Metadata
 * @typedef {{index: number, content: Content | null}} Edit  `null` drops the entry
 * @typedef {object} Rules
 * @property {boolean} [readWritePruning] default true
 * @property {boolean} [fileDedupe] default true
 * @property {boolean} [recencyPruning] default false
 * @property {number} [recencyRetention] default 3
 * @property {readonly string[]} [recencyTools] limits recency to these tools
 *
 * @typedef {object} Options
 * @property {Rules} [rules]
 * @property {string} [workspaceRoot] default '/'
 * @property {(response: Block) => boolean} [isFailure]
 * @property {CountTokens} [countTokens] without it no tokens are counted
 *
 * @typedef {object} Settings the options with every default filled in
 * @property {boolean} readWritePruning
 * @property {boolean} fileDedupe
 * @property {boolean} recencyPruning
 * @property {number} retained
 * @property {ReadonlySet<string> | undefined} recencyTools
 * @property {string} workspaceRoot
 * @property {((response: Block) => boolean) | undefined} isFailure
 * @property {CountTokens | undefined} countTokens
 */

export const PRUNED_RESULT = '[Result pruned — re-run tool to retrieve]';
const PRUNED_RESULT_JSON_LENGTH = JSON.stringify(PRUNED_RESULT).length;

const READ_TOOLS = new Set(['read_file', 'read_line_range', 'read_many_files', 'ast_read_file']);
const WRITE_TOOLS = new Set(['write_file', 'ast_edit', 'replace', 'insert_at_line', 'delete_line_range']);
const KNOWN_BLOCK_TYPES = new Set(['text', 'tool_call', 'tool_response', 'media', 'thinking', 'code']);

/**
 * @param {Options} options
 * @returns {Settings}
 */
export function settingsFrom(options) {
  const { rules = {}, workspaceRoot = '/', isFailure, countTokens } = options;
  const {
    readWritePruning = true,
    fileDedupe = true,
    recencyPruning = false,
    recencyRetention = 3,
    recencyTools,
  } = rules;
  const retained = Math.max(1, Math.floor(recencyRetention));
  const tools = recencyTools && new Set(recencyTools);
  return {
    readWritePruning,
    fileDedupe,
    recencyPruning,
    retained,
    recencyTools: tools,
    workspaceRoot,
    isFailure,
    countTokens,
  };
}

/** @returns {Metadata} */
export function emptyMetadata() {
  return { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 };
}

/**
 * POSIX `path.resolve(root, path)` for an absolute root, remembered for each path.
 * @param {string} root
 * @returns {(path: string) => string}
 */
export function createPathResolver(root) {
  /** @type {Map<string, string>} */
  const known = new Map();
  return (path) => {
    let resolved = known.get(path);
    if (resolved === undefined) {
      resolved = normalizePath(path.startsWith('/') ? path : `${root}/${path}`);
      known.set(path, resolved);
    }
    return resolved;
  };
}

/** @param {string} path */
function normalizePath(path) {
  const kept = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return `/${kept.join('/')}`;
}

/**
 * The resolved paths that a call to a read tool reads; none if they can't be known.
 * @param {Block} call
 * @param {(path: string) => string} resolve
 * @returns {string[] | undefined}
 */
export function pathsRead(call, resolve) {
  if (!READ_TOOLS.has(call.name)) return undefined;
  if (call.name !== 'read_many_files') {
    const path = singlePath(call.parameters);
    return path === undefined ? undefined : [resolve(path)];
  }
  const paths = call.parameters?.paths;
  if (!Array.isArray(paths) || paths.length === 0 || !paths.every(isConcretePath)) return undefined;
  return paths.map(resolve);
}

/**
 * The resolved path that a call to a write tool writes, previews left out.
 * @param {Block} call
 * @param {(path: string) => string} resolve
 * @returns {string | undefined}
 */
export function pathWritten(call, resolve) {
  if (!WRITE_TOOLS.has(call.name)) return undefined;
  const parameters = call.parameters;
  const path = singlePath(parameters);
  if (path === undefined || parameters.force === false || parameters.preview === true || parameters.dry_run === true)
    return undefined;
  return resolve(path);
}

/** @param {any} parameters */
function singlePath(parameters) {
  if (typeof parameters !== 'object' || parameters === null) return undefined;
  if (typeof parameters.file_path === 'string') return parameters.file_path;
  if (typeof parameters.absolute_path === 'string') return parameters.absolute_path;
  return typeof parameters.path === 'string' ? parameters.path : undefined;
}

/** @param {unknown} path */
function isConcretePath(path) {
  return typeof path === 'string' && !path.includes('*') && !path.includes('?');
}

/**
 * Does this response show that its write took place?
 * @param {Block} response
 * @param {Settings} settings
 */
export function confirmsWrite(response, { isFailure }) {
  if (response.error || isCompacted(response) || isFailure?.(response)) return false;
  const result = response.result;
  if (typeof result !== 'object' || result === null) return true;
  if (Object.hasOwn(result, 'error') && result.error) return false;
  return !isFailureCode(result.exit_code) && !isFailureCode(result.exitCode);
}

/** @param {unknown} code */
function isFailureCode(code) {
  return typeof code === 'number' && code !== 0;
}

/**
 * Is the payload a pointer, or a summary line of `compress` (`[grep: TODO — success, 3 lines]`)?
 * @param {Block} response
 */
export function isCompacted({ result, toolName }) {
  if (typeof result !== 'string' || !result.startsWith('[')) return false;
  return result === PRUNED_RESULT || isSummaryLine(result, toolName);
}

/**
 * @param {string} line
 * @param {string} toolName
 */
function isSummaryLine(line, toolName) {
  const rest = line.slice(1 + toolName.length);
  if (!line.startsWith(toolName, 1) || line.includes('\n')) return false;
  if (!rest.startsWith(': ') && !rest.startsWith(' — ')) return false;
  return /^(success|error)(, \d+ (lines|chars))?\]$/.test(rest.slice(rest.lastIndexOf(' — ') + 3));
}

/**
 * The response with the pointer in place of its payload, or the response itself if that would not make it shorter.
 * @param {Block} response
 * @returns {Block}
 */
export function prunedResponse(response) {
  if (isCompacted(response) || !isLongerThanPointer(response.result)) return response;
  return { ...response, result: PRUNED_RESULT };
}

/** @param {any} result */
function isLongerThanPointer(result) {
  if (typeof result === 'string' && result.length + 2 > PRUNED_RESULT_JSON_LENGTH) return true;
  if (hasLongOutput(result)) return true;
  try {
    return (JSON.stringify(result) ?? '').length > PRUNED_RESULT_JSON_LENGTH;
  } catch {
    return false;
  }
}

/**
 * Spares the serialisation of the usual `{output: text}`.
 * @param {any} result
 */
function hasLongOutput(result) {
  if (typeof result?.output !== 'string' || result.output.length < PRUNED_RESULT_JSON_LENGTH) return false;
  return Object.prototype.propertyIsEnumerable.call(result, 'output') && typeof result.toJSON !== 'function';
}

/**
 * An entry of which only `kept` is left, or `null` if the entry goes with what it lost.
 * @param {Content} entry
 * @param {readonly Block[]} kept
 * @returns {Content | null}
 */
export function withBlocks(entry, kept) {
  if (kept.length === 0) return null;
  if (entry.speaker === 'ai' && kept.every(isIdle)) return null;
  if (entry.speaker === 'tool' && !kept.some(justifiesToolEntry)) return null;
  return { ...entry, blocks: kept };
}

/** @param {Block} block */
function isIdle(block) {
  return (
    block.type === 'thinking' || (block.type === 'text' && typeof block.text === 'string' && block.text.trim() === '')
  );
}

/** @param {Block} block */
function justifiesToolEntry(block) {
  return block.type === 'tool_response' || !KNOWN_BLOCK_TYPES.has(block.type);
}

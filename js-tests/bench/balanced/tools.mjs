/** What tools do, as far as the bench's sessions name them. */

/** @typedef {'read' | 'write' | 'edit' | 'shell' | 'search' | 'todo' | 'other'} Kind */

/** @type {[Kind, string][]} */
const NAMES = [
  ['read', 'read_file read_line_range read_many_files ast_read_file Read read view read_text_file read_multiple_files'],
  ['write', 'write_file Write write create'],
  ['edit', 'ast_edit replace insert_at_line delete_line_range Edit MultiEdit edit apply_patch edit_file'],
  ['shell', 'run_shell_command Bash bash shell shell_command exec_command execute_bash terminal'],
  ['search', 'search_file_content list_directory glob Grep Glob LS grep find ls directory_tree'],
  ['todo', 'todo_write write_todos TodoWrite todowrite update_plan'],
];

/** @type {ReadonlyMap<string, Kind>} */
const KINDS = new Map(NAMES.flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind])));

/** What the editors do that do several things, by their `command`. @type {ReadonlyMap<unknown, Kind>} */
const EDITS = new Map([
  ['view', 'read'],
  ['create', 'write'],
  ['str_replace', 'edit'],
  ['insert', 'edit'],
  ['undo_edit', 'edit'],
]);
const EDITORS = new Set(['file_editor', 'str_replace_editor', 'str_replace_based_edit_tool']);

/**
 * A tool as calls name it.
 * @typedef {object} Tool
 * @property {Kind} kind
 * @property {boolean} isEditor its `command` says what it does
 * @property {boolean} isCamel its path may be in `filePath`
 * @property {boolean} isListed its paths may be in a list
 */

/** @param {string} name @param {boolean} isRespelled @returns {Tool | undefined} */
function find(name, isRespelled) {
  const [kind, isEditor] = [KINDS.get(name) ?? 'other', EDITORS.has(name)];
  const isCamel = isRespelled || /^(?:read|write|edit)$/.test(name);
  const isListed = /^read_(?:many|multiple)_files$/.test(name);
  return kind !== 'other' || isEditor ? { kind, isEditor, isCamel, isListed } : undefined;
}

const PREFIXES = /^(?:mcp__(?:filesystem|fs)__|mcp_filesystem_|filesystem(?:__?|\.)|functions\.|default_api[.:])/;

/** The name that a name spells differently: `readFile`, `mcp__filesystem__read_file`. @param {string} name */
function respelled(name) {
  const bare = name.replace(PREFIXES, '');
  const words = bare.replaceAll(/(?<=[a-z])(?=[A-Z])|-/g, '_').toLowerCase();
  return /[a-z]$/.test(bare) && words.includes('_') && words !== 'update_plan' ? words : '';
}

/** @type {Map<string, Tool>} */
const TOOLS = new Map();
/** @type {Tool} */
const UNKNOWN = { kind: 'other', isEditor: false, isCamel: false, isListed: false };

/** What is known of a name, each looked up once. @param {string} name @returns {Tool} */
function toolOf(name) {
  let tool = TOOLS.get(name);
  if (tool === undefined) TOOLS.set(name, (tool = find(name, false) ?? find(respelled(name), true) ?? UNKNOWN));
  return tool;
}

const KEPT_TOOLS =
  /^wait$|agent|(?<!run_|gradle_)task|skill|plan|todo|question|user_input|ask_user|memory|rules|investigator/i;

/** Whether a tool's results stay as they are. @param {string} name */
export const isKeptTool = (name) => KEPT_TOOLS.test(name);

const KEPT_FILES =
  /[/\\](?:(?:claude|claude\.local|agents|gemini)\.md|\.(?:cursor|windsurf|clinerules|goosehints)|(?:\.claude|\.roo|\.junie|\.github[/\\]instructions|memory-bank|plans|skills)[/\\])|copilot-instructions\.md/i;
const CAPITALS = /(?:^|[/\\])([A-Z]+)\.md$/;
const PLAIN_FILES = new Set(['README', 'CHANGELOG', 'CONTRIBUTING', 'LICENSE', 'SECURITY', 'NOTICE', 'TODO', 'FAQ']);

/** Whether a path is that of a file with instructions; what the workspace lies in doesn't count. @param {string} whole @param {string} root */
export function isKeptPath(whole, root) {
  const isBelow = whole.startsWith(root) && /^[/\\]/.test(whole.slice(root.length));
  const path = isBelow ? whole.slice(root.length) : whole;
  const stem = CAPITALS.exec(path)?.[1];
  return KEPT_FILES.test(path) || (stem !== undefined && !PLAIN_FILES.has(stem));
}

/**
 * A call's facts.
 * @typedef {object} Facts
 * @property {Kind} kind
 * @property {boolean} isPreview
 * @property {boolean} isVague some of its paths weren't understood
 * @property {(string | undefined)[]} paths resolved; none in the place of a pattern
 */

const isBag = (/** @type {any} */ value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {string} name @param {any} parameters @param {(path: string) => string} resolve @returns {Facts} */
export function factsOf(name, parameters, resolve) {
  const tool = toolOf(name);
  const kind = tool.isEditor ? (EDITS.get(parameters?.command) ?? 'other') : tool.kind;
  const isFile = kind === 'read' || kind === 'write' || kind === 'edit';
  if (!isFile || !isBag(parameters))
    return { kind: isBag(parameters) ? kind : 'other', isPreview: false, isVague: true, paths: [] };
  const { force, preview, dry_run: dryRun } = parameters;
  const isPreview = force === false || preview === true || dryRun === true;
  if (tool.isListed && Array.isArray(parameters.paths)) {
    const texts = parameters.paths.filter((/** @type {unknown} */ path) => typeof path === 'string');
    const paths = texts.map((/** @type {string} */ path) =>
      path === '' || /[*?]/.test(path) ? undefined : resolve(path),
    );
    return { kind, isPreview, isVague: texts.length < parameters.paths.length, paths };
  }
  const keys = ['filePath', 'file_path', 'absolute_path', 'path'].slice(tool.isCamel ? 0 : 1);
  const path = keys.map((key) => parameters[key]).find((value) => typeof value === 'string' && value !== '');
  return { kind, isPreview, isVague: path === undefined, paths: path === undefined ? [] : [resolve(path)] };
}

/**
 * What harnesses write into results of calls that failed: the only table of these texts. Many formats have no field for a
 * failure, or lose it in a conversion, so the text decides in all of them. A form counts only for tools of the harness that
 * writes it, and only at the very start or end. So a tool's output is never mistaken for its outcome.
 */

/** The form in which some harnesses say that a call of theirs failed. */
export interface Outcome {
  readonly tools: readonly string[];
  /** At the beginning of a result, or at its end; a group in it is an exit code. */
  readonly first?: RegExp;
  readonly last?: RegExp;
}

const CODEX = ['shell', 'shell_command', 'exec_command', 'write_stdin', 'local_shell', 'container.exec', 'apply_patch'];

const OUTCOMES: readonly Outcome[] = [
  // Codex: lines about the call, then the output; in older versions JSON of both.
  { tools: CODEX, first: /^(?:(?:Chunk ID|Wall time): .*\n)*(?:Exit code: |Process exited with code )(-?\d+)(?=\n|$)/ },
  { tools: CODEX, first: /^\{"output":/, last: /,"metadata":\{"exit_code":(-?\d+)[^{}]*\}\}$/ },
  { tools: CODEX, first: /^(?:(?:Wall time: .*\n)?aborted by user|apply_patch verification failed|patch rejected)/ },
  // Its scripts.
  { tools: ['exec', 'wait'], first: /^Script (?:failed|error|terminated)(?=\n|$)/ },
  // The editor of SWE-agent, OpenHands and Anthropic's reference: what it shows follows words of its own.
  {
    tools: ['str_replace_editor', 'str_replace_based_edit_tool', 'file_editor'],
    first:
      /^(?:ERROR:|Error: |No replacement was performed|Invalid `|Parameter `|The path |File already exists at|Ran into )/,
  },
  // SWE-agent's own commands.
  { tools: ['edit', 'create', 'insert'], first: /^Your (?:proposed edit has introduced|edit was not applied)/ },
  // OpenHands' shell, mini-swe-agent's.
  { tools: ['execute_bash', 'terminal'], last: /(?:^|\n)\[Command finished with exit code (-?\d+)\]\s*$/ },
  { tools: ['bash'], first: /^<returncode>(-?\d+)<\/returncode>/ },
  // Claude Code, behind a proxy that leaves the flag out.
  { tools: ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'], first: /^(?:<tool_use_error>|Error: )/ },
  { tools: ['Bash'], first: /^(?:<tool_use_error>|Exit code (-?\d+)(?=\n|$))/ },
  // pi.
  { tools: ['bash'], last: /(?:^|\n)Command exited with code (-?\d+)\s*$/ },
  { tools: ['edit'], first: /^Could not find the exact text in / },
  // Cline and Roo Code.
  {
    tools: ['write_to_file', 'replace_in_file', 'apply_diff', 'insert_content', 'search_and_replace'],
    first: /^(?:\[.*\] Result:\n+)?(?:The tool execution failed with the following error:|\{"status":"error")/,
  },
];

/** What OpenAI's Agents SDK answers for any tool that threw. */
const THREW = 'An error occurred while running the tool. Please try again. Error: ';

const BY_TOOL = new Map<string, Outcome[]>();
for (const outcome of OUTCOMES) {
  for (const tool of outcome.tools) BY_TOOL.set(tool, [...(BY_TOOL.get(tool) ?? []), outcome]);
}

/** How much of a result's end is looked at. */
const END = 200;

const NONE: readonly Outcome[] = [];

/** The forms in which a tool's harness says that a call failed. */
export function outcomesOf(tool: string): readonly Outcome[] {
  return BY_TOOL.get(tool) ?? NONE;
}

/** Whether a tool's harness says in a result that the call failed. */
export function saysOutcome(outcomes: readonly Outcome[], result: string): boolean {
  for (const outcome of outcomes) if (isFailed(outcome, result)) return true;
  return result.startsWith(THREW);
}

function isFailed({ first, last }: Outcome, result: string): boolean {
  const begins = first?.exec(result);
  if (begins === null) return false;
  const ends = last?.exec(result.slice(-END));
  if (ends === null) return false;
  const code = ends?.[1] ?? begins?.[1];
  return code === undefined || Number(code) !== 0;
}

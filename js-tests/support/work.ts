/** Work on files as agents do it: numbered reads of parts that overlap, output that repeats, long results. */
import type { IContent } from 'densify';

/** A call and its response. */
export function exchange(id: string, name: string, parameters: Record<string, unknown>, result: unknown): IContent[] {
  return [
    { speaker: 'ai', blocks: [{ type: 'tool_call', id, name, parameters }] },
    { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName: name, result }] },
  ];
}

/** Lines that occur nowhere else, umlauts and emoji among them. */
export function lines(of: string, from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, at) => `let ${of}_${from + at} = "grün 🎈"; // ${of} ${from + at}`);
}

/** Lines as tools number them. */
export function numbered(list: readonly string[], first: number, separator = '→'): string {
  return list.map((line, at) => `${String(first + at).padStart(6)}${separator}${line}\n`).join('');
}

/** Some turns of work that a seed decides. */
export function work(seed: number): IContent[] {
  let state = seed % 2_147_483_647 || 1;
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const history: IContent[] = [{ speaker: 'human', blocks: [{ type: 'text', text: 'Make it work.' }] }];
  for (let turn = 0; turn < 60; turn += 1) {
    const id = `c${turn}`;
    const from = random(80);
    const part = lines('abc'[random(3)] as string, from, from + 5 + random(120));
    if (turn % 4 === 0) history.push(...exchange(id, 'read_file', { path: '/a.rs' }, numbered(part, from, '\t')));
    else if (turn % 4 === 1) history.push(...exchange(id, 'bash', { command: 'cat a.rs' }, `${part.join('\r\n')}\n`));
    else if (turn % 4 === 2)
      history.push(...exchange(id, 'bash', { command: 'make' }, { output: part.join('\n'), exit_code: 0 }));
    else history.push(...exchange(id, 'read', { filePath: 'b.rs' }, numbered(part, 1)));
  }
  return history;
}

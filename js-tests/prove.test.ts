// `densify prove`, by the command of the tarball, against a model whose behaviour is known.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { IContent } from 'densify';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLI, type Ended, endOf } from './support/command.js';
import { chartLabels, widest } from './support/reports.js';
import { ai, call, human, response, tool } from './support/say.js';
import { type Scripted, type Step, scriptedModel } from './support/scripted-model.js';

/** Shortens the command's waits before it asks again. Node's own timers stay: they pass arguments. */
const SHORT_WAITS = `--import=data:text/javascript,${encodeURIComponent(`
  const wait = setTimeout;
  globalThis.setTimeout = (act, time, ...rest) =>
    wait(act, time >= 1000 && rest.length === 0 ? time / 50 : time, ...rest);
`)}`;
const KEY = 'key-that-nobody-may-see-4711';
const folder = mkdtempSync(join(tmpdir(), 'densify-prove-'));
afterAll(() => rmSync(folder, { recursive: true }));

function started(args: readonly string[], COLUMNS = ''): ChildProcess & { readonly ended: Promise<Ended> } {
  const env = { ...process.env, TEST_KEY: KEY, COLUMNS };
  const child = spawn(process.execPath, [SHORT_WAITS, CLI, 'prove', ...args], { env });
  return Object.assign(child, { ended: endOf(child) });
}

const run = (args: readonly string[], columns?: string): Promise<Ended> => started(args, columns).ended;

/** A session that reads files and edits some later. A third of the edits come so late that masking has dropped the read. */
function session(number: number, steps = 24): { contents: IContent[]; edits: Map<number, number> } {
  const contents: IContent[] = [human(`Work through the list. Begin: read file_${number}_0.ts`)];
  /** The steps' entries that edit, with the results between the read and the edit. */
  const edits = new Map<number, number>();
  const plan: { kind: 'read' | 'edit'; file: number }[] = [];
  const reads: number[] = [];
  for (let step = 0; step < steps; step += 1) {
    // Files of even numbers are edited once: a third of them 13 steps later, the others 3.
    const isLate = (file: number) => (file / 2 + number) % 3 === 0;
    const file = [step - 13, step - 3].find((each, at) => step % 2 === 1 && each >= 0 && isLate(each) === (at === 0));
    plan.push(file === undefined ? { kind: 'read', file: step } : { kind: 'edit', file });
  }
  plan.forEach(({ kind, file }, step) => {
    const [path, id] = [`src/file_${number}_${file}.ts`, `c${step}`];
    const line = `const needle_${number}_${file} = compute(${file});`;
    const next = plan[step + 1];
    const todo = next === undefined ? 'TODO: done' : `TODO: ${next.kind} file_${number}_${next.file}.ts`;
    const filler = Array.from({ length: 8 }, (_, at) => `// line ${at} of file ${number} ${file}`).join('\n');
    if (kind === 'edit') edits.set(contents.length, step - reads[file]! - 1);
    else reads[file] = step;
    contents.push(
      kind === 'read'
        ? ai(call(id, 'read_file', { path }))
        : ai(call(id, 'edit_file', { path, old_string: line, new_string: 'const changed = 1;' })),
      tool(
        response(
          id,
          kind === 'read' ? 'read_file' : 'edit_file',
          kind === 'read' ? `${line}\n${filler}\n${todo}` : `ok\n${todo}`,
        ),
      ),
    );
  });
  return { contents, edits };
}

/** Follows the list; an edit quotes the line that it changes, which must be in the request, else the file is read again. */
function worker(context: string, last: string): Step {
  const [, kind, name] = /(?:TODO|Begin): (read|edit) (file_\d+_\d+\.ts)(?![\s\S]*TODO)/.exec(last) ?? [];
  if (name === undefined) return { text: 'All done.' };
  const path = `src/${name}`;
  const needle = new RegExp(`const ${name.replace('file', 'needle').replace('.ts', '')} = compute\\(\\d+\\);`).exec(
    context,
  );
  if (kind === 'edit' && needle !== null)
    return { tool: 'edit_file', input: { path, old_string: needle[0], new_string: 'x' } };
  return { tool: 'read_file', input: { path } };
}

/** A log file: contents as an Anthropic conversation, which the reader knows. */
function logFile(name: string, contents: readonly IContent[]): string {
  const path = join(folder, name);
  const messages = contents.map(({ speaker, blocks }) => ({
    role: speaker === 'ai' ? 'assistant' : 'user',
    content: blocks.map((block) => {
      if (block.type === 'tool_call')
        return { type: 'tool_use', id: block.id, name: block.name, input: block.parameters };
      if (block.type === 'tool_response')
        return { type: 'tool_result', tool_use_id: block.callId, content: block.result };
      return { type: 'text', text: (block as { text: string }).text };
    }),
  }));
  writeFileSync(path, JSON.stringify({ messages }));
  return path;
}

let model: Scripted;
beforeEach(async () => {
  model = await scriptedModel(worker);
});
afterEach(() => model.close());

const asking = (...more: string[]) => ['--url', model.url, '--model', 'scripted', '--key-env', 'TEST_KEY', ...more];
const FREE = ['--prices=0,0'];

interface Loss {
  readonly log: string;
  readonly entry: number;
  readonly full: string;
  readonly packed: string;
}
interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly pairs: number;
  readonly agreed: number;
}
type Verdicts = Record<'right' | 'wrong' | 'asked again' | 'unknown', number> & { readonly share?: Estimate };
interface Proof {
  readonly cuts: { readonly planned: number; readonly judged: number; readonly tooLong: number };
  readonly stopped?: { readonly reason: string };
  readonly without: readonly string[];
  readonly noise: Record<'tool' | 'arguments' | 'intent', Estimate>;
  readonly policies: {
    readonly policy: string;
    readonly tokens: number;
    readonly quotes: { readonly kept: number; readonly of: number };
    readonly losses: readonly Loss[];
    readonly agreement: Record<'tool' | 'arguments' | 'intent', Estimate>;
    readonly difference: Record<'tool' | 'arguments' | 'intent', Estimate>;
    readonly recall?: Record<'full' | 'packed' | 'tools', Verdicts>;
  }[];
}
const proofOf = ({ out }: Ended): Proof => JSON.parse(out) as Proof;

/** The masked edits of some sessions: their read has ten newer results. */
const planted = (sessions: readonly { name: string; edits: Map<number, number> }[]) =>
  sessions.flatMap(({ name, edits }) =>
    [...edits].filter(([, newer]) => newer >= 10).map(([entry]) => `${name}:${entry}`),
  );

describe('a model that answers from its context', () => {
  const sessions = Array.from({ length: 10 }, (_, at) => ({ name: `s${at}.json`, ...session(at, 24 + at) }));
  const files = () => sessions.map(({ name, contents }) => logFile(name, contents));

  test.each(['openai', 'anthropic', 'gemini'])(
    'by %s: every planted loss is found, and no other in over 200 pairs',
    async (api) => {
      const ended = await run([
        ...files(),
        ...asking(`--api=${api}`, ...FREE, '--policies=masking,lossless', '--cuts=1000', '--json'),
      ]);
      expect(ended.code, ended.err).toBe(0);
      const { cuts, noise, policies } = proofOf(ended);
      expect(cuts.judged).toBe(cuts.planned);
      expect(cuts.judged).toBeGreaterThan(200);
      expect(noise.arguments.value).toBe(1);
      const [lossless, masking] = ['lossless', 'masking'].map(
        (name) => policies.find(({ policy }) => policy === name)!,
      );
      const expected = planted(sessions);
      expect(expected.length).toBeGreaterThanOrEqual(20);
      expect(masking!.losses.map(({ log, entry }) => `${log}:${entry}`).sort()).toEqual(expected.sort());
      for (const { full, packed } of masking!.losses) expect([full, packed]).toEqual(['edit_file', 'read_file']);
      const { value, low, high, pairs, agreed } = masking!.agreement.arguments;
      expect(agreed).toBe(pairs - expected.length);
      expect(value).toBeCloseTo(1 - expected.length / pairs, 10);
      expect(low).toBeLessThan(value);
      expect(high).toBeGreaterThan(value);
      // The offline figure names the same edits.
      const edits = sessions.reduce((sum, { edits: own }) => sum + own.size, 0);
      expect(masking!.quotes).toEqual({ kept: edits - expected.length, of: edits });
      // Nothing that an edit quotes is lost without a trace by rules that lose nothing.
      expect(lossless!.losses).toEqual([]);
      // Nothing was seen, which isn't the same as nothing can be.
      expect(lossless!.agreement.arguments).toMatchObject({ value: 1, high: 1 });
      expect(lossless!.agreement.arguments.low).toBeLessThan(1);
      // Ten sessions that agree show less than their 200 pairs would, were these independent.
      expect(lossless!.agreement.arguments.low).toBeCloseTo(1 - 3.84 / 13.84, 3);
      expect(lossless!.quotes).toEqual({ kept: edits, of: edits });
    },
    120_000,
  );

  test('requests have no open calls, no lost results, and turns that alternate', async () => {
    const [file] = files();
    await run([
      file!,
      ...asking(
        '--api=anthropic',
        ...FREE,
        '--policies=masking,balanced,plain-digest,head-and-tail',
        '--window=5000',
        '--cuts=1000',
      ),
    ]);
    expect(model.bodies.length).toBeGreaterThan(40);
    for (const body of model.bodies) {
      const { messages } = JSON.parse(body) as {
        messages: { role: string; content: { type: string; id?: string; tool_use_id?: string }[] }[];
      };
      messages.forEach(({ role, content }, at) => {
        expect(role).toBe(at % 2 === 0 ? 'user' : 'assistant');
        const called = content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
        const answered =
          messages[at + 1]?.content.flatMap(({ type, tool_use_id: id }) => (type === 'tool_result' ? [id] : [])) ?? [];
        expect([...answered].sort()).toEqual([...called].sort());
      });
    }
  }, 60_000);
});

describe('a run that ends early', () => {
  const sessions = [0, 1].map((at) => ({ name: `r${at}.json`, ...session(at, 14) }));
  const args = (state: string) => [
    ...sessions.map(({ name, contents }) => logFile(name, contents)),
    ...asking(
      '--prices=1,1',
      '--limit=100',
      '--policies=masking',
      '--cuts=1000',
      '--json',
      `--state=${join(folder, state)}`,
      '--parallel=3',
    ),
  ];

  test('goes on to the same report, wherever it was killed', async () => {
    const whole = await run(args('whole.jsonl'));
    expect(whole.code, whole.err).toBe(0);
    const requests = model.bodies.length;
    for (const at of [1, 2, 7, Math.floor(requests / 2), requests - 1]) {
      const state = `killed-${at}.jsonl`;
      const before = model.bodies.length;
      const child = started(args(state));
      model.fault = () => {
        if (model.bodies.length - before >= at) child.kill('SIGKILL');
        return false;
      };
      expect((await child.ended).code).not.toBe(0);
      model.fault = undefined;
      // A kill may tear the last line at any place.
      const path = join(folder, state);
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      writeFileSync(path, text.slice(0, text.length - (at % 9)));
      const resumed = await run(args(state));
      expect(resumed.code, resumed.err).toBe(0);
      expect(resumed.out).toBe(whole.out);
      expect(model.bodies.length - before).toBeLessThan(requests + at + 4);
    }
    // Nothing is left to ask.
    const before = model.bodies.length;
    expect((await run(args('whole.jsonl'))).out).toBe(whole.out);
    expect(model.bodies.length).toBe(before);
  }, 120_000);

  test('knows after an interruption which parameters the model refused', async () => {
    const refusing: NonNullable<Scripted['fault']> = (_, response, body) => {
      if (!('seed' in (JSON.parse(body) as object))) return false;
      response.writeHead(400).end(JSON.stringify({ error: { message: "Unknown parameter: 'seed'." } }));
      return true;
    };
    model.fault = refusing;
    const whole = await run(args('refusing-whole.jsonl'));
    expect(proofOf(whole).without).toEqual(['seed']);
    const from = model.bodies.length;
    const child = started(args('refusing.jsonl'));
    model.fault = (...given) => {
      if (model.bodies.length - from >= 12) child.kill('SIGKILL');
      return refusing(...given);
    };
    await child.ended;
    model.fault = refusing;
    const before = model.bodies.length;
    expect((await run(args('refusing.jsonl'))).out).toBe(whole.out);
    expect(model.bodies.slice(before).some((body) => body.includes('"seed"'))).toBe(false);
  }, 60_000);

  test('refuses the state of another run', async () => {
    await run(args('other.jsonl'));
    const other = await run([...args('other.jsonl'), '--seed=2']);
    expect(other).toMatchObject({ code: 2, out: '' });
    expect(other.err).toContain('option state: the file belongs to a run with other logs');
  }, 60_000);

  test('never passes the limit, whatever the endpoint does', async () => {
    let request = 0;
    for (const limit of [0.0001, 0.02, 0.09]) {
      const billed = { input: 0, output: 0 };
      model.fault = (_, response, body) => {
        request += 1;
        const kind = request % 6;
        if (kind === 1) response.writeHead(429, { 'retry-after': '0' }).end();
        // Worked for, and then lost: this is billed.
        const isLost = kind >= 2 && kind <= 4;
        if (isLost) {
          billed.input += Math.ceil(body.length / 4);
          billed.output += 1_000;
          if (kind === 2) response.end('{"choices": [{"mess');
          else if (kind === 3) response.destroy();
          else response.writeHead(504, { 'retry-after': '0' }).end('the model took too long');
        }
        return kind === 1 || isLost;
      };
      model.billed.input = model.billed.output = 0;
      const state = `limit-${limit}.jsonl`;
      // Again and again, as one would after each interruption.
      for (let round = 0; round < 2; round += 1) {
        const ended = await run([...args(state), `--limit=${limit}`]);
        expect(ended.code).toBe(1);
        expect(proofOf(ended).stopped?.reason).toBe('limit');
      }
      const dollars = (billed.input + model.billed.input + billed.output + model.billed.output) / 1e6;
      expect(dollars).toBeLessThanOrEqual(limit);
    }
  }, 120_000);

  test('never passes the limit, however often it is killed', async () => {
    const lost = { tokens: 0 };
    for (let round = 0; round < 6; round += 1) {
      const child = started([...args('killed-often.jsonl'), '--limit=0.05']);
      let asked = 0;
      model.fault = (_, __, body) => {
        asked += 1;
        if (asked % 2 === 1 && round < 5) return false;
        // Worked for, and never heard of.
        lost.tokens += Math.ceil(body.length / 4) + 1_000;
        child.kill('SIGKILL');
        return true;
      };
      if (round === 5) model.fault = undefined;
      const ended = await child.ended;
      if (round === 5) expect(proofOf(ended).stopped?.reason).toBe('limit');
    }
    expect(lost.tokens).toBeGreaterThan(2_000);
    expect((lost.tokens + model.billed.input + model.billed.output) / 1e6).toBeLessThanOrEqual(0.05);
  }, 60_000);

  test('begins anew where even the first line of its state is torn, and leaves other files alone', async () => {
    const [torn, notes] = [join(folder, 'torn.jsonl'), join(folder, 'notes.jsonl')];
    writeFileSync(torn, '{"run":"1k');
    writeFileSync(notes, 'my notes');
    const resumed = await run(args('torn.jsonl'));
    expect(resumed.code, resumed.err).toBe(0);
    const before = model.bodies.length;
    expect((await run(args('torn.jsonl'))).out).toBe(resumed.out);
    expect(model.bodies.length).toBe(before);
    expect((await run(args('notes.jsonl'))).code).toBe(2);
    expect(readFileSync(notes, 'utf8')).toBe('my notes');
  }, 60_000);
});

test('an endpoint that bills more than a request can have passes the limit by no second request', async () => {
  model.fault = (_, response) => {
    const message = { role: 'assistant', content: 'Well.' };
    const usage = { prompt_tokens: 90_000, completion_tokens: 10 };
    response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }], usage }));
    return true;
  };
  const args = [logFile('dear.json', session(2, 12).contents), ...asking('--prices=1,1', '--policies=masking')];
  const ended = await run([...args, '--limit=0.25', '--json']);
  expect(proofOf(ended).stopped?.reason).toBe('limit');
  expect(model.bodies).toHaveLength(2);
  expect(ended.err).toContain('spent: $0.1800 at most');
});

describe('an endpoint', () => {
  const one = () => logFile('one.json', session(3, 8).contents);
  const few = ['--policies=masking', '--cuts=2', '--json', ...FREE];

  test('that refuses ends the run, and shows no key', async () => {
    model.fault = (_, response) => {
      response
        .writeHead(401, { 'content-type': 'application/json' })
        // The message ends where it is cut.
        .end(JSON.stringify({ error: `wrong key ${KEY} ${'-'.repeat(445)} ${KEY}` }));
      return true;
    };
    const state = join(folder, 'refused.jsonl');
    const ended = await run([one(), ...asking(...few, `--state=${state}`)]);
    expect(ended.code).toBe(1);
    expect(ended.err).toContain('status 401');
    expect(model.headers[0]?.authorization).toBe(`Bearer ${KEY}`);
    for (const text of [ended.out, ended.err, readFileSync(state, 'utf8')]) expect(text).not.toContain(KEY.slice(0, 9));
    // The endpoint's words stand on the screen, and in no report.
    expect(ended.err).toContain('wrong key [key]');
    expect(proofOf(ended)).toMatchObject({
      cuts: { judged: 0 },
      stopped: { reason: 'refused', message: 'status 401' },
    });
  });

  test('that refuses one question answers the others', async () => {
    const long = () => logFile('long-question.json', session(3, 8).contents);
    let refused: string | undefined;
    model.fault = (_, response, body) => {
      if (model.bodies.length === 4) refused = body;
      if (body !== refused) return false;
      response.writeHead(400).end(JSON.stringify({ error: { message: 'prompt is too long: 213000 tokens' } }));
      return true;
    };
    const args = [long(), ...asking('--policies=masking', '--cuts=4', '--json', '--parallel=1', ...FREE)];
    const ended = await run(args);
    expect(ended.code).toBe(1);
    expect(ended.err).toContain('1 questions got no answer: status 400: {"error":{"message":"prompt is too long');
    expect(proofOf(ended)).toMatchObject({ cuts: { planned: 4, judged: 3 }, stopped: { reason: 'failures' } });
  });

  test('of Gemini’s that blocks a prompt is asked once', async () => {
    model.fault = (_, response) => {
      response.end(
        JSON.stringify({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 9 } }),
      );
      return true;
    };
    const ended = await run([one(), ...asking(...few, '--api=gemini')]);
    expect(ended.code, ended.err).toBe(0);
    expect(proofOf(ended)).toMatchObject({ cuts: { planned: 2, judged: 0 } });
    expect(new Set(model.bodies).size).toBeGreaterThanOrEqual(model.bodies.length / 2);
  });

  test('that answers with the key has it in no report and no file', async () => {
    model.fault = (_, response, body) => {
      const call = { id: KEY, type: 'function', function: { name: KEY, arguments: JSON.stringify({ path: KEY }) } };
      const other = { ...call, function: { ...call.function, name: `other_${KEY}` } };
      // Another answer to packed histories, so that it is named as a loss.
      const tool_calls = [body.includes('[old tool result omitted]') ? other : call];
      const message = { role: 'assistant', content: KEY, tool_calls };
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }));
      return true;
    };
    const [state, html] = [join(folder, 'repeated.jsonl'), join(folder, 'repeated.html')];
    const file = logFile('repeated.json', session(3, 24).contents);
    const more = [`--state=${state}`, `--html=${html}`, '--parallel=1', '--cuts=8'];
    const ended = await run([file, ...asking('--policies=masking', '--json', ...FREE, ...more)]);
    expect(proofOf(ended).policies[0]?.losses.length).toBeGreaterThan(0);
    for (const text of [ended.out, ended.err, readFileSync(state, 'utf8'), readFileSync(html, 'utf8')])
      expect(text).not.toContain(KEY);
  });

  test('that is busy, hangs, breaks off or talks nonsense is asked again', async () => {
    const faults: ((response: Parameters<NonNullable<Scripted['fault']>>[1]) => void)[] = [
      (response) => response.writeHead(429, { 'retry-after': '0' }).end(),
      (response) => response.writeHead(529).end('overloaded'),
      () => undefined,
      (response) => response.end('{"choices": [{"message": {"content": "cut of'),
      (response) => response.end('[1, 2, "no reply"]'),
      (response) => response.destroy(),
    ];
    model.fault = (_, response) => {
      const fault = model.bodies.length % 2 === 1 ? faults.shift() : undefined;
      fault?.(response);
      return fault !== undefined;
    };
    const ended = await run([one(), ...asking(...few, '--cuts=4', '--timeout=1', '--parallel=3')]);
    expect(ended.code, ended.err).toBe(0);
    expect(faults).toEqual([]);
    expect(proofOf(ended).cuts).toMatchObject({ planned: 4, judged: 4 });
  }, 60_000);

  test('that redirects gets no key elsewhere', async () => {
    const other = await scriptedModel(worker);
    model.fault = (_, response) => {
      response.writeHead(307, { location: `${other.url}/v1/chat/completions` }).end();
      return true;
    };
    const ended = await run([one(), ...asking(...few)]);
    expect(ended.code).toBe(1);
    expect(other.bodies).toEqual([]);
    await other.close();
  }, 60_000);

  test('that refuses a parameter is asked without it', async () => {
    model.fault = (_, response, body) => {
      const refused = ['temperature', 'seed', 'max_tokens'].find((name) => name in (JSON.parse(body) as object));
      if (refused === undefined) return false;
      const status = refused === 'seed' ? 422 : 400;
      response.writeHead(status).end(JSON.stringify({ error: { message: `Unsupported parameter: '${refused}'.` } }));
      return true;
    };
    const ended = await run([one(), ...asking(...few, '--parallel=1')]);
    expect(ended.code, ended.err).toBe(0);
    expect(proofOf(ended).without).toEqual(['temperature', 'seed', 'max_tokens']);
    expect(JSON.parse(model.bodies.at(-1)!)).toMatchObject({ max_completion_tokens: 1024 });
  });

  test('without tools says so, and gets calls as text', async () => {
    model.fault = (_, response, body) => {
      if (!('tools' in (JSON.parse(body) as object))) return false;
      response.writeHead(400).end('{"error": "this model does not support tools"}');
      return true;
    };
    const refused = await run([one(), ...asking(...few)]);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('pass --without-tools');
    const ended = await run([one(), ...asking(...few, '--without-tools')]);
    expect(ended.code, ended.err).toBe(0);
    expect(proofOf(ended)).toMatchObject({ noise: { arguments: { value: 1 } }, cuts: { judged: 2 } });
  });

  test('that cuts replies off or says nothing gives no pair', async () => {
    model.fault = (_, response) => {
      const call = { id: 'c', type: 'function', function: { name: 'edit_file', arguments: '{"path": "src/fi' } };
      const messages = [{ content: 'I think that' }, { content: '' }, { content: '', tool_calls: [call] }];
      const message = { role: 'assistant', ...messages[model.bodies.length % 3] };
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'length' }] }));
      return true;
    };
    const ended = await run([one(), ...asking(...few)]);
    expect(proofOf(ended)).toMatchObject({ cuts: { planned: 2, judged: 0 } });
  });

  test('that fails bills nothing, is named, and the same command goes on when it works again', async () => {
    model.fault = (_, response) => {
      response.writeHead(500).end('broken');
      return true;
    };
    const args = [one(), ...asking('--prices=1,1', '--limit=0.2', '--policies=masking', '--cuts=2')];
    const state = [`--state=${join(folder, 'recovers.jsonl')}`, '--json'];
    const failed = await run([...args, ...state]);
    expect(failed.code).toBe(1);
    expect(failed.err).toContain('densify: the first question got no answer: status 500\n');
    expect(failed.err).toContain('spent: $0.0000 at most');
    expect(failed.err).toContain('no answer: status 500 (try 1 of 5)\n');
    expect(model.bodies).toHaveLength(5);
    model.fault = undefined;
    const ended = await run([...args, ...state]);
    expect(ended.code, ended.err).toBe(0);
    expect(proofOf(ended).cuts.judged).toBe(2);
  }, 60_000);

  test('that may have billed what it lost: the limit says so, with the reason', async () => {
    model.fault = (_, response) => {
      response.writeHead(504).end('too late');
      return true;
    };
    const more = ['--prices=1,1', '--policies=masking', '--cuts=2', '--json', `--state=${join(folder, 'lost.jsonl')}`];
    const args = [one(), ...asking(...more)];
    const ended = await run([...args, '--limit=0.01']);
    expect(proofOf(ended).stopped?.reason).toBe('limit');
    const line = /limit leaves; \$0\.0\d+ of it count for requests without an answer, .* \(status 504\)\n/;
    expect(ended.err).toMatch(line);
    expect(ended.err).toContain('with a higher --limit to go on');
    model.fault = undefined;
    // Also where nothing was asked.
    expect((await run([...args, '--limit=0.01'])).err).toMatch(line);
    expect((await run([...args, '--limit=0.2'])).code).toBe(0);
  }, 60_000);

  test('that can not answer one question: the next run asks the others first', async () => {
    let broken = '';
    model.fault = (_, response, body) => {
      broken ||= body;
      if (body !== broken) return false;
      response.writeHead(500).end();
      return true;
    };
    const args = [one(), ...asking(...few), `--state=${join(folder, 'one-fails.jsonl')}`, '--parallel=1'];
    expect((await run(args)).err).toContain('the first question got no answer');
    const ended = await run(args);
    expect(ended.err).toContain('2 questions got no answer: status 500');
    expect(proofOf(ended).cuts).toMatchObject({ planned: 2, judged: 1 });
  }, 60_000);

  test('that never calls a tool is named', async () => {
    const note = 'no answer called a tool, so the agreement proves nothing';
    const usual = await run([one(), ...asking('--policies=masking', '--cuts=2', ...FREE)]);
    expect(usual.out.replace(/\s+/g, ' ')).not.toContain(note);
    model.fault = (_, response) => {
      response.end(JSON.stringify({ choices: [{ message: { content: 'hello' }, finish_reason: 'stop' }] }));
      return true;
    };
    const { out } = await run([one(), ...asking('--policies=masking', '--cuts=2', ...FREE)]);
    expect(out.replace(/\s+/g, ' ')).toContain(note);
  }, 60_000);

  test('elsewhere, and no key: a line says so before anything is sent', async () => {
    const url = '--url=http://nowhere.invalid';
    const line = 'OPENAI_API_KEY is not set, so the requests carry no key';
    const without = ['--import=data:text/javascript,delete process.env.OPENAI_API_KEY', CLI, 'prove'];
    const child = spawn(process.execPath, [...without, one(), url, '--model=none', ...few], { env: process.env });
    expect((await endOf(child)).err).toContain(line);
    expect((await run([one(), url, '--model=none', ...few, '--key-env=TEST_KEY'])).err).not.toContain(line);
  }, 60_000);

  test('that is down ends the run', async () => {
    const ended = await run([
      one(),
      '--url=http://127.0.0.1:9',
      '--model=none',
      ...few,
      '--timeout=1',
      '--parallel=64',
    ]);
    expect(ended.code).toBe(1);
    expect(proofOf(ended).cuts.judged).toBe(0);
  }, 60_000);
});

/** What each API gets of `--seed=7 --temperature=0.5`: Anthropic has no seed. */
const SAMPLING = {
  openai: { temperature: 0.5, seed: 7 },
  anthropic: { temperature: 0.5 },
  gemini: { generationConfig: { temperature: 0.5, seed: 7 } },
} as const;

describe.each(Object.entries(SAMPLING))('by %s', (api, expected) => {
  const args = (...more: string[]) => {
    const file = logFile(`sampling-${api}.json`, session(3, 8).contents);
    const sampling = [`--api=${api}`, '--seed=7', '--temperature=0.5', '--policies=masking', '--cuts=2', ...FREE];
    return [file, ...asking(...sampling, '--parallel=1', '--json', ...more)];
  };
  /** Every number that a request has under these names, at any depth in the body. */
  const sampled = (body: string) => [...body.matchAll(/"(temperature|seed)":([\d.]+)/g)].map(([, ...found]) => found);

  test('every request has the same seed and temperature, where the API has them', async () => {
    expect((await run(args())).code).toBe(0);
    expect(model.bodies.length).toBeGreaterThanOrEqual(4);
    for (const body of model.bodies) {
      expect(JSON.parse(body)).toMatchObject(expected);
      expect(sampled(body)).toHaveLength(api === 'anthropic' ? 1 : 2);
    }
  });

  test('a model that refuses the temperature is asked without it, and the report says so', async () => {
    model.fault = (_, response, body) => {
      if (!body.includes('"temperature"')) return false;
      const message = 'Invalid request: `temperature` is not supported with this model.';
      response.writeHead(400).end(JSON.stringify({ error: { message } }));
      return true;
    };
    const ended = await run(args());
    expect(ended.code, ended.err).toBe(0);
    expect(proofOf(ended)).toMatchObject({ without: ['temperature'], cuts: { planned: 2, judged: 2 } });
    const [, ...others] = model.bodies;
    for (const body of others) expect(sampled(body)).toEqual(api === 'anthropic' ? [] : [['seed', '7']]);
    expect((await run(args().filter((arg) => arg !== '--json'))).out).toContain('the model refused temperature');
  });
});

test('a model that does not agree with itself accuses no policy', async () => {
  let turn = 0;
  const dice = await scriptedModel(() => ({ tool: 'bash', input: { command: `step-${(turn += 1)}` } }));
  const file = logFile('dice.json', session(5).contents);
  const ended = await run([
    file,
    '--url',
    dice.url,
    '--model=dice',
    ...FREE,
    '--policies=masking',
    '--cuts=1000',
    '--json',
  ]);
  const { noise, policies } = proofOf(ended);
  expect(noise.arguments.value).toBe(0);
  expect(policies[0]?.losses).toEqual([]);
  expect(policies[0]?.agreement.intent.value).toBe(1);
  await dice.close();
}, 60_000);

test('a model that disagrees with itself now and then: the interval holds no change, and one log has none', async () => {
  let asked = 0;
  // Each seventh answer differs, whatever the request.
  const moody = await scriptedModel((context, last) => {
    asked += 1;
    return asked % 7 === 0 ? { tool: 'bash', input: { command: `mood ${asked}` } } : worker(context, last);
  });
  const files = Array.from({ length: 6 }, (_, at) => logFile(`m${at}.json`, session(at, 20).contents));
  const args = [
    '--url',
    moody.url,
    '--model=moody',
    ...FREE,
    '--policies=lossless',
    '--cuts=1000',
    '--parallel=1',
    '--json',
  ];
  const { noise, policies } = proofOf(await run([...files, ...args]));
  expect(noise.arguments.value).toBeLessThan(0.95);
  const { low, high } = policies[0]!.difference.arguments;
  expect([low <= 0, high >= 0, high > low]).toEqual([true, true, true]);
  const single = proofOf(await run([files[0]!, ...args])).policies[0]!.agreement.arguments;
  expect(Object.keys(single)).toEqual(['value', 'agreed', 'pairs']);
  await moody.close();
}, 60_000);

test('a shell’s command on another file is another step', async () => {
  const shell = await scriptedModel((context) => {
    const file = context.includes('[old tool result omitted]') ? 'other.ts' : 'file.ts';
    return { tool: 'bash', input: { command: `cd /repo && sed -n 1,80p src/${file}` } };
  });
  const file = logFile('shell.json', session(7).contents);
  const args = ['--url', shell.url, '--model=shell', '--policies=masking', '--cuts=1000', '--json', ...FREE];
  const { agreement, losses } = proofOf(await run([file, ...args])).policies[0]!;
  expect(agreement.tool.value).toBe(1);
  expect(losses.length).toBeGreaterThan(0);
  const lost = losses.length / agreement.arguments.pairs;
  expect([agreement.arguments.value, agreement.intent.value]).toEqual([
    expect.closeTo(1 - lost, 9),
    expect.closeTo(1 - lost, 9),
  ]);
  await shell.close();
});

test.each<[string, Step, Step]>([
  [
    'edited lines',
    { tool: 'edit_file', input: { path: 'src/a.ts', old_string: 'const one = 1;', new_string: 'x' } },
    { tool: 'edit_file', input: { path: 'src/a.ts', old_string: 'const other = 2;', new_string: 'x' } },
  ],
  [
    'the path',
    { tool: 'read_file', input: { path: 'src/a.ts', limit: 10 } },
    { tool: 'read_file', input: { path: 'src/b.ts', limit: 10 } },
  ],
  [
    'the head of a command',
    { tool: 'bash', input: { command: 'npm test src/a.ts' } },
    { tool: 'bash', input: { command: 'npm run src/a.ts' } },
  ],
])('another argument is a loss, though the tool is the same: %s', async (_, whole, packed) => {
  const one = await scriptedModel((context) => (context.includes('[old tool result omitted]') ? packed : whole));
  const args = ['--url', one.url, '--model=m', '--policies=masking', '--cuts=1000', '--json', ...FREE];
  const { agreement, losses } = proofOf(await run([logFile('arguments.json', session(7).contents), ...args]))
    .policies[0]!;
  expect(losses.length).toBeGreaterThan(0);
  expect(agreement.tool.agreed).toBe(agreement.tool.pairs);
  expect(agreement.arguments.agreed).toBe(agreement.arguments.pairs - losses.length);
  await one.close();
});

test('edits by patch quote the lines that they expect', async () => {
  const code = Array.from({ length: 30 }, (_, at) => `const value_${at} = compute(${at});`).join('\n');
  const input = `*** Begin Patch\n*** Update File: src/a.ts\n@@\n const value_3 = compute(3);\n-const value_4 = compute(4);\n+const b = 1;\n*** End Patch`;
  const contents = [
    human('Patch it.'),
    ai(call('1', 'read_file', { path: 'src/a.ts' })),
    tool(response('1', 'read_file', code)),
    ai(call('2', 'apply_patch', { input })),
    tool(response('2', 'apply_patch', 'Done!')),
  ];
  const ended = await run([logFile('patch.json', contents), '--policies=balanced', '--json']);
  expect(proofOf(ended).policies[0]?.quotes).toEqual({ kept: 1, of: 1 });
});

/** A session of long outputs, whose names can be asked for once they are cut. */
function outputs(): readonly IContent[] {
  const body = (file: string) =>
    Array.from({ length: 90 }, (_, at) => `export const ${file}Value${at} = ${file}Maker${at * 7}(${at});`).join('\n');
  const contents: IContent[] = [human('Tidy up.')];
  for (let step = 0; step < 30; step += 1) {
    contents.push(
      ai(call(`q${step}`, 'bash', { command: `print part${step}` })),
      tool(response(`q${step}`, 'bash', body(`part${step}x`))),
    );
  }
  return contents;
}

test('head and tail drops the middle, and a plain digest names each call without its long output', async () => {
  const args = ['--policies=head-and-tail,plain-digest', '--window=40000', '--cuts=12', ...FREE];
  expect((await run([logFile('rivals.json', outputs()), ...asking(...args)])).code).toBe(0);
  const whole = model.bodies.filter((body) => body.includes('part1xMaker7('));
  const digests = model.bodies.filter((body) => body.includes('Summary of the work so far.'));
  const tails = model.bodies.filter((body) => !whole.includes(body) && !digests.includes(body));
  expect(Math.min(whole.length, digests.length, tails.length)).toBeGreaterThan(0);
  for (const body of [...digests, ...tails]) {
    const last = Math.max(...[...body.matchAll(/print part(\d+)/g)].map(([, step]) => Number(step)));
    expect(body).toContain('Tidy up.');
    expect(body).toContain(`part${last}xMaker7(`);
    expect(body).not.toContain('part2xMaker7(');
    expect(/print part2\b/.test(body)).toBe(digests.includes(body));
    if (digests.includes(body)) expect(body).toContain('[call] bash(');
  }
});

test('a model without tools is asked no question with tools of recall', async () => {
  const file = logFile('no-tools.json', outputs());
  const more = ['--policies=aggressive', '--cuts=2', '--questions=2', '--without-tools', '--json', ...FREE];
  const ended = await run([file, ...asking(...more)]);
  expect(ended.code, ended.err).toBe(0);
  expect(model.bodies.some((body) => body.includes('is replaced by ____'))).toBe(true);
  expect(model.bodies.some((body) => 'tools' in (JSON.parse(body) as object))).toBe(false);
});

/** The question's line with a gap, in the last message or in an earlier one. */
function gappedLine(context: string, last: string): string | undefined {
  const line = /held this line, in which one name is replaced by ____:\n\n(.*)\n/;
  return (line.exec(last) ?? line.exec(context))?.[1];
}

/** The name in the gap, if any text has the line. */
function nameIn(context: string, line: string): string | undefined {
  const pattern = line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('____', '(\\w+)');
  return [...context.matchAll(new RegExp(pattern, 'g'))].map(([, name]) => name).find((name) => name !== '____');
}

test('questions about what was cut: known with the whole history and by recall tools, else unknown', async () => {
  const librarian = await scriptedModel((context, last) => {
    const wanted = gappedLine(context, last);
    if (wanted === undefined) return { text: 'Nothing asked.' };
    const found = nameIn(context, wanted);
    if (found !== undefined) return { text: found };
    // What a tool brought back had nothing of it: another reference.
    const references = [...context.matchAll(/\(recall (\w+)\)/g)].map(([, reference]) => reference!);
    const tried = new Set([...context.matchAll(/"?reference"?\W+(\w+)/g)].map(([, reference]) => reference));
    const next = references.find((reference) => !tried.has(reference)) ?? references[0];
    return next === undefined ? { text: 'UNKNOWN' } : { tool: 'recall', input: { reference: next } };
  });
  const file = logFile('questions.json', outputs());
  const args = ['--policies=masking,aggressive', '--cuts=2', '--questions=4', '--json'];
  const ended = await run([file, '--url', librarian.url, '--model=librarian', ...FREE, ...args]);
  expect(ended.code, ended.err).toBe(0);
  const [aggressive, masking] = ['aggressive', 'masking'].map(
    (name) => proofOf(ended).policies.find(({ policy }) => policy === name)?.recall,
  );
  // At the first of two points masking has nothing to mask yet.
  expect(masking).toMatchObject({ full: { right: 4 }, packed: { right: 0, unknown: 4 }, tools: { right: 0 } });
  expect(aggressive!.full.right).toBeGreaterThan(0);
  expect(aggressive!.packed.right).toBe(0);
  expect(aggressive!.tools.right).toBeGreaterThan(0);
  await librarian.close();
}, 60_000);

test('questions are about outputs, errors, decisions and requests, and each kind of answer is counted', async () => {
  const asked: Record<string, Set<string>> = {
    right: new Set(),
    wrong: new Set(),
    again: new Set(),
    unknown: new Set(),
  };
  const teller = await scriptedModel((context, last) => {
    const line = gappedLine(context, last);
    if (line === undefined) return { text: 'Nothing asked.' };
    expect(line).not.toContain('The wish of today');
    if (last.includes('A message of the user held this line')) {
      asked['unknown']!.add(line);
      return { text: 'UNKNOWN' };
    }
    if (last.includes('A message of yours held this line')) {
      asked['wrong']!.add(line);
      return { text: 'somethingElse' };
    }
    expect(last).toContain('The output of the tool bash held this line');
    if (!line.includes('Error')) {
      asked['again']!.add(line);
      return { tool: 'bash', input: { command: 'print again' } };
    }
    asked['right']!.add(line);
    const [, number] = /case (\d+)/.exec(line) ?? [];
    return { text: `It is missingName${number}.` };
  });
  const contents = [human('Go on, step by step, until all of it is done.')];
  for (let step = 0; step < 30; step += 1) {
    const code = Array.from(
      { length: 30 },
      (_, at) => `const part${step}Value${at} = ${100 * step + at}; // a line of it`,
    );
    contents.push(
      ai(
        { type: 'text', text: `I decide to build planOf${step} before part ${step} of the list.` },
        call(`m${step}`, 'bash', { command: `print ${step}` }),
      ),
      tool(
        response(`m${step}`, 'bash', `${code.join('\n')}\nTypeError, case ${step}: missingName${step} is no function`),
      ),
      // A line that fits the same gap elsewhere has no one answer, and isn't asked for.
      human(`The wish of today is sameWish${step} again.`),
      human(`Please remember that wishOf${step} must stay as it is in part ${step}.`),
    );
  }
  const args = ['--policies=head-and-tail', '--window=12000', '--cuts=12', '--questions=8', '--json', ...FREE];
  const ended = await run([logFile('subjects.json', contents), '--url', teller.url, '--model=m', ...args]);
  expect(ended.code, ended.err).toBe(0);
  for (const [kind, lines] of Object.entries(asked)) expect(lines.size, kind).toBeGreaterThan(0);
  const { full, packed } = proofOf(ended).policies[0]!.recall!;
  for (const { share: _, ...verdicts } of [full, packed]) {
    const all = Object.values(verdicts).reduce((sum, count) => sum + count, 0);
    expect(all).toBeGreaterThanOrEqual(8);
    for (const kind of ['right', 'wrong', 'asked again', 'unknown'] as const) expect(verdicts[kind]).toBe(all / 4);
  }
  await teller.close();
}, 60_000);

test('every policy of densify’s own that cuts gives its cuts to the tools of recall, and no other tool’s rule does', async () => {
  const searcher = await scriptedModel((context, last) => {
    const line = gappedLine(context, last);
    const found = line === undefined ? undefined : nameIn(context, line);
    if (line === undefined || found !== undefined) return { text: found ?? 'Nothing asked.' };
    const [before = '', behind = ''] = line.split('____');
    const search = before.length > behind.length ? before : behind;
    return { tool: 'recall', input: { search } };
  });
  const own = ['digest', 'auto', 'high-density', 'top-down-truncation', 'gateway'];
  const others = ['head-and-tail', 'plain-digest'];
  const args = [`--policies=${[...own, ...others].join()}`, '--window=40000', '--cuts=12', '--questions=1', '--json'];
  const ended = await run([logFile('own.json', outputs()), '--url', searcher.url, '--model=s', ...FREE, ...args]);
  expect(ended.code, ended.err).toBe(0);
  for (const { policy, recall } of proofOf(ended).policies) {
    const questions = recall?.full.right ?? 0;
    expect(questions, policy).toBeGreaterThan(0);
    expect(recall, policy).toMatchObject({ packed: { right: 0 } });
    expect(recall!.tools.right, policy).toBe(own.includes(policy) ? questions : 0);
  }
  await searcher.close();
}, 60_000);

describe('what a run shows', () => {
  const logs = () => [0, 1, 2].map((at) => logFile(`shown-${at}.json`, session(at, 20).contents));

  test('a line for each tenth of the questions where a file may be read, and one line on a terminal', async () => {
    const args = [...logs(), ...asking(...FREE, '--policies=masking', '--cuts=8', '--json')];
    const { err } = await run(args);
    const lines = [...err.matchAll(/^(\d+) of (\d+) questions$/gm)].map(
      ([, done, total]) => Number(done) / Number(total),
    );
    expect(lines).toHaveLength(10);
    lines.forEach((share, at) => {
      expect(share).toBeGreaterThanOrEqual((at + 1) / 10);
      expect(share).toBeLessThan((at + 2) / 10);
    });
    const total = Number(/^\d+ cut points, (\d+) questions/.exec(err)?.[1]);
    const terminal = spawn(
      process.execPath,
      [
        '--import=data:text/javascript,process.stderr.isTTY=true',
        ...[CLI, 'prove', ...args, '--prices=1,1', '--limit=9'],
      ],
      { env: { ...process.env, TEST_KEY: KEY } },
    );
    let shown = '';
    terminal.stderr.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    await new Promise((resolve) => terminal.on('close', resolve));
    const counts = [...shown.matchAll(/\r(\d+) of (\d+) questions, \$(\d+\.\d\d) /g)];
    expect(counts.map(([, done]) => Number(done))).toEqual(Array.from({ length: total + 1 }, (_, at) => at));
    const dollars = counts.map(([, , , spent]) => Number(spent));
    expect(dollars).toEqual(dollars.toSorted((one, other) => one - other));
    expect(dollars.at(-1)).toBeGreaterThan(0);
    expect(shown).not.toContain(KEY);
  }, 60_000);

  test('the page, the text and the JSON have the same figures', async () => {
    const html = join(folder, 'figures.html');
    const args = [...logs(), logFile('shown-outputs.json', outputs()), `--html=${html}`];
    const more = ['--policies=masking,aggressive', '--cuts=12', '--questions=2', `--state=${join(folder, 'shown')}`];
    const ended = await run([...args, ...asking(...FREE, ...more, '--json')]);
    const { noise, policies, cuts } = proofOf(ended);
    const text = (await run([...args, ...asking(...FREE, ...more)])).out;

    const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
    const estimate = ({ value, low, high }: Estimate) =>
      `${percent(value)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
    const of = ({ tool, arguments: inputs, intent }: Record<'tool' | 'arguments' | 'intent', Estimate>) => {
      return [tool, inputs, intent];
    };
    const itself = 'the model with itself';
    const main = policies.map(({ policy, tokens, quotes, agreement, difference, losses }) => {
      const found = [...of(agreement), difference.arguments].map(estimate);
      return [policy, percent(tokens), percent(quotes.kept / quotes.of), ...found, `${losses.length}`];
    });
    const agreements = [[itself, noise], ...policies.map(({ policy, agreement }) => [policy, agreement])] as const;
    const counts = agreements.map(([name, all]) => [
      name,
      ...of(all as typeof noise).map(({ agreed, pairs }) => `${agreed} of ${pairs}`),
    ]);
    const recalled = policies.flatMap(({ policy, recall }) =>
      Object.entries({
        whole: recall!.full,
        packed: recall!.packed,
        'packed, with recall tools': recall!.tools,
      }).flatMap(([way, { right, wrong, 'asked again': again, unknown, share }]) => {
        const verdicts = [right, wrong, again, unknown];
        if (share === undefined) return [];
        return [[policy, way, ...verdicts.map(String), ...('low' in share ? [estimate(share)] : [])]];
      }),
    );
    const losses = policies.flatMap(({ policy, losses: own }) =>
      own.map(({ log, entry, full, packed }) => [policy, log, `${entry}`, full, packed]),
    );
    expect(policies.map(({ policy }) => policy)).toEqual(['aggressive', 'masking']);
    expect(losses.length).toBeGreaterThan(0);
    expect(recalled.length).toBeGreaterThan(3);
    for (const { agreement } of policies)
      for (const { value, agreed, pairs } of of(agreement)) expect(agreed / pairs).toBeCloseTo(value, 12);

    const page = readFileSync(html, 'utf8').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
    const [mainTable, countTable, recallTable, lossTable] = [...page.matchAll(/<tbody>(.*?)<\/tbody>/gs)].map(
      ([, body]) =>
        [...body!.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
          [...row!.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell]) => cell),
        ),
    );
    expect(mainTable).toEqual([[itself, '100.0%', '–', ...of(noise).map(estimate), '–', '–'], ...main]);
    expect(countTable).toEqual(counts);
    expect(recallTable!.map((row) => row.slice(0, 6))).toEqual(recalled.map((row) => row.slice(0, 6)));
    expect(lossTable).toEqual(losses);
    expect(page).toContain(`${cuts.judged} of ${cuts.planned} cut points judged`);
    // The chart's points are at the same shares, and so are the words that stand for it.
    const points = [...page.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => (Number(x) - 220) / 560);
    expect(points).toHaveLength(3);
    agreements.forEach(([name, all], at) => {
      expect(points[at]).toBeCloseTo((all as typeof noise).arguments.value, 3);
      expect(chartLabels(page)).toEqual([
        expect.stringContaining(`${name} ${estimate((all as typeof noise).arguments)}`),
      ]);
    });

    const rows = text.split('\n').map((line) => line.trim().split(/ {2,}/));
    for (const row of [...mainTable!, ...counts, ...recalled]) {
      expect(rows).toContainEqual(row.length < 7 ? expect.arrayContaining(row) : row);
    }
    const narrow = (await run([...args, ...asking(...FREE, ...more)], '60')).out;
    expect(widest(narrow)).toBeLessThanOrEqual(60);
    for (const cell of main.flat()) expect(narrow).toContain(cell);
    for (const [policy, log, entry, full, packed] of losses)
      expect(text).toContain(`  ${policy}: ${log}, entry ${entry}: ${full}, packed ${packed}`);
  }, 60_000);
});

describe('the command', () => {
  const one = () => logFile('command.json', session(4, 8).contents);

  test('without an endpoint sends nothing, and says what a run would cost', async () => {
    const html = join(folder, 'plan.html');
    const ended = await run([one(), '--model=claude-sonnet-4-5', `--html=${html}`]);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.err).toMatch(
      /^5 cut points, \d+ questions, about \d+ thousand tokens of input: about \$0\.\d\d, at most about \$0\.\d\d without retries\n$/,
    );
    expect(ended.out).toMatch(/no model was asked[\s\S]*quotes kept[\s\S]*balanced/);
    expect(readFileSync(html, 'utf8')).toMatch(/^<!doctype html>[\s\S]*default-src 'none'/);
    expect(model.bodies).toEqual([]);
  });

  test('estimates tokens by the factor of the model, wherever it is served', async () => {
    const file = logFile('factors.json', Array.from({ length: 12 }, () => outputs().slice(1)).flat());
    const tokens = async (...args: string[]) => {
      const { err } = await run([file, '--policies=lossless', '--cuts=1', '--window=3000000', ...args]);
      return Number(/about (\d+) thousand tokens/.exec(err)?.[1]);
    };
    const plain = await tokens('--model=gpt-5');
    for (const [factor, ...args] of [
      [1.24, '--model=claude-sonnet-4-5'],
      [1.24, '--model=claude-sonnet-4-5', '--api=anthropic'],
      [1.6, '--model=claude-opus-4-7', '--api=anthropic'],
      [1.24, '--model=gemini-3-pro', '--api=gemini'],
    ] as const)
      expect((await tokens(...args)) / plain, args.join(' ')).toBeCloseTo(factor, 1);
  }, 60_000);

  test('needs a limit before it spends', async () => {
    const ended = await run([one(), ...asking('--prices=3,15')]);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain('pass --limit=DOLLARS');
    expect((await run([one(), ...asking()])).err).toContain('pass --prices=INPUT,OUTPUT');
    expect(model.bodies).toEqual([]);
  });

  test.each([
    [['--cuts=0'], 'option --cuts: found "0", expected a whole number from 1 to 100000'],
    [['--limit=-1'], 'option --limit: found "-1", expected dollars'],
    [['--prices=3'], 'option --prices: found "3", expected two prices'],
    [['--url=http://user:pass@host'], 'option --url: expected https://host/path'],
    [['--url=https://host'], 'option --model: pass the name'],
    [['--api=grok'], 'option --api: found "grok", expected one of openai, anthropic, gemini'],
    [['--key-env=NOT_THERE_AT_ALL'], 'option --key-env: the environment variable NOT_THERE_AT_ALL is empty'],
    [['--key-env=sk-typed-by-mistake'], 'option --key-env: the environment variable is empty'],
    [['--policies=magic'], "option policies: found 'magic', expected one of"],
    [['--html=/not/there/x.html'], 'option --html: '],
    [['--loud'], 'unknown option --loud'],
  ])('refuses %s', async (args, message) => {
    const ended = await run([one(), ...args]);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain(message);
  });

  test.each(['html', 'state'])('--%s never replaces a log', async (option) => {
    const log = one();
    const before = readFileSync(log, 'utf8');
    const ended = await run([log, `--${option}=${log}`]);
    expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringContaining('is one of the inputs') });
    expect(readFileSync(log, 'utf8')).toBe(before);
  });

  test('a page never replaces a file that densify did not make, unless it is told to', async () => {
    const page = join(folder, 'mine.html');
    writeFileSync(page, 'precious');
    const args = [logFile('paged.json', session(3, 8).contents), '--policies=masking', `--html=${page}`];
    expect(await run(args)).toMatchObject({ code: 2, err: expect.stringContaining('densify did not make the file') });
    expect(readFileSync(page, 'utf8')).toBe('precious');
    for (const more of [['--force'], []]) {
      expect((await run([...args, ...more])).code).toBe(0);
      expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/);
    }
  });

  test('reads every format, and goes on behind logs that are torn or none', async () => {
    const fixtures = new URL('fixtures/transcripts/', import.meta.url).pathname;
    const files = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.jsonl?$/.test(name))
      .map((name) => join(fixtures, name));
    expect(files.length).toBeGreaterThan(8);
    const whole = readFileSync(one(), 'utf8');
    const torn = join(folder, 'torn.json');
    writeFileSync(torn, whole.slice(0, whole.length / 2));
    const none = join(folder, 'none.txt');
    writeFileSync(none, 'nothing that is a log');
    const ended = await run([...files, torn, none, one(), ...asking(...FREE, '--cuts=1', '--json')]);
    expect(ended.code).toBe(1);
    expect(ended.err).toContain(`${none}: found no log format that densify knows`);
    const { cuts } = proofOf(ended);
    expect(cuts.judged).toBe(cuts.planned);
    expect(cuts.planned).toBeGreaterThanOrEqual(18);
    // Reports name files, and say nothing of what is in them.
    expect(ended.out).not.toContain(basename(folder));
  }, 60_000);

  test('leaves out cut points that do not fit the window', async () => {
    const ended = await run([
      logFile('long.json', session(6).contents),
      '--window=2500',
      '--max-tokens=500',
      '--cuts=1000',
      '--json',
    ]);
    expect(proofOf(ended).cuts.tooLong).toBeGreaterThan(0);
  });
});

/** `node --test`: the package with `balanced` gives what the plain JavaScript of the same rules gives, turn by turn and at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BalancedTwin, rescanBalanced } from './balanced-twin.mjs';
import { codingSession } from './coding-session.mjs';
import { session } from './histories.mjs';
import { Random } from './random.mjs';

const packageName = 'densify';
/** @type {import('./cases.mjs').Densify} */
const { createOptimizer } = await import(packageName);
const OPTIONS = { preset: 'balanced', workspaceRoot: '/workspace' };

/** @type {Record<string, (options: {turns: number, seed: number}) => import('./model.mjs').Content[][]>} */
const SESSIONS = {
  'files that hold together': codingSession,
  'synthetic sessions': session,
  'odd sessions': (options) => session({ ...options, odd: true }),
};

for (const [name, make] of Object.entries(SESSIONS)) {
  test(`${name}: the twin equals the handle turn by turn, and the rescan one run over all`, () => {
    for (let seed = 1; seed <= 12; seed++) {
      const turns = make({ turns: 60, seed });
      const handle = createOptimizer(OPTIONS);
      const twin = new BalancedTwin(OPTIONS);
      for (const [turn, entries] of turns.entries()) {
        handle.push(...entries);
        twin.push(...entries);
        const [ours, theirs] = [handle.optimize(), twin.optimize()];
        assert.deepEqual(theirs.messages, ours.messages, `seed ${seed}, turn ${turn}`);
        assert.equal(theirs.changed, ours.changed, `seed ${seed}, turn ${turn}`);
      }
      handle.dispose();
      const whole = turns.flat();
      const once = createOptimizer(OPTIONS);
      assert.deepEqual(rescanBalanced(whole, OPTIONS).messages, once.optimize(whole).messages, `seed ${seed}, at once`);
      once.dispose();
    }
  });
}

/** The sessions' tools as other agents name them, and some that nothing may be concluded of. @type {Record<string, string[]>} */
const SPELLINGS = {
  read_file: ['readFile', 'mcp__filesystem__read_text_file', 'mcp__github__read_file'],
  write_file: ['WriteFile', 'filesystem.write_file', 'Writefile'],
  replace: ['edit_file', 'mcp_filesystem_edit_file', 'Replace'],
  run_shell_command: ['terminal', 'functions.exec_command', 'mcp__ssh__execute_command'],
};

test('names of tools as other agents spell them', () => {
  for (let seed = 1; seed <= 6; seed++) {
    const used = new Set();
    /** @param {unknown} name */
    const spelled = (name) => {
      const spellings = SPELLINGS[String(name)];
      if (spellings) used.add(name);
      return spellings ? spellings[seed % spellings.length] : name;
    };
    const contents = codingSession({ turns: 60, seed }).flat();
    const respelled = contents.map((content) => ({
      ...content,
      blocks: content.blocks.map((/** @type {any} */ block) =>
        block.type === 'tool_call'
          ? { ...block, name: spelled(block.name) }
          : block.type === 'tool_response'
            ? { ...block, toolName: spelled(block.toolName) }
            : block,
      ),
    }));
    const once = createOptimizer(OPTIONS);
    assert.deepEqual(
      rescanBalanced(respelled, OPTIONS).messages,
      once.optimize(respelled).messages,
      `seed ${seed}: ${[...used].join(', ')}`,
    );
    once.dispose();
    assert.ok(used.size > 1, [...used].join(', '));
  }
});

test('tools that show what they wrote, with and without numbers', () => {
  let pointers = 0;
  for (let seed = 1; seed <= 6; seed++) {
    /** @type {Map<string, string>} what each call wrote */
    const written = new Map();
    const contents = codingSession({ turns: 60, seed })
      .flat()
      .map((content) => ({
        ...content,
        blocks: content.blocks.map((/** @type {any} */ block) => {
          const { content: whole, new_string: part } = block.parameters ?? {};
          if (block.type === 'tool_call') written.set(block.id, whole ?? part);
          const text = block.type === 'tool_response' && !block.error ? written.get(block.callId) : undefined;
          if (typeof text !== 'string') return block;
          const lines = text.split('\n');
          const shown = seed % 2 ? lines : lines.map((line, at) => `${String(at + 1).padStart(6)}\t${line}`);
          return { ...block, result: `${seed % 2 ? 'Written' : 'As cat -n shows it'}:\n${shown.join('\n')}\nDone.` };
        }),
      }));
    const once = createOptimizer(OPTIONS);
    const { messages } = once.optimize(contents);
    assert.deepEqual(rescanBalanced(contents, OPTIONS).messages, messages, `seed ${seed}`);
    once.dispose();
    pointers += JSON.stringify(messages).split(' lines as written: ').length - 1;
  }
  assert.ok(pointers > 20, `${pointers} pointers`);
});

test('images and files that come again', () => {
  let pointers = 0;
  for (let seed = 1; seed <= 6; seed++) {
    const random = new Random(seed);
    const media = () => {
      const mimeType = random.pick(['image/png', 'application/pdf', 'text/plain', 'audio/mpeg']);
      const encoding = random.pick(['base64', 'url']);
      return {
        type: 'media',
        mimeType,
        encoding,
        data: random.pick(['A', 'B', 'C']).repeat(random.pick([8, 4000, 40_000])),
      };
    };
    const turns = codingSession({ turns: 40, seed }).map((entries) =>
      entries.map((entry) => (random.chance(0.3) ? { ...entry, blocks: [...entry.blocks, media()] } : entry)),
    );
    const handle = createOptimizer(OPTIONS);
    const twin = new BalancedTwin(OPTIONS);
    for (const [turn, entries] of turns.entries()) {
      handle.push(...entries);
      twin.push(...entries);
      const { messages } = handle.optimize();
      assert.deepEqual(twin.optimize().messages, messages, `seed ${seed}, turn ${turn}`);
      if (turn === turns.length - 1)
        pointers += JSON.stringify(messages).split(/the same (?:image|file): again later/).length - 1;
    }
    handle.dispose();
  }
  assert.ok(pointers > 20, `${pointers} pointers`);
});

test('the sessions use every rule', () => {
  const counts = new Map();
  for (let seed = 1; seed <= 6; seed++) {
    const history = codingSession({ turns: 200, seed }).flat();
    const { messages } = rescanBalanced(history, OPTIONS);
    const text = JSON.stringify(messages);
    const [before, after] = [history, messages].map((contents) => JSON.stringify(contents).split('"thinking"').length);
    counts.set('old thinking', (counts.get('old thinking') ?? 0) + before - after);
    for (const words of [
      'lines: ',
      'the same: ',
      'the file as it is now',
      'made again later',
      'succeeded later',
      'rewritten later',
      'were cut',
    ])
      counts.set(words, (counts.get(words) ?? 0) + text.split(words).length - 1);
  }
  for (const [words, count] of counts) assert.ok(count > 5, `${words}: ${count}`);
});

// The checks of `make test-llm` find the faults that they look for, and replies have the right form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toChat, toolsOf } from './chat.mjs';
import { assertApplied, assertStanding, stringsOf } from './checks.mjs';
import { miniature, turnsOf } from './conversations.mjs';
import { grammarOf, madeReply, partsOf } from './forms.mjs';

const human = (text) => ({ speaker: 'human', blocks: [{ type: 'text', text }] });
const ai = (text) => ({ speaker: 'ai', blocks: [{ type: 'text', text }] });
const call = (id) => ({ speaker: 'ai', blocks: [{ type: 'tool_call', id, name: 'read', parameters: { path: id } }] });
const response = (callId) => ({
  speaker: 'tool',
  blocks: [{ type: 'tool_response', callId, toolName: 'read', result: { output: 'text' } }],
});
const summary = (text) => ({ ...human(text), metadata: { isSummary: true } });

const before = [human('first'), ai('a'), call('1'), response('1'), human('last'), ai('b'), call('2'), response('2')];
const [first, a, call1, response1, last, b, call2, response2] = before;
const options = { strategy: 'middle-out', pins: ['pinned'], note: '/log' };
const good = summary('head\n[Pinned, verbatim]\n- pinned\nFull pre-compression transcript available at: /log');
const ack = ai('understood');

test('a summary in its place passes', () => {
  assertApplied(before, [first, good, ack, last, b, call2, response2], options);
  assertApplied(before, [first, a, good, ack, last, call2, response2], options);
  assertApplied(before, [good, call2, response2], { ...options, strategy: 'structured' });
  assertApplied([good, ...before], [first, summary(good.blocks[0].text), ack, last, b, call2, response2], options);
});

for (const [what, after] of Object.entries({
  'no acknowledgement': [first, good, last, b, call2, response2],
  'a copy in the tail': [first, good, ack, last, { ...b }, call2, response2],
  'a gap in the tail': [first, good, ack, last, b, response2],
  'half a pair': [first, a, call1, good, ack, last, b, call2, response2],
  'the tail out of order': [first, good, ack, last, call2, response2, b],
  'an entry twice': [first, first, good, ack, last, b, call2, response2],
  'the end lost': [first, good, ack, last, b, call2],
  'two summaries': [summary('old'), first, good, ack, last, b, call2, response2],
  'no pin': [first, summary('/log'), ack, last, b],
  'a list twice': [
    first,
    summary(`${good.blocks[0].text}\n[Pinned, verbatim]\n- pinned`),
    ack,
    last,
    b,
    call2,
    response2,
  ],
}))
  test(`found: ${what}`, () => {
    const history = what === 'two summaries' ? [after[0], ...before] : before;
    assert.throws(() => assertApplied(history, after, options), assert.AssertionError);
  });

test('the words of the user', () => {
  assertStanding([good], ['pinned']);
  assert.throws(() => assertStanding([good], ['never']), assert.AssertionError);
  assert.deepEqual(stringsOf({ a: ['x', { b: 'y' }], c: 1 }), ['x', 'y']);
});

const SNAPSHOT =
  'Write:\n\n<state_snapshot>\n  <overall_goal>\n    <!-- The <b>goal</b>. -->\n  </overall_goal>\n<user_directives>\n</user_directives>\n</state_snapshot>\n';

test('the parts of a summary, the replies and grammars made of them', () => {
  const tags = partsOf(SNAPSHOT);
  assert.deepEqual(tags, ['overall_goal', 'user_directives']);
  assert.match(
    madeReply(tags, (tag) => tag),
    /<state_snapshot>\n<overall_goal>\noverall_goal\n<\/overall_goal>\n</,
  );
  assert.match(grammarOf(tags), /^root ::= .*"<overall_goal>\\n" line "<\/overall_goal>\\n" .*\nline ::= /);
  const headings = partsOf('As Markdown:\n\n## Goal\ntext\n### Done\n#### no part\n');
  assert.deepEqual(headings, ['## Goal', '### Done']);
  assert.equal(
    madeReply(headings, () => '- x'),
    '## Goal\n- x\n\n### Done\n- x\n',
  );
  assert.match(grammarOf(headings), /^root ::= "## Goal\\n- " line "### Done\\n- " line\n/);
});

test('contents as chat messages', () => {
  const media = { speaker: 'human', blocks: [{ type: 'media', mimeType: 'image/png', data: 'x' }] };
  assert.deepEqual(toChat([first, call1, response1, media]), [
    { role: 'user', content: 'first' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: '1', type: 'function', function: { name: 'read', arguments: '{"path":"1"}' } }],
    },
    { role: 'tool', tool_call_id: '1', content: '{"output":"text"}' },
    { role: 'user', content: '[image: image/png]' },
  ]);
  assert.deepEqual(
    toolsOf(before).map((tool) => tool.function.name),
    ['read'],
  );
});

test('turns and miniatures keep every entry', () => {
  assert.deepEqual(turnsOf(before).flat(), before);
  assert.equal(turnsOf(before).length, 5);
  const long = { speaker: 'tool', blocks: [{ ...response1.blocks[0], result: { output: 'x'.repeat(9000) } }] };
  const { contents, name } = miniature({ name: 'n', contents: [first, long] });
  assert.deepEqual([name, contents[0]], ['n', first]);
  assert.ok(contents[1].blocks[0].result.output.length < 500 && contents[1].blocks[0].callId === '1');
});

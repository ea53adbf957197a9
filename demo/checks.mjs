// What must be true of every packed history, computed from the histories themselves.

import { createHash } from 'node:crypto';

const OPENING = /^--- (.+) ---\r?$/;
const CLOSING = /^--- End of content ---\r?$/;

/** Human requests whose own words (all text but inclusions of files) are still there. */
export function keptRequests(before, partners) {
  let all = 0;
  let kept = 0;
  before.forEach((content, index) => {
    if (content.speaker !== 'human') return;
    all += 1;
    const partner = partners[index];
    if (partner === content || (partner && ownWords(partner) === ownWords(content))) kept += 1;
  });
  return { kept, all };
}

function ownWords(content) {
  const lines = content.blocks.filter((block) => block.type === 'text').flatMap((block) => block.text.split('\n'));
  const own = [];
  for (let i = 0; i < lines.length; i++) {
    const isOpening = OPENING.test(lines[i]) && !CLOSING.test(lines[i]);
    const end = isOpening ? lines.findIndex((line, at) => at > i && CLOSING.test(line)) : -1;
    if (end >= 0) i = end;
    else if (!/^\[Earlier inclusion of .* removed\]$/.test(lines[i])) own.push(lines[i]);
  }
  return own.join('\n').replace(/\s+/g, ' ').trim();
}

/** Calls with their responses: how many are complete, and how many were torn apart. */
export function keptPairs(before, after) {
  const [old, now] = [countIds(before), countIds(after)];
  let intact = 0;
  let torn = 0;
  for (const [id, { calls, responses }] of now) {
    const was = old.get(id) ?? { calls: 0, responses: 0 };
    intact += Math.min(calls, responses);
    if (calls - responses !== was.calls - was.responses && calls !== responses) torn += 1;
  }
  return { intact, torn: torn + earlyResponses(after) - earlyResponses(before) };
}

function countIds(contents) {
  const ids = new Map();
  const count = (id, key) => {
    const entry = ids.get(id) ?? { calls: 0, responses: 0 };
    entry[key] += 1;
    ids.set(id, entry);
  };
  for (const { blocks } of contents) {
    for (const block of blocks) {
      if (block.type === 'tool_call') count(block.id, 'calls');
      if (block.type === 'tool_response') count(block.callId, 'responses');
    }
  }
  return ids;
}

/** Responses that stand before any call of theirs. */
function earlyResponses(contents) {
  const called = new Set();
  let early = 0;
  for (const { blocks } of contents) {
    for (const block of blocks) {
      if (block.type === 'tool_call') called.add(block.id);
      if (block.type === 'tool_response' && !called.has(block.callId)) early += 1;
    }
  }
  return early;
}

/** A fingerprint: if it is equal before and after a call, the call did not change the history in place. */
export function fingerprint(contents) {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(JSON.stringify(content));
  return hash.digest('hex');
}

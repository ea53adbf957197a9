/**
 * Runs in a page's worker: the cases that need no files, and tokens. It posts notes as they come, and the rows at the end.
 *
 * @import {Row} from './cases.mjs'
 */

import { Tokenizer } from 'ai-tokenizer';
import * as aiVocabulary from 'ai-tokenizer/encoding/o200k_base';
import * as densify from 'densify';
import { loadTokenizer } from 'densify/tokens';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { ratioRow, sessionAgainstFloor, sessionAgainstRescan, stateless, truncation } from './cases.mjs';
import { compressKnown } from './compress-known.mjs';
import { historyOf } from './histories.mjs';
import { interleave } from './measure.mjs';

/** @param {unknown} value @param {string[]} found */
function textsOf(value, found) {
  if (typeof value === 'string') {
    if (value.length > 20) found.push(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) textsOf(inner, found);
  }
  return found;
}

/** @param {boolean} quick @returns {Promise<Row[]>} */
async function tokens(quick) {
  const own = await loadTokenizer('o200k_base');
  const peer = new Tokenizer(/** @type {any} */ (aiVocabulary));
  const plain = { allowedSpecial: new Set(), disallowedSpecial: new Set() };
  const texts = textsOf(historyOf({ entries: quick ? 300 : 1_000, seed: 2_026 }), []);
  const contender = (/** @type {string} */ name, /** @type {(text: string) => number} */ count) => ({
    name,
    prepare: () => texts,
    run: (/** @type {string[]} */ all) => all.reduce((sum, text) => sum + count(text), 0),
  });
  const timings = interleave(
    [
      contender('ours', (text) => own.count(text)),
      contender('ai-tokenizer', (text) => peer.count(text)),
      contender('gpt-tokenizer', (text) => countTokens(text, /** @type {any} */ (plain))),
    ],
    { rounds: quick ? 3 : 7, warmUps: 2 },
  );
  const [ours, ...others] = timings;
  return others.map(([name, timing]) =>
    ratioRow('exact tokens of synthetic texts', `throughput, warm: ${name} : ours`, timing, ours[1]),
  );
}

self.onmessage = async ({ data: { quick } }) => {
  const note = (/** @type {string} */ text) => self.postMessage({ note: text });
  const context = { densify: /** @type {any} */ (densify), quick, note };
  try {
    const cases = [sessionAgainstRescan, sessionAgainstFloor, stateless, truncation, compressKnown];
    const rows = cases.flatMap((run) => run(context));
    note('exact tokens');
    self.postMessage({ rows: [...rows, ...(await tokens(quick))] });
  } catch (error) {
    self.postMessage({ error: String(/** @type {Error} */ (error).stack) });
  }
};

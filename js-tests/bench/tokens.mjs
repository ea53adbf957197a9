/**
 * Token counts of blocks and entries by an estimator that the caller passes in.
 *
 * @import {Block, Content, CountTokens} from './model.mjs'
 * @typedef {{entries: WeakMap<Content, number>, blocks: WeakMap<Block, number>}} Counts
 */

const MEDIA_TOKENS = 1000;

/** @type {WeakMap<CountTokens, Counts>} */
const countsByEstimator = new WeakMap();

/**
 * @param {Block} block
 * @param {CountTokens} countTokens
 * @returns {number}
 */
export function blockTokens(block, countTokens) {
  switch (block.type) {
    case 'text':
      return countTokens(block.text);
    case 'tool_call':
      return countTokens(block.name) + payloadTokens(block.parameters, countTokens);
    case 'tool_response':
      return payloadTokens(block.result, countTokens) + (block.error ? payloadTokens(block.error, countTokens) : 0);
    case 'thinking':
      return countTokens(block.thought);
    case 'code':
      return countTokens(block.code);
    case 'media':
      return MEDIA_TOKENS;
    default:
      return 0;
  }
}

/**
 * @param {unknown} payload
 * @param {CountTokens} countTokens
 */
function payloadTokens(payload, countTokens) {
  return countTokens(typeof payload === 'string' ? payload : (JSON.stringify(payload) ?? ''));
}

/**
 * A counter of whole entries that counts each block object once and sums each entry object once.
 * @param {CountTokens} countTokens
 * @returns {(entry: Content) => number}
 */
export function createEntryCounter(countTokens) {
  let counts = countsByEstimator.get(countTokens);
  if (counts === undefined) {
    counts = { entries: new WeakMap(), blocks: new WeakMap() };
    countsByEstimator.set(countTokens, counts);
  }
  const { entries, blocks } = counts;
  return (entry) => {
    let tokens = entries.get(entry);
    if (tokens === undefined) {
      tokens = sumBlocks(entry.blocks, blocks, countTokens);
      entries.set(entry, tokens);
    }
    return tokens;
  };
}

/**
 * @param {readonly Block[]} blocks
 * @param {WeakMap<Block, number>} known
 * @param {CountTokens} countTokens
 */
function sumBlocks(blocks, known, countTokens) {
  let sum = 0;
  for (const block of blocks) {
    let tokens = known.get(block);
    if (tokens === undefined) {
      tokens = blockTokens(block, countTokens);
      known.set(block, tokens);
    }
    sum += tokens;
  }
  return sum;
}

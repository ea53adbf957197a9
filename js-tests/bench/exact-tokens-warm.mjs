/** Prints, as JSON, what all counters take for the same texts, interleaved in this process, and ours for the worst ones. */
import { allow, cpuTime, interleave } from './measure.mjs';
import { corpus, counters, worstCases } from './token-peers.mjs';

const isQuick = process.argv.includes('--quick');
allow({ seconds: isQuick ? 1 : 12, rest: 30 });
const { texts, bytes, origin } = await corpus(isQuick ? 500_000 : 2_000_000);
const contenders = [];
for (const { name, kind, load } of counters) {
  // Minutes for what takes the others seconds.
  if (name === 'js-tiktoken' && isQuick) continue;
  const count = await load();
  contenders.push({ name, kind, count, prepare: () => texts, run: sumOf(count) });
}
const timings = interleave(contenders, { rounds: isQuick ? 3 : 7, warmUps: 2 });
const rows = contenders.map(({ name, kind }) => ({ name, kind, ...timings.get(name), times: undefined }));

const [own] = contenders;
const worst = Object.entries(worstCases()).map(([name, text]) => {
  const times = Array.from({ length: 5 }, () => {
    const start = cpuTime();
    own.count(text);
    return cpuTime() - start;
  });
  return { name, most: Math.max(...times), least: Math.min(...times) };
});

const densify = 'densify';
const { estimateTokens } = await import(densify);
const exact = texts.map((text) => own.count(text));
const estimates = {
  estimate: misses(texts.map((text) => estimateTokens(text))),
  'characters / 4': misses(texts.map((text) => Math.ceil(text.length / 4))),
};
console.log(JSON.stringify({ bytes, texts: texts.length, origin, rows, worst, estimates }));

/** By how much guesses miss the exact counts: in total, and text by text. @param {number[]} guesses */
function misses(guesses) {
  const sum = (/** @type {number[]} */ all) => all.reduce((total, one) => total + one, 0);
  const total = sum(exact);
  return { all: sum(guesses) / total, each: sum(guesses.map((guess, at) => Math.abs(guess - exact[at]))) / total };
}

/** @param {(text: string) => number} count @returns {(texts: string[]) => number} */
function sumOf(count) {
  return (texts) => {
    let sum = 0;
    for (const text of texts) sum += count(text);
    return sum;
  };
}

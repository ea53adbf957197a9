/** Prints, as JSON, what one counter takes in this fresh process: to its first count, and for a first pass over texts. */
import { corpus, counters } from './token-peers.mjs';

const counter = counters.find(({ name }) => name === process.argv[2]);
if (!counter) throw new Error(`there is no ${process.argv[2]}`);

let start = performance.now();
const count = await counter.load();
count('hello world');
const load = performance.now() - start;
const { texts } = await corpus(process.argv.includes('--quick') ? 500_000 : 2_000_000);
start = performance.now();
for (const text of texts) count(text);
const pass = performance.now() - start;
console.log(JSON.stringify({ load, pass, rss: process.memoryUsage().rss / 1e6 }));

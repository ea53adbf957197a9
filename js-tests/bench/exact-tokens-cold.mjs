/** Prints, as JSON, what one counter takes in this fresh process: to its first count, and for a first pass over a file of texts. */
import { readFileSync } from 'node:fs';
import { cpuTime } from './measure.mjs';
import { counters } from './token-peers.mjs';

const counter = counters.find(({ name }) => name === process.argv[2]);
if (!counter) throw new Error(`there is no ${process.argv[2]}`);

let start = cpuTime();
const count = await counter.load();
count('hello world');
const load = cpuTime() - start;
/** @type {string[]} */
const texts = JSON.parse(readFileSync(process.argv[3], 'utf8'));
start = cpuTime();
for (const text of texts) count(text);
const pass = cpuTime() - start;
console.log(JSON.stringify({ load, pass, rss: process.memoryUsage().rss / 1e6 }));

/** Prints, for this fresh process, the CPU milliseconds from the import of the package to its first result. */
import { cpuTime } from './measure.mjs';

const start = cpuTime();
const packageName = 'densify';
const { optimize } = await import(packageName);
optimize([{ speaker: 'human', blocks: [{ type: 'text', text: 'hello' }] }]);
console.log(JSON.stringify({ firstUse: cpuTime() - start }));

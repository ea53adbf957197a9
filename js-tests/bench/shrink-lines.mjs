// Answers each line, a history and options as JSON, with the history after `shrinkResults`: for scripts/intake.py.
import { createInterface } from 'node:readline';
import { shrinkResults } from 'densify';

for await (const line of createInterface({ input: process.stdin })) {
  const { history, options } = JSON.parse(line);
  console.log(JSON.stringify(shrinkResults(history, options).messages));
}

// Answers each line, a history and options as JSON, with the history after `digest`: for scripts/digest.py.
import { createInterface } from 'node:readline';
import { digest } from 'densify';

for await (const line of createInterface({ input: process.stdin })) {
  const { history, options } = JSON.parse(line);
  console.log(JSON.stringify(digest(history, options).messages));
}

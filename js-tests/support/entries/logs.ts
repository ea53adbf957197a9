// Prints a line for each of these logs: digests of the package's results in several ways.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compress, createOptimizer, digest, optimize, redact, requestSummary } from 'densify';
import { readTranscript } from 'densify/transcripts';

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

const [, , folder = '', ...files] = process.argv;

for (const file of files) {
  const history = readTranscript(readFileSync(join(folder, file), 'utf8')).contents;
  const optimizer = createOptimizer();
  const turns: unknown[] = [];
  for (let at = 7; at < history.length; at += 7) turns.push(optimizer.optimize(history.slice(0, at)).messages.length);
  const said = [
    optimize(history, { preset: 'seed' }),
    optimize(history),
    optimize(history, { preset: 'aggressive' }),
    compress(history, { strategy: 'high-density', contextLimit: 32_000 }),
    compress(history, { strategy: 'top-down-truncation', contextLimit: 32_000 }),
    [turns, optimizer.optimize(history)],
    digest(history),
    redact(JSON.stringify(history).slice(0, 1e6)),
    requestSummary(history, { strategy: 'middle-out' }),
  ];
  console.log(file, ...said.map(hash));
}

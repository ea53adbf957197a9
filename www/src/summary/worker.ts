// A worker of its own, so that the first view needn't fetch densify's module of summaries.
import { redact } from 'densify';
import { compressionPrompt } from 'densify/host';
import { serve } from '../engine/rpc.js';
import type { SummaryApi } from './api.js';
import { Bench } from './bench.js';

const bench = new Bench();

const api: SummaryApi = {
  redact: (texts) => texts.map((text) => redact(text)),
  load: (contents) => bench.load(contents),
  plan: (options) => bench.plan(options),
  request: () => bench.request.messages,
  apply: (reply) => bench.apply(reply),
  standIn: () => bench.standIn(),
  builtInPrompt: ({ strategy }) => compressionPrompt({ framing: strategy }),
};

serve(api);

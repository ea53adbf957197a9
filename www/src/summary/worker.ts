// A worker of its own, so that the first view needn't fetch densify's module of summaries.
import { redact } from 'densify';
import { serve } from '../engine/rpc.js';
import type { SummaryApi } from './api.js';

const api: SummaryApi = {
  redact: (texts) => texts.map((text) => redact(text)),
};

serve(api);

import { applySummary, estimateTokens, type IContent, requestSummary, type SummaryRequest } from 'densify';
import { compressionPrompt } from 'densify/host';
import { textOf } from '../engine/facts.js';
import { rootOption } from '../lib/settings.js';
import { visible } from '../lib/text.js';
import type { BenchOptions, Outcome, Planned, Shown } from './api.js';

const LENGTH = 20_000;

/** One history, and the request for its summary that is being worked on. */
export class Bench {
  #contents: readonly IContent[] = [];
  #request: SummaryRequest | undefined;

  load(contents: readonly IContent[]): void {
    this.#contents = contents;
    this.#request = undefined;
  }

  plan({ workspaceRoot, ...options }: BenchOptions): Planned {
    const planned = requestSummary(this.#contents, { ...options, ...rootOption(workspaceRoot) });
    this.#request = planned.kind === 'request' ? planned : undefined;
    return planned.kind === 'noop' ? { kind: 'noop', reason: planned.reason } : show(planned);
  }

  get request(): SummaryRequest {
    if (!this.#request) throw new Error('there is no request: plan one first');
    return this.#request;
  }

  apply(reply: string): Outcome {
    const before = estimateTokens(this.#contents);
    const result = applySummary(this.request, reply, this.#contents);
    if (result.kind === 'applied') {
      const messages = result.messages.map((message) => shown(message, message === result.summary));
      return {
        kind: 'applied',
        findings: result.findings,
        tokensBefore: result.tokensBefore,
        tokensAfter: result.tokensAfter,
        messages,
      };
    }
    const same = { tokensBefore: before, tokensAfter: before, messages: [] };
    if (result.kind === 'conflict') return { kind: 'conflict', findings: [], ...same };
    this.#request = result.request;
    return { kind: result.kind, findings: result.findings, ...same, next: show(result.request) };
  }

  standIn(): string {
    return standInFor(this.request.strategy);
  }
}

function show(request: SummaryRequest): Planned {
  const { mode, part, parts, attempt, needsTools } = request;
  const messages = request.messages.map((message) => shown(message, false));
  return {
    kind: 'request',
    mode,
    part,
    parts,
    attempt,
    needsTools,
    messages,
    tokens: messages.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function shown(content: IContent, isSummary: boolean): Shown {
  const text = content.blocks.map(textOf).join('\n\n');
  const clipped = Math.max(0, text.length - LENGTH);
  return {
    speaker: content.speaker,
    text: visible(text.slice(0, LENGTH)),
    tokens: estimateTokens([content]),
    clipped,
    isSummary,
  };
}

/** The sections that the built-in prompt asks for, each with a sentence. */
function standInFor(strategy: SummaryRequest['strategy']): string {
  const prompt = compressionPrompt({ framing: strategy });
  const said = 'A stand-in: here a model would have summarised.';
  if (strategy === 'structured') {
    const headings = new Set([...prompt.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading ?? ''));
    return [...headings].map((heading, at) => `## ${heading}\n${at === 0 ? said : 'None.'}`).join('\n\n');
  }
  const names = new Set([...prompt.matchAll(/^\s*<([a-z_]+)>\s*$/gm)].map(([, name]) => name ?? ''));
  names.delete('state_snapshot');
  names.delete('scratchpad');
  const sections = [...names].map((name, at) => `  <${name}>\n    ${at === 0 ? said : 'None.'}\n  </${name}>`);
  return `<state_snapshot>\n${sections.join('\n')}\n</state_snapshot>`;
}

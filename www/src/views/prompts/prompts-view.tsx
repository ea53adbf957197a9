import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { change as changeText, plural, thousands } from '../../lib/text.js';
import { apply, ask, fillIn, isAsking, outcome, planned, problem, reply, stopAsking } from '../../state/bench.js';
import type { Outcome, Shown } from '../../summary/api.js';
import { summaries } from '../../summary/client.js';
import { CopyButton } from '../../ui/copy-button.js';
import { TextBox } from '../../ui/text-box.js';
import { ModelPicker } from '../chat/model-picker.js';
import { BenchFields } from './bench-fields.js';

/** Summaries by a model: the request, the reply, its findings and the new history. */
export function PromptsView(): JSX.Element {
  return (
    <div class="page bench">
      <BenchFields />
      <Request />
      <div class="stack">
        <Reply />
        {outcome.value && <Findings outcome={outcome.value} />}
        {outcome.value?.kind === 'applied' && <NewHistory outcome={outcome.value} />}
      </div>
    </div>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  'too-few-compressible': 'Too few messages between the protected beginning and the tail.',
  'tail-covers-all': 'The tail is the whole history.',
  'empty-history': 'The history is empty.',
  'already-under-target': 'The history is small enough.',
  'nothing-to-gain': 'A summary would not make it smaller.',
};

function Request(): JSX.Element {
  const shown = planned.value;
  return (
    <section class="card block stack" aria-label="Request">
      <div class="meter-head">
        <h2>The request</h2>
        {shown?.kind === 'request' && (
          <span class="number faint">
            {thousands(shown.tokens)} tokens{shown.parts > 1 ? ` · part ${shown.part} of ${shown.parts}` : ''}
            {shown.attempt > 0 ? ` · retry ${shown.attempt}` : ''}
          </span>
        )}
      </div>
      {problem.value && (
        <p class="why gone" role="alert">
          {problem.value}
        </p>
      )}
      {shown?.kind === 'noop' && <p>Nothing to summarise: {REASONS[shown.reason] ?? shown.reason}</p>}
      {shown?.kind === 'request' && (
        <>
          <p class="faint">Exactly what would be sent, credentials redacted. densify calls no model by itself.</p>
          <Messages list={shown.messages} isOpen />
          <div class="row-of-buttons">
            <CopyAll />
          </div>
        </>
      )}
    </section>
  );
}

function CopyAll(): JSX.Element {
  const text = useSignal('');
  const load = async (): Promise<void> => {
    text.value = JSON.stringify(await summaries().request(), undefined, 1);
  };
  if (text.value !== '') return <CopyButton label="Copy JSON" text={() => text.value} />;
  return (
    <button type="button" class="button" onClick={() => void load()}>
      Prepare JSON
    </button>
  );
}

function Messages({
  list,
  isOpen = false,
}: {
  readonly list: readonly Shown[];
  readonly isOpen?: boolean;
}): JSX.Element {
  const NAMES = { human: 'user', ai: 'assistant', tool: 'tool' } as const;
  return (
    <ol class="messages">
      {list.map(({ speaker, text, tokens, clipped, isSummary }, index) => (
        <li key={index}>
          <details class="tool" open={(isOpen && list.length < 5) || isSummary}>
            <summary>
              <span class={`dot ${speaker === 'human' ? 'user' : speaker === 'ai' ? 'assistant' : 'result'}`} />
              <b>{isSummary ? 'the summary' : NAMES[speaker]}</b>
              <span class="call-label">{text.slice(0, 120)}</span>
              <span class="number faint">{thousands(tokens)}</span>
            </summary>
            <TextBox>
              {text}
              {clipped > 0 && `\n… and ${thousands(clipped)} further characters`}
            </TextBox>
          </details>
        </li>
      ))}
    </ol>
  );
}

function Reply(): JSX.Element {
  const isReady = planned.value?.kind === 'request';
  return (
    <section class="card block stack" aria-label="Reply">
      <h2>The reply</h2>
      <textarea
        class="input mono"
        rows={12}
        spellcheck={false}
        aria-label="The model’s reply"
        placeholder="Paste a model’s reply, or let a model answer."
        value={reply.value}
        onInput={(event) => (reply.value = event.currentTarget.value)}
      />
      <div class="row-of-buttons">
        <button
          type="button"
          class="button primary"
          disabled={!isReady || reply.value.trim() === '' || isAsking.value}
          onClick={() => void apply()}
        >
          Check and apply
        </button>
        {isAsking.value ? (
          <button type="button" class="button" onClick={stopAsking}>
            Stop
          </button>
        ) : (
          <button type="button" class="button" disabled={!isReady} onClick={() => void ask()}>
            Ask the model
          </button>
        )}
        <button type="button" class="button quiet" disabled={!isReady || isAsking.value} onClick={() => void fillIn()}>
          Fill in an example
        </button>
      </div>
      <details class="tool">
        <summary>Choose the model</summary>
        <ModelPicker withScript={false} />
      </details>
    </section>
  );
}

const VERDICTS: Readonly<Record<Outcome['kind'], string>> = {
  applied: 'The reply is good: the summary is in the history.',
  continue: 'This part is good. The request now holds the next one.',
  failed: 'The reply can’t be used. The history is unchanged, and the request now names the fault.',
  conflict: 'The history changed meanwhile, so nothing was applied. Ask again.',
};

function Findings({ outcome: { kind, findings } }: { readonly outcome: Outcome }): JSX.Element {
  return (
    <section class="card block stack" aria-label="Findings">
      <h2>Findings</h2>
      <p class={`why ${kind === 'failed' || kind === 'conflict' ? 'gone' : 'kept'}`} role="status">
        {VERDICTS[kind]}
      </p>
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map(({ level, code, message }, index) => (
            <li key={index}>
              <span class={`chip ${level === 'failure' ? 'gone' : 'changed'}`}>{code}</span> {message}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Entries that are shown on each side of the summary. */
const AROUND = 6;

function NewHistory({ outcome: { tokensBefore, tokensAfter, messages } }: { readonly outcome: Outcome }): JSX.Element {
  const place = messages.findIndex((message) => message.isSummary);
  return (
    <section class="card block stack" aria-label="New history">
      <div class="meter-head">
        <h2>The new history</h2>
        <span class="number">
          {thousands(tokensBefore)} → {thousands(tokensAfter)} tokens{' '}
          <span class="chip good">{changeText(tokensBefore, tokensAfter)}</span>
        </span>
      </div>
      <p class="faint">
        {plural(messages.length, 'message')}; all but the summary are unchanged. Messages around the summary:
      </p>
      <Messages list={messages.slice(Math.max(0, place - AROUND), place + AROUND)} />
    </section>
  );
}

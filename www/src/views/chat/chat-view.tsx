import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import {
  contents,
  failure,
  isWorking,
  lookAtChat,
  model,
  nextRequest,
  retry,
  saying,
  send,
  startOver,
  stopNow,
  todos,
} from '../../chat/session.js';
import { short, thousands } from '../../lib/text.js';
import { facts, replay, settings, states } from '../../state/conversation.js';
import { Bands } from '../context/bands.js';
import { GrowthChart } from '../context/growth-chart.js';
import { Ledger } from '../context/headline.js';
import { Entry, Saying } from './entry.js';
import { ModelPicker } from './model-picker.js';

/** A chat through densify: on the left the messages, on the right the context. */
export function ChatView(): JSX.Element {
  useEffect(() => void lookAtChat(), []);
  const isEmpty = contents.value.length === 0;
  return (
    <div class="chat">
      <section class="card talk" aria-label="Chat">
        <ModelPicker />
        {isEmpty ? <Welcome /> : <Log />}
        <Composer />
      </section>
      <aside class="stack" aria-label="The context">
        {isEmpty ? <Soon /> : <Context />}
        <Todos />
      </aside>
    </div>
  );
}

function Welcome(): JSX.Element {
  return (
    <div class="welcome">
      <h2>{model.value === 'script' ? 'An agent to watch' : 'A chat with a model'}</h2>
      {model.value === 'script' ? (
        <p class="faint">
          It works on a small project inside this page. It reads and edits files, runs tests, fails and tries again. It
          follows a script, so it needs no model and no set-up. Watch how densify keeps its context small.
        </p>
      ) : (
        <p class="faint">
          Your model gets the same small project and the same tools. It receives the chat shortened by densify.
        </p>
      )}
    </div>
  );
}

/** What will stand beside the chat. */
function Soon(): JSX.Element {
  return (
    <section class="card block stack" aria-label="Context">
      <h2>What the model gets</h2>
      <p class="faint">
        Here you will see the context grow with each call, with and without densify. You see the cuts, the limit of the
        window, and the messages that the model gets.
      </p>
      <div class="meter" aria-hidden="true" />
    </section>
  );
}

function Log(): JSX.Element {
  const end = useRef<HTMLDivElement>(null);
  const list = contents.value;
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [list, saying.value]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys
    <div class="log" role="log" aria-label="What was said" tabIndex={0}>
      {list.map((content, index) =>
        content.speaker === 'tool' ? null : <Entry key={index} content={content} answers={list[index + 1]} />,
      )}
      {saying.value && <Saying {...saying.value} />}
      {failure.value && (
        <div class="why gone" role="alert">
          <p>{failure.value}</p>
          <button type="button" class="button" onClick={() => void retry()}>
            Try again
          </button>
        </div>
      )}
      <div ref={end} />
    </div>
  );
}

function Composer(): JSX.Element {
  const text = useSignal('');
  const proposed = model.value === 'script' ? nextRequest.value : undefined;
  const isOver = model.value === 'script' && proposed === undefined;
  const submit = (): void => {
    const said = text.value.trim() || proposed;
    if (!said || isWorking.value || isOver) return;
    text.value = '';
    void send(said);
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        class="input"
        rows={3}
        aria-label="Your message"
        placeholder={isOver ? 'The script has ended.' : (proposed ?? 'Ask for something in the project')}
        value={text.value}
        disabled={isOver}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
      <div class="row-of-buttons">
        {isWorking.value ? (
          <button type="button" class="button" onClick={stopNow}>
            Stop
          </button>
        ) : (
          <button type="submit" class="button primary" disabled={isOver || (!proposed && text.value.trim() === '')}>
            {proposed && text.value.trim() === '' ? 'Send the next request' : 'Send'}
          </button>
        )}
        {contents.value.length > 0 && !isWorking.value && (
          <>
            {model.value !== 'script' && (
              <button type="button" class="button" onClick={() => void retry()}>
                Ask again
              </button>
            )}
            <button type="button" class="button quiet" onClick={startOver}>
              Start over
            </button>
          </>
        )}
      </div>
    </form>
  );
}

function Context(): JSX.Element {
  const [now, run, known] = [states.value, replay.value, facts.value];
  const { contextLimit } = settings.value;
  const part = now ? Math.min(100, (now.after / contextLimit) * 100) : 0;
  return (
    <section class="card block stack" aria-label="Context">
      <div class="meter-head">
        <h2>What the model gets</h2>
        <span class="number">
          {now && thousands(now.after)} of {short(contextLimit)} tokens
        </span>
      </div>
      <div class="meter" aria-hidden="true">
        <span style={{ width: `${part}%` }} />
        {run && run.trigger > 0 && <i style={{ left: `${(run.trigger / contextLimit) * 100}%` }} />}
      </div>
      <GrowthChart />
      <Bands />
      {run && known && <Ledger />}
      <div class="row-of-buttons">
        <a class="button" href="#context">
          Look closer
        </a>
      </div>
    </section>
  );
}

function Todos(): JSX.Element | null {
  if (todos.value.length === 0) return null;
  const MARK = { pending: '○', in_progress: '◐', completed: '●' } as const;
  return (
    <section class="card block stack" aria-label="Todos">
      <h2>Todos</h2>
      <ul class="todos">
        {todos.value.map(({ content, status }, index) => (
          <li key={index} class={status}>
            <span aria-hidden="true">{MARK[status] ?? '○'}</span> {content}{' '}
            <span class="unseen">({status.replace('_', ' ')})</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { facts, isBusy, open, openFiles, problems, show } from './state/conversation.js';
import { demoOf, demos, openDemo } from './state/demos.js';
import { VIEWS, view } from './state/route.js';
import { theme } from './state/theme.js';
import { Close, Logo, Theme, Upload } from './ui/icons.js';
import { ChatView } from './views/chat/chat-view.js';
import { CompareView } from './views/compare/compare-view.js';
import { ContextView } from './views/context/context-view.js';
import { ExportView } from './views/export/export-view.js';
import { PromptsView } from './views/prompts/prompts-view.js';
import { ReplayView } from './views/replay/replay-view.js';
import { WorthView } from './views/worth/worth-view.js';

export function App(): JSX.Element {
  return (
    <div class="shell">
      <Header />
      <main>
        <Problems />
        {view.value === 'context' && <ContextView />}
        {view.value === 'worth' && <WorthView />}
        {view.value === 'compare' && <CompareView />}
        {view.value === 'replay' && <ReplayView />}
        {view.value === 'chat' && <ChatView />}
        {view.value === 'prompts' && <PromptsView />}
        {view.value === 'export' && <ExportView />}
      </main>
      {isBusy.value > 0 && <div class="busy" role="progressbar" aria-label="Reading" />}
      <DropArea />
    </div>
  );
}

function Header(): JSX.Element {
  return (
    <header class="header">
      <h1 class="brand">
        <Logo />
        densify
        <span class="tagline">keeps your agent’s context small</span>
      </h1>
      <nav class="tabs" aria-label="Views">
        {VIEWS.map(({ key, name }) => (
          <a key={key} href={`#${key}`} aria-current={view.value === key ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <div class="source">
        <SourcePicker />
        <OpenButton />
        <button
          type="button"
          class="button icon quiet"
          aria-label={theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
          onClick={() => (theme.value = theme.value === 'dark' ? 'light' : 'dark')}
        >
          <Theme />
        </button>
      </div>
    </header>
  );
}

function SourcePicker(): JSX.Element {
  const own = open.value.filter(({ id }) => demoOf(id) === undefined);
  const shown = facts.value;
  const choose = (value: string): void => {
    if (view.value === 'chat') location.hash = 'context'; // beside the chat stands the chat's own context
    const known = own.find(({ id }) => String(id) === value);
    if (known) show(known);
    else void openDemo(value);
  };
  return (
    <select
      class="select"
      aria-label="Conversation"
      value={shown && (demoOf(shown.id) ?? String(shown.id))}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {own.length > 0 && (
        <optgroup label="Yours">
          {own.map(({ id, title }) => (
            <option key={id} value={String(id)}>
              {title}
            </option>
          ))}
        </optgroup>
      )}
      <optgroup label="Examples">
        {demos.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

function OpenButton(): JSX.Element {
  return (
    <label class="button primary open">
      <Upload />
      Open logs
      <span class="wide">…</span>
      <input
        class="unseen"
        type="file"
        multiple
        accept=".jsonl,.json,.txt,.log"
        onChange={(event) => {
          void openFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}

function Problems(): JSX.Element | null {
  if (problems.value.length === 0) return null;
  return (
    <div class="notice" role="status">
      <ul>
        {problems.value.map((problem, index) => (
          <li key={index}>{problem}</li>
        ))}
      </ul>
      <button
        type="button"
        class="button icon quiet"
        aria-label="Close the notice"
        onClick={() => (problems.value = [])}
      >
        <Close />
      </button>
    </div>
  );
}

/** Files may be dropped anywhere; they are read in this page and go nowhere. */
function DropArea(): JSX.Element | null {
  const isOver = useSignal(false);
  useEffect(() => {
    let leave: ReturnType<typeof setTimeout> | undefined;
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      clearTimeout(leave);
      isOver.value = true;
      leave = setTimeout(() => (isOver.value = false), 200);
    };
    const drop = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      isOver.value = false;
      void openFiles([...event.dataTransfer.files]);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);
  if (!isOver.value) return null;
  return (
    <div class="drop">
      <strong>Drop your agent’s logs</strong>
      <span>Sessions of coding agents, or chat-completions messages. This page reads them and sends them nowhere.</span>
    </div>
  );
}

import { useSignal } from '@preact/signals';
import type { Todo } from 'densify';
import type { JSX } from 'preact';
import { change, options } from '../../state/bench.js';
import { type BenchOptions, SUMMARY_STRATEGIES } from '../../summary/api.js';
import { summaries } from '../../summary/client.js';

const WHAT: Readonly<Record<BenchOptions['strategy'], string>> = {
  'middle-out': 'the middle is summarised; both ends stay',
  'one-shot': 'all but the newest messages are summarised',
  structured: 'a Markdown summary that is updated each time',
};

/** What a summary is asked for with; the request follows every change. */
export function BenchFields(): JSX.Element {
  const { strategy, mode, language, instructions, window, pins } = options.value;
  return (
    <aside class="card block stack" aria-label="Settings">
      <fieldset class="strategies">
        <legend>Strategy</legend>
        {SUMMARY_STRATEGIES.map((key) => (
          <label key={key} class={strategy === key ? 'choice chosen' : 'choice'}>
            <input
              type="radio"
              name="summary-strategy"
              checked={strategy === key}
              onChange={() => change({ strategy: key, prompt: undefined })}
            />
            <span>
              <strong>{key}</strong>
              <small>{WHAT[key]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span>Sent as</span>
        <select
          class="select"
          value={mode ?? 'transcript'}
          onChange={(event) => change({ mode: event.currentTarget.value as 'transcript' | 'append' })}
        >
          <option value="transcript">a separate request</option>
          <option value="append">one more message (uses the prompt cache)</option>
        </select>
      </label>
      <label class="field">
        <span>Window of the summarising model</span>
        <select
          class="select"
          value={window ?? 0}
          onChange={(event) => change({ window: Number(event.currentTarget.value) || undefined })}
        >
          <option value={0}>large enough</option>
          <option value={32_000}>32k tokens</option>
          <option value={16_000}>16k tokens</option>
          <option value={8_000}>8k tokens</option>
        </select>
      </label>
      <Line label="Instructions" value={instructions} onChange={(value) => change({ instructions: value })} />
      <Line
        label="Language"
        value={language}
        placeholder="same as the conversation"
        onChange={(value) => change({ language: value })}
      />
      <label class="field">
        <span>Texts to keep unchanged, one per line</span>
        <textarea
          class="input"
          rows={2}
          value={pins.join('\n')}
          onChange={(event) =>
            change({ pins: event.currentTarget.value.split('\n').filter((line) => line.trim() !== '') })
          }
        />
      </label>
      <Todos />
      <Prompt />
    </aside>
  );
}

function Line({
  label,
  value,
  placeholder,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder?: string;
  readonly onChange: (value: string | undefined) => void;
}): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        value={value ?? ''}
        placeholder={placeholder ?? ''}
        onChange={(event) => onChange(event.currentTarget.value.trim() || undefined)}
      />
    </label>
  );
}

const STATUSES = ['pending', 'in_progress', 'completed'] as const;

function Todos(): JSX.Element {
  const { todos } = options.value;
  const set = (index: number, part: Partial<Todo>): void =>
    change({ todos: todos.map((todo, at) => (at === index ? { ...todo, ...part } : todo)) });
  return (
    <fieldset>
      <legend>Todos</legend>
      {todos.map(({ content, status }, index) => (
        <div key={index} class="todo-fields">
          <input
            class="input"
            aria-label={`Todo ${index + 1}`}
            value={content}
            onChange={(event) => set(index, { content: event.currentTarget.value })}
          />
          <select
            class="select"
            aria-label={`Status of todo ${index + 1}`}
            value={status ?? 'pending'}
            onChange={(event) => set(index, { status: event.currentTarget.value })}
          >
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {one.replace('_', ' ')}
              </option>
            ))}
          </select>
          <button
            type="button"
            class="button quiet"
            aria-label={`Remove todo ${index + 1}`}
            onClick={() => change({ todos: todos.filter((_, at) => at !== index) })}
          >
            ×
          </button>
        </div>
      ))}
      <button
        type="button"
        class="button"
        onClick={() => change({ todos: [...todos, { content: 'what to do', status: 'pending' }] })}
      >
        Add a todo
      </button>
    </fieldset>
  );
}

/** The built-in prompt, to be replaced in place. */
function Prompt(): JSX.Element {
  const { prompt, strategy } = options.value;
  const builtIn = useSignal('');
  const edit = async (): Promise<void> => {
    builtIn.value = await summaries().builtInPrompt({ strategy });
    change({ prompt: builtIn.value });
  };
  if (prompt === undefined) {
    return (
      <button type="button" class="button" onClick={() => void edit()}>
        Edit the prompt
      </button>
    );
  }
  return (
    <label class="field">
      <span>Your prompt</span>
      <textarea
        class="input mono"
        rows={12}
        spellcheck={false}
        value={prompt}
        onChange={(event) => change({ prompt: event.currentTarget.value })}
      />
      <button type="button" class="button" onClick={() => change({ prompt: undefined })}>
        Back to the built-in one
      </button>
    </label>
  );
}

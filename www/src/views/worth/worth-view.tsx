import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { CopyButton } from '../../ui/copy-button.js';
import { Where } from '../context/where.js';

/** What to run, by the agent that somebody uses. */
const AGENTS = [
  { key: 'claude', name: 'Claude Code' },
  { key: 'codex', name: 'Codex' },
  { key: 'gemini', name: 'Gemini CLI' },
  { key: 'opencode', name: 'opencode' },
  { key: 'pi', name: 'pi' },
] as const;

/** From "is it worth it?" to the one command that switches densify on. */
export function WorthView(): JSX.Element {
  const agent = useSignal<string>(AGENTS[0].key);
  return (
    <div class="page worth">
      <section class="card block" aria-label="Is it worth it for me?">
        <h2>Is it worth it for me?</h2>
        <p class="faint">
          It depends on your sessions: long ones save most, short ones almost nothing. Measure first, then switch it on.
        </p>
        <ol class="steps">
          <li>
            <h3>Measure your own sessions</h3>
            <p>This command reads your agents’ logs on your machine and sends nothing anywhere.</p>
            <Command text="npx densify savings" />
            <p>
              Or <a href="#replay">replay logs in this page</a>: drop them anywhere.
            </p>
            <Where />
          </li>
          <li>
            <h3>Dry run</h3>
            <label class="agent">
              <span>Your agent</span>
              <select
                class="select"
                value={agent.value}
                onChange={(event) => (agent.value = event.currentTarget.value)}
              >
                {AGENTS.map(({ key, name }) => (
                  <option key={key} value={key}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <p>densify changes nothing and reports what it would save.</p>
            <Command text={`npx densify run --observe -- ${agent.value}`} />
          </li>
          <li>
            <h3>Switch it on for one session</h3>
            <p>At the end it prints tokens and dollars, with and without densify.</p>
            <Command text={`npx densify run -- ${agent.value}`} />
          </li>
        </ol>
      </section>
    </div>
  );
}

function Command({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="command">
      <code>{text}</code> <CopyButton label="Copy" text={() => text} />
    </p>
  );
}

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { CopyButton } from '../../ui/copy-button.js';
import { Where } from '../context/where.js';

/** What to run, by the agent that somebody uses. */
const AGENTS: readonly { readonly key: string; readonly name: string }[] = [
  { key: 'claude', name: 'Claude Code' },
  { key: 'codex', name: 'Codex' },
  { key: 'gemini', name: 'Gemini CLI' },
  { key: 'opencode', name: 'opencode' },
  { key: 'pi', name: 'pi' },
  { key: 'other', name: 'another agent' },
  { key: 'code', name: 'my own code' },
];

/** From "is it worth it?" to the one command that switches densify on. */
export function WorthView(): JSX.Element {
  const agent = useSignal('claude');
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
            <DryRun agent={agent.value} />
          </li>
          <li>
            <h3>Switch it on{agent.value === 'code' ? '' : ' for one session'}</h3>
            <SwitchedOn agent={agent.value} />
          </li>
        </ol>
      </section>
    </div>
  );
}

function DryRun({ agent }: { readonly agent: string }): JSX.Element {
  if (agent === 'code') {
    return (
      <p>
        Save your messages as a JSON list, and drop the file on this page. <a href="#replay">Replay</a> then shows what
        densify would save.
      </p>
    );
  }
  return (
    <>
      <p>densify changes nothing and reports what it would save.</p>
      <Command text={agent === 'other' ? 'npx densify gateway --observe' : `npx densify run --observe -- ${agent}`} />
      {agent === 'other' && <Addresses />}
    </>
  );
}

function SwitchedOn({ agent }: { readonly agent: string }): JSX.Element {
  if (agent === 'code') {
    return (
      <>
        <Command text="npm install densify" />
        <p>
          Then take the code for your SDK from <a href="#export">Export</a>.
        </p>
      </>
    );
  }
  return (
    <>
      <p>At the end it prints tokens and dollars, with and without densify.</p>
      <Command text={agent === 'other' ? 'npx densify gateway' : `npx densify run -- ${agent}`} />
    </>
  );
}

/** Where an agent finds the gateway. */
function Addresses(): JSX.Element {
  return (
    <p>
      Set the agent’s base URL to <code>http://127.0.0.1:8787/anthropic</code>, <code>/openai/v1</code> or{' '}
      <code>/gemini</code>, whichever API it speaks.
    </p>
  );
}

function Command({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="command">
      <code>{text}</code> <CopyButton label="Copy" text={() => text} />
    </p>
  );
}

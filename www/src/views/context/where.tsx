import type { JSX } from 'preact';

const PLACES = [
  ['Claude Code', '~/.claude/projects/…/*.jsonl'],
  ['Codex', '~/.codex/sessions/…/*.jsonl'],
  ['Gemini CLI', '~/.gemini/tmp/…/chats/*.json'],
  ['pi', '~/.pi/agent/sessions/…/*.jsonl'],
  ['opencode', 'opencode export > session.json'],
] as const;

/** Where agents keep their logs. */
export function Where(): JSX.Element {
  return (
    <details class="where">
      <summary>Where are my agent’s logs?</summary>
      <dl>
        {PLACES.map(([agent, place]) => (
          <div key={agent}>
            <dt>{agent}</dt>
            <dd class="mono">{place}</dd>
          </div>
        ))}
      </dl>
      <p>Or a JSON list of chat-completions messages. This page reads the files and sends them nowhere.</p>
    </details>
  );
}

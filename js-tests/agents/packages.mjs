/** The npm packages of the agents. `package.json` has their versions. */
export const PACKAGES = {
  claude: '@anthropic-ai/claude-code',
  codex: '@openai/codex',
  gemini: '@google/gemini-cli',
  opencode: 'opencode-ai',
  pi: '@earendil-works/pi-coding-agent',
  'pi-0.73': '@mariozechner/pi-coding-agent',
};

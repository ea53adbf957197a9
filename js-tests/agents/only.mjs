// Prints a package.json that has one of the agents alone.
import { readFileSync } from 'node:fs';

const PACKAGES = {
  claude: '@anthropic-ai/claude-code',
  codex: '@openai/codex',
  gemini: '@google/gemini-cli',
  opencode: 'opencode-ai',
  pi: '@earendil-works/pi-coding-agent',
  'pi-0.73': '@mariozechner/pi-coding-agent',
};
const name = PACKAGES[process.argv[2]];
if (name === undefined) throw new Error(`found ${process.argv[2]}, expected one of ${Object.keys(PACKAGES)}`);
// pi's parts name a version of @aws-sdk/core that some registries don't have yet: the tests ask no AWS.
const { dependencies, optionalDependencies, overrides } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);
console.log(
  JSON.stringify({ private: true, dependencies: { [name]: dependencies[name] }, optionalDependencies, overrides }),
);

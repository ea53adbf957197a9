// The order of the guides in the sidebar.
import { readFileSync } from 'node:fs';

/** The sidebar: a heading, and the pages below it. */
export const SECTIONS = [
  ['Start', ['get-started', 'agents', 'sdks', 'migrating']],
  ['Understand', ['money', 'rules', 'glossary']],
  ['Go further', ['summaries', 'over-limit', 'switch-models', 'prompts-todos-settings', 'intake', 'building-blocks']],
  ['Measure and run', ['measure', 'team', 'platforms', 'benchmarks']],
  [
    'Look up',
    [
      'options',
      'providers',
      'tools',
      'known-tools',
      'tokens',
      'replay',
      'validation',
      'peer-behaviours',
      'documents',
      'playground',
    ],
  ],
];

/** The heading of a page. */
export const titleOf = (name) =>
  /^# (.*)$/m.exec(readFileSync(new URL(`../docs/${name}.md`, import.meta.url), 'utf8'))?.[1] ?? name;

import type { ContentBlock } from 'densify';
import type { TodoItem } from './project.js';

/** One answer of the scripted agent: what it thinks, says and calls. */
export interface Step {
  readonly thought?: string;
  readonly say?: string;
  readonly calls?: readonly (readonly [tool: string, parameters: Readonly<Record<string, unknown>>])[];
}

/** A request of a user's, and how the agent goes about it. */
export interface Task {
  readonly request: string;
  readonly steps: readonly Step[];
}

const read = (file_path: string) => ['read_file', { file_path }] as const;
const test = ['run_shell_command', { command: 'npm test' }] as const;
const replace = (file_path: string, old_string: string, new_string: string) =>
  ['replace', { file_path, old_string, new_string }] as const;
const todos = (...items: readonly (readonly [TodoItem['status'], string])[]) =>
  ['todo_write', { todos: items.map(([status, content]) => ({ status, content })) }] as const;

export const TASKS: readonly Task[] = [
  {
    request:
      'The tests have been failing since yesterday: €19.99 becomes €19.98. Please find out why and fix it. Don’t touch package.json.',
    steps: [
      { say: 'I’ll look at the project and run its tests first.', calls: [['list_directory', { path: '.' }], test] },
      {
        thought: 'Several tests fail. The rounding is in money.ts; the cart may have a separate bug.',
        calls: [
          todos(
            ['in_progress', 'Amounts: rounding'],
            ['pending', 'Cart: the same item twice'],
            ['pending', 'Run all tests'],
          ),
          read('src/money.ts'),
          read('README.md'),
        ],
      },
      {
        thought: 'fromEuros uses floor: 19.99 * 100 is 1998.9999999999998. It should round.',
        say: '`Math.floor(19.99 * 100)` is 1998, because 19.99 has no exact binary representation. Rounding fixes it.',
        calls: [replace('src/money.ts', 'Math.floor(euros * 100)', 'Math.round(euros * 100)')],
      },
      { calls: [test] },
      {
        thought: 'Percentages are floored too.',
        calls: [
          read('src/money.ts'),
          replace('src/money.ts', 'Math.floor((amount * percent) / 100)', 'Math.round((amount * percent) / 100)'),
        ],
      },
      {
        calls: [
          todos(
            ['completed', 'Amounts: rounding'],
            ['in_progress', 'Cart: the same item twice'],
            ['pending', 'Run all tests'],
          ),
          read('src/cart.ts'),
          test,
        ],
      },
      {
        say: 'Adding an item again replaces it instead of increasing its quantity.',
        calls: [
          replace(
            'src/cart.ts',
            '    this.#items.set(item.sku, item);',
            '    const known = this.#items.get(item.sku);\n    this.#items.set(item.sku, known ? { ...item, quantity: known.quantity + item.quantity } : item);',
          ),
        ],
      },
      { calls: [read('src/cart.ts'), test] },
      {
        calls: [
          todos(
            ['completed', 'Amounts: rounding'],
            ['completed', 'Cart: the same item twice'],
            ['completed', 'Run all tests'],
          ),
        ],
        say: 'Amounts are rounded now, and quantities add up.',
      },
      {
        say: 'Done: `fromEuros` and `percentOf` round instead of truncating, and the cart adds up the quantities of the same item. Two tests still fail, and they are unrelated to rounding: negative totals, and discount codes on the receipt.',
      },
    ],
  },
  {
    request:
      'Thanks. Now the other two: a total must never be negative, and the receipt should list the discount codes.',
    steps: [
      {
        calls: [
          todos(['in_progress', 'No negative totals'], ['pending', 'Codes on the receipt']),
          read('src/discounts.ts'),
          read('src/receipt.ts'),
        ],
      },
      { calls: [replace('src/discounts.ts', '  return total;\n}', '  return Math.max(0, total);\n}')] },
      { calls: [test] },
      {
        thought: 'The receipt needs the codes, but the cart keeps them private.',
        calls: [read('src/cart.ts'), ['search_file_content', { pattern: 'discount' }]],
      },
      {
        calls: [
          replace(
            'src/cart.ts',
            '  get total(): Cents {',
            '  /** The codes of the discounts, in their order. */\n  get codes(): readonly string[] {\n    return this.#discounts.map(({ code }) => code);\n  }\n\n  get total(): Cents {',
          ),
        ],
      },
      { calls: [replace('src/receipt.ts', "line('Discount', format", "line('Discounts', format")] },
      { thought: 'That text isn’t in the file. I need to read it again.', calls: [read('src/receipt.ts')] },
      {
        calls: [
          // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is written to a file
          replace('src/receipt.ts', "line('Discounts', format", "line(`Discounts (${cart.codes.join(', ')})`, format"),
        ],
      },
      { calls: [read('src/receipt.ts'), test, ['run_shell_command', { command: 'npm run lint' }]] },
      {
        calls: [todos(['completed', 'No negative totals'], ['completed', 'Codes on the receipt'])],
        say: 'All tests pass, and the linter passes too.',
      },
      {
        say: 'Totals never go below €0.00, and the receipt lists the codes: `Discounts (SPRING, WINTER)`. I added a getter `codes` to the cart for that. package.json is unchanged.',
      },
    ],
  },
  {
    request: 'Please read everything once more, and tell me what you would do next.',
    steps: [
      { calls: [['list_directory', { path: 'src' }], read('src/money.ts'), read('src/cart.ts')] },
      { calls: [read('src/discounts.ts'), read('src/receipt.ts'), read('README.md')] },
      { calls: [test] },
      {
        say: 'Three things, in this order:\n\n1. `split` always gives the first parts an extra cent. It would be fairer to alternate.\n2. `SEASONS` has no end date: last winter’s code still works.\n3. The receipt doesn’t shorten long names, so lines can be wider than the paper.\n\nI would start with the second, because it costs money.',
      },
    ],
  },
];

/** What the agent says when its script has ended. */
export const ENDED: Step = {
  say: 'My script ends here. Start over, or choose your own model above: it gets the same project and the same tools.',
};

/** A step as blocks; ids are counted, so that a replay is the same each time. */
export function blocksOf(step: Step, id: (index: number) => string): ContentBlock[] {
  return [
    ...(step.thought === undefined ? [] : [{ type: 'thinking' as const, thought: step.thought }]),
    ...(step.say === undefined ? [] : [{ type: 'text' as const, text: step.say }]),
    ...(step.calls ?? []).map(([name, parameters], index) => ({
      type: 'tool_call' as const,
      id: id(index),
      name,
      parameters,
    })),
  ];
}

// The virtual project that the agent works on: a small shop's cart, with two faults and a wish.

const MONEY = `/** Amounts are whole cents, so that sums are exact. */
export type Cents = number;

export function fromEuros(euros: number): Cents {
  return Math.floor(euros * 100);
}

export function format(amount: Cents): string {
  const sign = amount < 0 ? '-' : '';
  const cents = Math.abs(amount);
  return \`\${sign}\${Math.floor(cents / 100)}.\${String(cents % 100).padStart(2, '0')} €\`;
}

/** Splits an amount into parts that add up to it again. */
export function split(amount: Cents, parts: number): Cents[] {
  const each = Math.floor(amount / parts);
  const rest = amount - each * parts;
  return Array.from({ length: parts }, (_, index) => (index < rest ? each + 1 : each));
}

export function percentOf(amount: Cents, percent: number): Cents {
  return Math.floor((amount * percent) / 100);
}
`;

const CART = `import { type Cents } from './money.js';
import { type Discount, applyDiscounts } from './discounts.js';

export interface Item {
  readonly sku: string;
  readonly name: string;
  readonly price: Cents;
  readonly quantity: number;
}

export class Cart {
  readonly #items = new Map<string, Item>();
  readonly #discounts: Discount[] = [];

  add(item: Item): void {
    if (!Number.isInteger(item.quantity) || item.quantity < 1) {
      throw new RangeError(\`quantity of \${item.sku}: \${item.quantity}\`);
    }
    this.#items.set(item.sku, item);
  }

  remove(sku: string): void {
    this.#items.delete(sku);
  }

  discount(discount: Discount): void {
    this.#discounts.push(discount);
  }

  get items(): readonly Item[] {
    return [...this.#items.values()];
  }

  /** The sum of all items, before discounts. */
  get subtotal(): Cents {
    return this.items.reduce((sum, item) => sum + item.price * item.quantity, 0);
  }

  get total(): Cents {
    return applyDiscounts(this.subtotal, this.#discounts);
  }
}
`;

const DISCOUNTS = `import { type Cents, percentOf } from './money.js';

/** Something that makes a cart cheaper. */
export type Discount =
  | { readonly kind: 'percent'; readonly percent: number; readonly code: string }
  | { readonly kind: 'amount'; readonly amount: Cents; readonly code: string };

/** Discounts apply one after the other: percentages first, then amounts. */
export function applyDiscounts(subtotal: Cents, discounts: readonly Discount[]): Cents {
  let total = subtotal;
  for (const discount of discounts) {
    if (discount.kind === 'percent') total -= percentOf(total, discount.percent);
  }
  for (const discount of discounts) {
    if (discount.kind === 'amount') total -= discount.amount;
  }
  return total;
}

/** The codes that the shop knows, by season. */
export const SEASONS: Readonly<Record<string, Discount>> = {
  SPRING: { kind: 'percent', percent: 10, code: 'SPRING' },
  SUMMER: { kind: 'percent', percent: 15, code: 'SUMMER' },
  AUTUMN: { kind: 'amount', amount: 500, code: 'AUTUMN' },
  WINTER: { kind: 'amount', amount: 750, code: 'WINTER' },
};
`;

const RECEIPT = `import type { Cart } from './cart.js';
import { format } from './money.js';

const WIDTH = 42;

function line(left: string, right: string): string {
  const room = WIDTH - left.length - right.length;
  return left + ' '.repeat(Math.max(1, room)) + right;
}

/** A cart as a receipt of fixed width. */
export function receipt(cart: Cart): string {
  const lines = ['The Orchard'.padStart(26), '-'.repeat(WIDTH)];
  for (const item of cart.items) {
    lines.push(line(\`\${item.quantity} x \${item.name}\`, format(item.price * item.quantity)));
  }
  lines.push('-'.repeat(WIDTH));
  lines.push(line('Subtotal', format(cart.subtotal)));
  if (cart.total !== cart.subtotal) lines.push(line('Discounts', format(cart.total - cart.subtotal)));
  lines.push(line('Total', format(cart.total)));
  return lines.join('\\n');
}
`;

const PACKAGE = `{
  "name": "orchard",
  "version": "2.3.1",
  "private": true,
  "type": "module",
  "scripts": {
    "test": "vitest run",
    "lint": "biome check",
    "build": "tsc --project tsconfig.json"
  },
  "devDependencies": {
    "typescript": "5.9.3",
    "vitest": "3.2.4"
  }
}
`;

const README = `# The Orchard

The cart of a small shop: items, discounts, receipts. Amounts are whole cents everywhere.

- \`src/money.ts\`: amounts, and how they are written
- \`src/cart.ts\`: items and their sum
- \`src/discounts.ts\`: codes of the season
- \`src/receipt.ts\`: what is printed

Rules of the house: no floating-point sums, no new dependencies, and a test for each fault.
`;

export const FILES: Readonly<Record<string, string>> = {
  'package.json': PACKAGE,
  'README.md': README,
  'src/money.ts': MONEY,
  'src/cart.ts': CART,
  'src/discounts.ts': DISCOUNTS,
  'src/receipt.ts': RECEIPT,
};

/** What the tests of the project look at; nothing of a file is ever run. */
export interface Check {
  readonly file: string;
  readonly name: string;
  readonly subject: string;
  readonly passes: (text: string) => boolean;
  readonly failure: readonly [expected: string, received: string];
}

const has = (part: string) => (text: string) => text.includes(part);

export const CHECKS: readonly Check[] = [
  {
    file: 'test/money.test.ts',
    name: 'euros become cents',
    subject: 'src/money.ts',
    passes: has('Math.round(euros * 100)'),
    failure: ['1999', '1998'],
  },
  {
    file: 'test/money.test.ts',
    name: 'percentages are rounded half up',
    subject: 'src/money.ts',
    passes: has('Math.round((amount * percent) / 100)'),
    failure: ['13', '12'],
  },
  {
    file: 'test/money.test.ts',
    name: 'parts add up to the whole',
    subject: 'src/money.ts',
    passes: has('const rest = amount - each * parts'),
    failure: ['1000', '999'],
  },
  {
    file: 'test/money.test.ts',
    name: 'negative amounts keep their sign',
    subject: 'src/money.ts',
    passes: has("amount < 0 ? '-' : ''"),
    failure: ['-0.50 €', '0.-50 €'],
  },
  {
    file: 'test/cart.test.ts',
    name: 'the subtotal is the sum of all items',
    subject: 'src/cart.ts',
    passes: has('item.price * item.quantity'),
    failure: ['4997', '2499'],
  },
  {
    file: 'test/cart.test.ts',
    name: 'adding the same item again adds up',
    subject: 'src/cart.ts',
    passes: has('known.quantity + item.quantity'),
    failure: ['3', '2'],
  },
  {
    file: 'test/cart.test.ts',
    name: 'a quantity of nothing is refused',
    subject: 'src/cart.ts',
    passes: has('RangeError'),
    failure: ['RangeError', 'no error'],
  },
  {
    file: 'test/discounts.test.ts',
    name: 'percentages come before amounts',
    subject: 'src/discounts.ts',
    passes: has("'percent'"),
    failure: ['8500', '8550'],
  },
  {
    file: 'test/discounts.test.ts',
    name: 'a total is never below nothing',
    subject: 'src/discounts.ts',
    passes: has('Math.max(0, total)'),
    failure: ['0', '-250'],
  },
  {
    file: 'test/receipt.test.ts',
    name: 'a line is as wide as the paper',
    subject: 'src/receipt.ts',
    passes: has('const WIDTH = 42'),
    failure: ['42', '40'],
  },
  {
    file: 'test/receipt.test.ts',
    name: 'discounts are named by their codes',
    subject: 'src/receipt.ts',
    passes: has('cart.codes'),
    failure: ['Discounts (SPRING)', 'Discounts'],
  },
];

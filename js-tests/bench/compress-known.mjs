/**
 * `compress` at 10,000 entries through a handle that has counted them, and how much of it is the core's.
 *
 * @import {Content} from './model.mjs'
 * @import {Context, Row} from './cases.mjs'
 */
import { countTokens, RULES } from './cases.mjs';
import { historyOf } from './histories.mjs';
import { cpuTime, interleave, median } from './measure.mjs';

const ENTRIES = 10_000;

/**
 * A densify of its own whose instance tells how long its exports ran, without what they called outside.
 * @param {Context['densify']} densify
 */
function stopWatched({ createDensify, optimize }) {
  optimize([]); // whatever is made once for all instances
  const watch = { inside: 0, since: 0, depth: 0 };
  const Plain = WebAssembly.Instance;
  WebAssembly.Instance = /** @type {any} */ (
    class extends Plain {
      /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} imports */
      constructor(module, imports) {
        super(
          module,
          mapFunctions(imports, (call) => outside(watch, call)),
        );
        const watched = Object.fromEntries(
          Object.entries(this.exports).map(([name, value]) => [
            name,
            typeof value === 'function' ? inside(watch, /** @type {any} */ (value)) : value,
          ]),
        );
        Object.defineProperty(this, 'exports', { value: watched });
      }
    }
  );
  try {
    const own = createDensify();
    own.optimize([{ speaker: 'human', blocks: [{ type: 'text', text: 'x' }] }]);
    return { own, watch };
  } finally {
    WebAssembly.Instance = Plain;
  }
}

/**
 * @typedef {{inside: number, since: number, depth: number}} Watch
 * @typedef {(...values: any[]) => any} Call
 */

/** @param {Watch} watch @param {Call} call @returns {Call} */
function inside(watch, call) {
  return (...values) => {
    if (watch.depth++ === 0) watch.since = cpuTime();
    try {
      return call(...values);
    } finally {
      if (--watch.depth === 0) watch.inside += cpuTime() - watch.since;
    }
  };
}

/** @param {Watch} watch @param {Call} call @returns {Call} */
function outside(watch, call) {
  return (...values) => {
    const depth = watch.depth;
    watch.inside += cpuTime() - watch.since;
    watch.depth = 0;
    try {
      return call(...values);
    } finally {
      watch.depth = depth;
      watch.since = cpuTime();
    }
  };
}

/** @param {any} imports @param {(call: Call) => Call} wrap */
function mapFunctions(imports, wrap) {
  return Object.fromEntries(
    Object.entries(imports).map(([module, values]) => [
      module,
      Object.fromEntries(
        Object.entries(/** @type {object} */ (values)).map(([name, value]) => [
          name,
          typeof value === 'function' ? wrap(value) : value,
        ]),
      ),
    ]),
  );
}

/**
 * @param {Context} context
 * @returns {Row[]}
 */
export function compressKnown({ densify, quick, note }) {
  const name = `compress ${ENTRIES.toLocaleString('en')} entries through a handle that has counted them`;
  const history = historyOf({ entries: ENTRIES, seed: 7 });
  const { own, watch } = stopWatched(densify);
  const make = (/** @type {{createOptimizer: Function}} */ maker, /** @type {boolean} */ counts) => {
    const optimizer = maker.createOptimizer(counts ? { ...RULES, countTokens } : RULES);
    optimizer.push(...history);
    return { optimizer, tokens: optimizer.optimize().tokensAfter };
  };
  return (quick ? ['high-density'] : ['high-density', 'top-down-truncation']).flatMap((strategy) =>
    (quick ? [false] : [false, true]).flatMap((counts) => {
      note(`${name}, ${strategy}`);
      const label = `${strategy}, ${counts ? "the caller's counter" : 'estimates'}`;
      const compressOne = (/** @type {any} */ { optimizer, tokens }) => {
        const options = { strategy, contextLimit: Math.floor(tokens / 3), preserve: { messages: 10 } };
        const result = optimizer.compress(options);
        const outcome = { kind: result.kind, after: result.messages.length, tokens: result.tokensAfter };
        optimizer.dispose();
        return outcome;
      };
      /** @type {number[]} */
      const shares = [];
      const timings = interleave(
        [
          { name: 'plain', prepare: () => make(densify, counts), run: compressOne },
          {
            name: 'watched',
            prepare: () => make(own, counts),
            run: (/** @type {any} */ made) => {
              watch.inside = 0;
              const outcome = compressOne(made);
              shares.push(watch.inside);
              return outcome;
            },
          },
        ],
        { rounds: quick ? 5 : 15, warmUps: 4 },
      );
      const plain = /** @type {import('./measure.mjs').Timing<any>} */ (timings.get('plain'));
      const isApplied = plain.last.kind === 'applied' && plain.last.after < ENTRIES;
      const detail = `${plain.last.after} entries left, least ${plain.least.toFixed(1)} ms of ${plain.times.length} rounds`;
      const unit = /** @type {const} */ ('ms');
      const inside = shares.slice(-plain.times.length);
      return [
        { case: name, name: label, value: isApplied ? plain.median : NaN, unit, bar: { most: 15 }, detail },
        {
          case: name,
          name: `${label}: the core's part`,
          value: median(inside),
          unit,
          bar: { most: 3 },
          detail: `least ${Math.min(...inside).toFixed(2)} ms; calls out of the core left out`,
        },
      ];
    }),
  );
}

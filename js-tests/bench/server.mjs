/**
 * What a request costs a server that keeps many conversations: 1,000 entries, parsed afresh each time, handed to the
 * conversation's optimizer, which knows them by what they hold, or to `optimize`; beside plain JavaScript that scans them.
 *
 * @import {Content} from './model.mjs'
 */
import { RULES, ratioRow } from './cases.mjs';
import { historyOf } from './histories.mjs';
import { interleave } from './measure.mjs';
import { rescanOptimize } from './rescan.mjs';

const ENTRIES = 1_000;
const REQUESTS = 4;

/** The bar: at most as much as plain JavaScript. */
const NO_MORE = { most: 1 };

/**
 * @param {import('./cases.mjs').Context} context
 * @returns {import('./cases.mjs').Row[]}
 */
export function server({ densify, quick, note }) {
  const name = `a server's request: ${ENTRIES} entries, parsed afresh`;
  note(name);
  const history = historyOf({ entries: ENTRIES + 2 * REQUESTS, seed: 7 });
  const texts = Array.from({ length: REQUESTS + 1 }, (_, n) => JSON.stringify(history.slice(0, ENTRIES + 2 * n)));
  const parse = () => texts.map((text) => /** @type {Content[]} */ (JSON.parse(text)));
  const eachBy =
    (/** @type {(messages: Content[]) => any} */ optimize) =>
    (/** @type {{lists: Content[][]}} */ { lists }) => {
      let count = 0;
      for (const messages of lists.slice(1)) count += optimize(messages).messages.length;
      return count;
    };
  const lists = () => ({ lists: parse() });
  const known = () => {
    const given = parse();
    const optimizer = densify.createOptimizer(RULES);
    optimizer.optimize(given[0]);
    return { lists: given, optimizer };
  };
  const timings = interleave(
    [
      { name: 'rescan', prepare: lists, run: eachBy((messages) => rescanOptimize(messages, RULES)) },
      { name: 'optimize', prepare: lists, run: eachBy((messages) => densify.optimize(messages, RULES)) },
      {
        name: 'optimizer',
        prepare: known,
        run: (/** @type {any} */ input) => eachBy((messages) => input.optimizer.optimize(messages))(input),
      },
    ],
    { rounds: quick ? 10 : 40, warmUps: 5 },
  );
  const [rescan, stateless, handle] = timings.values();
  return [
    ratioRow(name, 'an optimizer that knows them : plain JavaScript', handle, rescan, NO_MORE),
    ratioRow(name, 'optimize : plain JavaScript', stateless, rescan),
  ];
}

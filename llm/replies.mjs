// How replies come about: made up and good, made up and bad, or written by the model.

import { grammarOf, madeReply, partsOf } from './forms.mjs';

/** Replies that the model writes in one case; further ones are made up, as the model is slow. */
export const MODEL_REPLIES = 3;

const partsCache = new Map();

/** The parts of a strategy's summary, from its own prompt. */
function partsFor(densify, strategy) {
  if (!partsCache.has(strategy)) {
    partsCache.set(strategy, partsOf(densify.compressionPrompt({ framing: strategy })));
  }
  return partsCache.get(strategy);
}

/** A good reply; the user's directive in it is a line that the user wrote. */
export function good(densify, strategy, history) {
  const requests = history.filter(({ speaker, metadata }) => speaker === 'human' && !metadata?.isSummary);
  const quote = requests
    .map(firstLine)
    .find((line) => line.length > 20 && line.length < 120 && !/^(---|<)|"/.test(line));
  const say = (part) => {
    if (part === 'user_directives' && quote) return `- "${quote}"`;
    // A summary must say something of the goal.
    return /goal/i.test(part) ? 'The user wants the work to go on.' : 'None.';
  };
  return { made: madeReply(partsFor(densify, strategy), say) };
}

/** How a request begins: what is pasted into it comes later. */
function firstLine({ blocks: [block] }) {
  return block?.type === 'text' ? block.text.split('\n', 1)[0].trim() : '';
}

/** The model fills in a form. */
export const guided = (densify, strategy) => ({ grammar: grammarOf(partsFor(densify, strategy)) });

/** The model as it is; a small one finds no end. */
export const free = { maxTokens: 150 };

/** Replies that can't be used. */
export const BAD = ['empty', 'blank', 'cut-off', 'tool-call', 'chatter'].map((kind) => ({ fault: { kind } }));

/** No reply at all. */
export const BROKEN = [{ kind: 'status', status: 500 }, { kind: 'reset' }, { kind: 'die' }, { kind: 'html' }].map(
  (fault) => ({ fault }),
);

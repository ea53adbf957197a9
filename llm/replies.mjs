// How replies come about: made up and good, made up and bad, or written by the model.

import { grammarOf, madeReply, partsOf } from './forms.mjs';

const partsCache = new Map();

/** The parts of a strategy's summary, from its own prompt. */
function partsFor(densify, strategy) {
  if (!partsCache.has(strategy)) {
    const prompt =
      strategy === 'structured' ? densify.structuredPrompt() : densify.compressionPrompt({ framing: strategy });
    partsCache.set(strategy, partsOf(prompt));
  }
  return partsCache.get(strategy);
}

/** A good reply; the user's directive in it is a line that the user wrote. */
export function good(densify, strategy, history) {
  const lines = history.filter(({ speaker }) => speaker === 'human').flatMap(({ blocks }) => blocks.flatMap(linesOf));
  const quote = lines.find((line) => line.length > 20 && line.length < 120);
  const say = (part) => (part === 'user_directives' && quote ? `- "${quote}"` : 'None that matters.');
  return { made: madeReply(partsFor(densify, strategy), say) };
}

const linesOf = ({ type, text }) => (type === 'text' ? text.split('\n').map((line) => line.trim()) : []);

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

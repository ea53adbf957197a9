// Words and turns of phrase that the texts avoid, the terms that they use, and sentences and files that may stay.

/** Turns of phrase that make sentences hard, and what to write instead. */
export const AVOID = [
  ['anew', 'again'],
  ['nobody', 'name the actor'],
  ['whoever', 'name the actor'],
  ['whatever', 'any'],
  ['goes? by', 'uses, depends on'],
  ['tells? of|told of', 'reports'],
  ['comes? to', 'is, amounts to'],
  ['so many|so much', 'the number'],
  ['(?:can|could|to) be had|is had', 'is available'],
  ['is said|it says', 'states, returns'],
  ['stands? for all', 'is for all'],
  ['mend(?:ed|s)?', 'fix'],
  ['wish(?:es)?', 'options'],
  ['laid? open|lays? open', 'exposes'],
  ['(?:of|by|to|from|behind|at|with) which', 'split the sentence'],
  ['as it (?:is|was)', 'unchanged'],
  ['for nothing', 'free'],
  ['at hand', 'available'],
  ['but for', 'except'],
  ['in its place|in the place of', 'instead of'],
  ['all the same', 'still'],
  ['some \\d', 'about'],
  ['where (?:nothing|none|no)', 'if no'],
  ["that (?:isn't|is) (?:no|none)", 'split the sentence'],
  ['is no [a-z]+|are no [a-z]+', 'is not a'],
  ["what (?:is|was|has|isn't|the|a|it|they|others?) ", 'name the thing'],
];

/** Those of them that no page, message or label has: each has a plainer word. */
export const CLEAR = AVOID.filter(([sign]) =>
  [
    'anew',
    'nobody',
    'whoever',
    'whatever',
    'goes? by',
    'tells? of|told of',
    'comes? to',
    'so many|so much',
    '(?:can|could|to) be had|is had',
    'mend(?:ed|s)?',
    'laid? open|lays? open',
    'for nothing',
    'at hand',
    'but for',
    'in its place|in the place of',
    'all the same',
  ].includes(sign),
);

/** Other words for the terms of the glossary and of the field, and the term to use. */
export const TERMS = [
  ['context (?:length|size)', 'context window'],
  ['(?:KV|prefix|prompt prefix) cache', 'prompt cache'],
  ['tool (?:response|reply|replies)s?', 'tool result'],
  ['function (?:response|result)s?', 'tool result'],
  ['human (?:message|turn)s?', 'user message'],
  ['chat history', 'history'],
  ['token limit of the model', 'context window'],
  ['(?:cache )?purges?', 'flush'],
  ['pre-?shrink(?:ing)?|ingest(?:s|ion)?', 'intake'],
  ['profile of rules|rule ?sets?', 'preset'],
  ['recent window|keep window', 'tail'],
  ['rule-based summar(?:y|ies)', 'digest'],
  ['rehydrat(?:e|es|ion)', 'recall'],
  ['repack(?:s|ed|ing)?|condens(?:e|es|ed|ing)', 'pack'],
  ['modifications?', 'edit'],
  ['token (?:cap|ceiling|quota)s?', 'budget'],
  ['flush (?:point|mark)s?', 'anchor'],
  ['(?:compaction|compression) (?:mode|method|algorithm)s?', 'strategy'],
];

/** Sentences that score too high but read well, by a part of them. */
export const DEFENDED = [
  'What is cut and what is kept', // the name of a guide
  'Keep what is cut, so that the model can ask', // a setting's short description
  'English 1.00, German 0.82', // a list of figures
  'tiktoken 1.0.22, js-tiktoken', // a list of versions
  "'system', 'assistant', 'user', 'function'", // a provider's own message
];

/** Files whose texts are not checked, by a part of their paths, and why. */
export const NOT_READ = [
  [/^src\/prompt\/text\//, 'prompts, which models read: `make test-llm` shows how well they follow them'],
  [/^demo\/(?:builder|scenarios)\//, 'messages and logs of made-up sessions'],
  [/generated/, 'written by a program'],
  [/tests\.rs$|\.test\./, 'tests, which only contributors read'],
];

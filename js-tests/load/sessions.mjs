// Sessions of an agent as requests of Anthropic's form: files are read, edited and read again, commands are run.

const CHARACTERS = 4;

/** Numbers that look random and are the same in every run. */
export function random(seed) {
  let state = seed * 2_654_435_761 + 1;
  return (most) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return (state >>> 0) % most;
  };
}

/** One step: a call and its result. */
function step(next, number, seed) {
  const id = `toolu_${seed}_${number}`;
  const file = `/work/src/module${next(12)}.ts`;
  const kind = next(5);
  const lines = (count, line) => Array.from({ length: count }, (_, at) => line(at)).join('\n');
  const [name, input, content] =
    kind < 2
      ? [
          'Read',
          { file_path: file },
          lines(60 + next(160), (at) => `${at + 1}\tconst value_${next(900)} = compute(${at}, ${next(9999)});`),
        ]
      : kind === 2
        ? ['Bash', { command: 'npm test' }, lines(40 + next(120), (at) => `ok ${at} - case ${next(900)} of ${file}`)]
        : kind === 3
          ? [
              'Edit',
              { file_path: file, old_string: `value_${next(900)}`, new_string: `value_${next(900)}` },
              `The file ${file} has been updated.`,
            ]
          : [
              'Grep',
              { pattern: `value_${next(99)}` },
              lines(20 + next(40), (at) => `${file}:${at}: value_${next(900)}`),
            ];
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: `Step ${number}.` },
        { type: 'tool_use', id, name, input },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ];
}

const HEAD = {
  model: 'claude-opus-4-8',
  max_tokens: 32_000,
  stream: false,
  system: 'You are an agent that writes software. '.repeat(200),
};
const bodyOf = (texts) => Buffer.from(`${JSON.stringify(HEAD).slice(0, -1)},"messages":[${texts.join(',')}]}`);

/** The texts of messages, from the first request on, until they have so many tokens. */
function grown(tokens, seed) {
  const next = random(seed + 1);
  const texts = [JSON.stringify({ role: 'user', content: `Please do task ${seed}.` })];
  const ends = [1];
  let size = 0;
  for (let number = 0; size < tokens * CHARACTERS; number += 1) {
    for (const message of step(next, number, seed)) {
      texts.push(JSON.stringify(message));
      size += texts.at(-1).length;
    }
    ends.push(texts.length);
  }
  return { texts, ends, next };
}

/** `count` requests of a session, the first of `tokens`; `growing`: all that came before. */
export function sized(tokens, count, seed = 0) {
  const { texts, ends, next } = grown(tokens, seed);
  const bodies = [];
  const all = [...texts];
  for (let number = 0; number < count; number += 1) {
    bodies.push(bodyOf(all));
    // A large history grows slowly: what is measured stays of the size that it is named by.
    all.push(...shortStep(next, number, seed).map((message) => JSON.stringify(message)));
  }
  return {
    bodies,
    tokens: bodyOf(texts).length / CHARACTERS,
    get growing() {
      return ends.map((end) => bodyOf(texts.slice(0, end)));
    },
  };
}

function shortStep(next, number, seed) {
  const id = `toolu_${seed}_s${number}`;
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: { command: `echo ${next(999)}` } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `done ${next(999)}` }] },
  ];
}

/** The requests of one of many sessions, made when they are sent. */
export function session(seed, tokens, rounds) {
  const { texts, next } = grown(tokens, seed);
  const first = texts.length;
  for (let number = 0; number < rounds; number += 1) {
    texts.push(...shortStep(next, number, seed).map((message) => JSON.stringify(message)));
  }
  return { length: rounds, at: (number) => bodyOf(texts.slice(0, first + 2 * number)) };
}

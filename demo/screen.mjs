// Where the demo writes to: colours and unicode signs on a terminal, plain ASCII signs in a pipe.

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };
const RICH = { arrow: '→', minus: '−', more: '…', ok: '✓', rule: '━', thin: '─', side: '│', full: '█', empty: '░' };
const PLAIN = {
  arrow: '->',
  minus: '-',
  more: '...',
  ok: 'ok',
  rule: '=',
  thin: '-',
  side: '|',
  full: '#',
  empty: '.',
};

const MIN_WIDTH = 64;
const MAX_WIDTH = 120;
const PIPE_WIDTH = 100;

/** How to write to a stream: `{width, signs, hasBars, paint(style, text)}`. */
export function createScreen(stream, env) {
  const isTerminal = Boolean(stream.isTTY) && env.TERM !== 'dumb';
  const hasColour = isTerminal && !env.NO_COLOR;
  const width = Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, stream.columns || PIPE_WIDTH));
  const paint = (style, text) => {
    if (!hasColour || style === '' || text === '') return text;
    const codes = style.split(' ').map((name) => CODES[name]);
    return `\u001b[${codes.join(';')}m${text}\u001b[0m`;
  };
  const write = (line = '') => stream.write(`${line}\n`);
  return { width, hasBars: isTerminal, signs: isTerminal ? RICH : PLAIN, paint, write };
}

/** A bar of `width` cells, filled up to `fraction`. */
export function bar(screen, fraction, width) {
  const { full, empty } = screen.signs;
  const filled = Math.max(0, Math.min(width, Math.round(fraction * width)));
  return screen.paint('green', full.repeat(filled)) + screen.paint('red', empty.repeat(width - filled));
}

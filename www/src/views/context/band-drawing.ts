import type { Facts } from '../../engine/api.js';
import { KINDS } from '../../lib/kinds.js';
import { short } from '../../lib/text.js';
import { type BlockStates, CHANGED, GONE, KEPT } from '../../state/states.js';
import { colour } from '../../state/theme.js';
import type { Surface } from '../../ui/canvas.js';

export const BAND = 40;
const FATE = 5;
const FLOW = 54;
const AXIS = 22;
const AFTER = BAND + FATE + FLOW;
export const HEIGHT = AFTER + BAND + AXIS;

/** What is drawn: the blocks, what is left of each (in between while it moves), and the window's marks. */
export interface Bands {
  readonly facts: Facts;
  readonly states: BlockStates;
  readonly left: ArrayLike<number>;
  /** Tokens of the whole width. */
  readonly span: number;
  readonly marks: readonly { readonly tokens: number; readonly name: string; readonly colour: string }[];
  /** The tail that the newest compression kept as it was, in tokens from the beginning. */
  readonly tail: { readonly start: number; readonly end: number } | undefined;
  readonly highlight: number | undefined;
}

/** The history before (above) and after (below), and between them what became of what. */
export function drawBands({ context, width }: Surface, bands: Bands): void {
  const scale = width / Math.max(1, bands.span);
  const colours = KINDS.map(({ key }) => colour(`kind-${key}`));
  const page = colour('card');
  context.fillStyle = colour('sunk');
  context.fillRect(0, 0, width, BAND);
  context.fillRect(0, AFTER, width, BAND);
  drawFlow(context, bands, scale);
  drawBefore(context, bands, scale, colours, page);
  drawAfter(context, bands, scale, colours, page);
  drawMarks(context, bands, scale, width);
  drawHighlight(context, bands, scale);
}

/** Blocks that are wider stand by themselves, with a gap behind them. */
const WIDE = 4;

/** Blocks that are narrower than a pixel are one with those before, and narrow ones that look alike are drawn as one. */
function forEachBlock(
  sizes: ArrayLike<number>,
  { facts, states }: Pick<Bands, 'facts' | 'states'>,
  scale: number,
  draw: (kind: number, state: number, x: number, width: number) => void,
): void {
  let [at, drawn] = [0, 0];
  let run = { kind: -1, state: KEPT, x: 0 };
  for (let block = 0; block < states.count; block += 1) {
    at += sizes[block] ?? 0;
    const end = at * scale;
    if (end - drawn < 1) continue;
    const [kind, state] = [facts.kind[block] ?? 6, states.state[block] ?? KEPT];
    const isWide = end - drawn > WIDE;
    if (isWide || kind !== run.kind || state !== run.state) {
      if (run.kind >= 0 && drawn > run.x) draw(run.kind, run.state, run.x, drawn - run.x);
      run = { kind, state, x: drawn };
    }
    if (isWide) {
      draw(kind, state, drawn, end - drawn - 1);
      run = { kind: -1, state, x: end };
    }
    drawn = end;
  }
  if (run.kind >= 0) draw(run.kind, run.state, run.x, drawn - run.x);
}

const STRIPE = 6;

/** Stripes over removed blocks. */
function hatch(context: CanvasRenderingContext2D, ink: string): CanvasPattern | string {
  const tile = new OffscreenCanvas(STRIPE, STRIPE);
  const drawn = tile.getContext('2d');
  if (!drawn) return 'transparent';
  drawn.strokeStyle = ink;
  drawn.beginPath();
  // From corner to corner, and the corners of the stripes beside it, so that tiles meet.
  for (const shift of [-STRIPE, 0, STRIPE]) {
    drawn.moveTo(shift - 1, STRIPE + 1);
    drawn.lineTo(shift + STRIPE + 1, -1);
  }
  drawn.stroke();
  return context.createPattern(tile, 'repeat') ?? 'transparent';
}

function drawBefore(
  context: CanvasRenderingContext2D,
  bands: Bands,
  scale: number,
  colours: readonly string[],
  page: string,
): void {
  const fates = [colour('accent'), colour('warn'), colour('bad')];
  const removed = hatch(context, colour('bad'));
  forEachBlock(bands.facts.tokens, bands, scale, (kind, state, x, width) => {
    context.globalAlpha = state === GONE ? 0.28 : state === CHANGED ? 0.5 : 1;
    context.fillStyle = colours[kind] ?? page;
    context.fillRect(x, 0, width, BAND);
    if (state === KEPT) return;
    context.globalAlpha = 1;
    if (state === GONE) {
      context.fillStyle = removed;
      context.fillRect(x, 0, width, BAND);
    }
    context.fillStyle = fates[state] ?? page;
    // A shortened block has half a bar: not everyone sees its colour.
    context.fillRect(x, BAND + 1, width, state === GONE ? FATE - 1 : (FATE - 1) / 2);
  });
  context.globalAlpha = 1;
}

function drawAfter(
  context: CanvasRenderingContext2D,
  bands: Bands,
  scale: number,
  colours: readonly string[],
  page: string,
): void {
  const changed = colour('warn');
  forEachBlock(bands.left, bands, scale, (kind, state, x, width) => {
    context.fillStyle = colours[kind] ?? page;
    context.fillRect(x, AFTER, width, BAND);
    if (state !== CHANGED) return;
    context.fillStyle = changed;
    context.fillRect(x, AFTER, width, 3);
  });
}

/** A run that is narrower is drawn with the next; of very many blocks, ribbons of a few pixels tell nothing and take long. */
const narrowest = (count: number): number => (count > 2000 ? 4 : 1);

/** Runs of blocks with one fate, as ribbons from where they were to where they are. */
function drawFlow(context: CanvasRenderingContext2D, { facts, states, left }: Bands, scale: number): void {
  const fills = [`${colour('accent')}1f`, `${colour('warn')}40`, `${colour('bad')}2e`];
  const [top, bottom] = [BAND + FATE, AFTER];
  const middle = (top + bottom) / 2;
  const least = narrowest(states.count);
  let [from, to] = [0, 0];
  for (let block = 0; block < states.count; ) {
    const fate = states.state[block] ?? KEPT;
    const [x, y] = [from, to];
    for (; block < states.count && (states.state[block] === fate || from - x < least); block += 1) {
      from += (facts.tokens[block] ?? 0) * scale;
      to += (left[block] ?? 0) * scale;
    }
    context.fillStyle = fills[fate] ?? '';
    context.beginPath();
    context.moveTo(x, top);
    context.bezierCurveTo(x, middle, y, middle, y, bottom);
    context.lineTo(to, bottom);
    context.bezierCurveTo(to, middle, from, middle, from, top);
    context.fill();
  }
}

function drawMarks(context: CanvasRenderingContext2D, { marks, tail }: Bands, scale: number, width: number): void {
  context.font = `600 11px ${colour('sans')}`;
  context.textBaseline = 'top';
  let free = 0;
  for (const mark of [...marks].sort((a, b) => a.tokens - b.tokens)) {
    const x = Math.round(mark.tokens * scale) + 0.5;
    if (x > width) continue;
    context.strokeStyle = mark.colour;
    context.fillStyle = mark.colour;
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, AFTER + BAND + 5);
    context.stroke();
    const name = `${mark.name} ${short(mark.tokens)}`;
    const wide = context.measureText(name).width;
    const start = Math.min(width - wide, Math.max(free, x - wide / 2));
    context.fillText(name, start, AFTER + BAND + 8);
    free = start + wide + 12;
  }
  context.setLineDash([]);
  if (!tail) return;
  const [start, end] = [tail.start * scale, tail.end * scale];
  context.strokeStyle = colour('ink');
  context.lineWidth = 2;
  context.strokeRect(start + 1, 1, end - start - 2, BAND - 2);
  context.lineWidth = 1;
  if (end - start < 60) return;
  context.fillStyle = colour('card');
  context.fillRect(start + 2, 2, 38, 16);
  context.fillStyle = colour('ink');
  context.fillText('tail', start + 10, 4);
}

function drawHighlight(
  context: CanvasRenderingContext2D,
  { facts, states, left, highlight }: Bands,
  scale: number,
): void {
  if (highlight === undefined || highlight >= states.count) return;
  let [from, to] = [0, 0];
  for (let block = 0; block < highlight; block += 1) {
    from += facts.tokens[block] ?? 0;
    to += left[block] ?? 0;
  }
  context.strokeStyle = colour('ink');
  context.lineWidth = 2;
  const frame = (x: number, y: number, tokens: number): void => {
    const width = Math.max(3, tokens * scale);
    context.strokeRect(x * scale, y + 1, width, BAND - 2);
  };
  frame(from, 0, facts.tokens[highlight] ?? 0);
  if ((left[highlight] ?? 0) > 0) frame(to, AFTER, left[highlight] ?? 0);
  context.lineWidth = 1;
}

/** The block at a place of the picture. */
export function blockAt(
  x: number,
  y: number,
  width: number,
  { facts, states, span }: Pick<Bands, 'facts' | 'states' | 'span'>,
): number | undefined {
  const sizes = y <= BAND + FATE ? facts.tokens : y >= AFTER && y <= AFTER + BAND ? states.left : undefined;
  if (!sizes) return undefined;
  const tokens = (x / width) * span;
  let at = 0;
  for (let block = 0; block < states.count; block += 1) {
    at += sizes[block] ?? 0;
    if (at >= tokens && (sizes[block] ?? 0) > 0) return block;
  }
  return undefined;
}

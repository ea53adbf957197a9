import type { Replay } from '../../engine/api.js';
import { type Settings, startOf } from '../../lib/settings.js';
import { short } from '../../lib/text.js';
import { colour } from '../../state/theme.js';
import type { Surface } from '../../ui/canvas.js';

export const LEFT = 44;
export const RIGHT = 12;
const TOP = 12;
const BOTTOM = 8;
/** The width of a line's name. */
const NAME = 100;

/** Where the calls of the model lie on the chart. */
export function xOf(call: number, calls: number, width: number): number {
  return LEFT + (calls < 2 ? 0 : (call / (calls - 1)) * (width - LEFT - RIGHT));
}

export function callAt(x: number, calls: number, width: number): number {
  const part = (x - LEFT) / Math.max(1, width - LEFT - RIGHT);
  return Math.max(0, Math.min(calls - 1, Math.round(part * (calls - 1))));
}

/** How the context grows: with and without densify, and what it must stay under. */
export function drawChart({ context, width, height }: Surface, replay: Replay, settings: Settings): void {
  const { before, after, trigger, target, compressions } = replay;
  const calls = before.length;
  const highest = Math.max(before.at(-1) ?? 1, ...compressions.map((one) => one.before), 1);
  const hasLimit = trigger > 0 && settings.contextLimit < highest * 2.5;
  const top = (hasLimit ? Math.max(highest, settings.contextLimit) : highest) * 1.06;
  const y = (tokens: number): number => height - BOTTOM - (tokens / top) * (height - TOP - BOTTOM);
  const x = (call: number): number => xOf(call, calls, width);
  drawAxis(context, width, top, y);
  const area = (values: Uint32Array, fill: string, stroke: string, dash: readonly number[]): void => {
    const path = new Path2D();
    values.forEach((value, call) => (call === 0 ? path.moveTo(x(0), y(value)) : path.lineTo(x(call), y(value))));
    context.strokeStyle = stroke;
    context.lineWidth = 2;
    context.setLineDash([...dash]);
    context.lineJoin = 'round';
    context.stroke(path);
    context.setLineDash([]);
    path.lineTo(x(calls - 1), y(0));
    path.lineTo(x(0), y(0));
    context.fillStyle = fill;
    context.fill(path);
  };
  // The lines differ by their dashes and names too: not everyone sees their colours.
  area(before, `${colour('kind-result')}26`, colour('line-without'), [7, 3]);
  area(after, `${colour('accent')}33`, colour('accent'), []);
  // Beside the ends of the lines: above the upper one, and below the lower one if there is room.
  const ends = (values: Uint32Array): number[] => [...values.slice(callAt(width - RIGHT - NAME, calls, width))].map(y);
  const [upper, lower] = [Math.min(...ends(before)) - 5, Math.max(...ends(after)) + 14];
  drawName(context, width, upper, 'without densify', colour('ink-soft'));
  if (lower < y(0)) drawName(context, width, lower, 'with densify', colour('accent'));
  if (!hasLimit) return;
  drawLimit(
    context,
    width,
    y(settings.contextLimit),
    'bottom',
    `window ${short(settings.contextLimit)}`,
    colour('bad'),
  );
  const start = startOf(settings, trigger);
  const place = start === undefined ? 'top' : 'bottom';
  drawLimit(context, width, y(trigger), place, `threshold ${short(trigger)}`, colour('warn'));
  if (start !== undefined) drawLimit(context, width, y(start), 'top', `Auto from ${short(start)}`, colour('warn'));
  drawLimit(context, width, y(target), 'top', `target after compression ${short(target)}`, colour('ink-faint'));
}

/** The name of a line at its end. */
function drawName(context: CanvasRenderingContext2D, width: number, at: number, name: string, ink: string): void {
  context.font = `600 11px ${colour('sans')}`;
  context.textAlign = 'right';
  context.textBaseline = 'alphabetic';
  context.fillStyle = ink;
  context.fillText(name, width - RIGHT - 10, Math.max(TOP, at));
}

function drawAxis(context: CanvasRenderingContext2D, width: number, top: number, y: (tokens: number) => number): void {
  const rough = top / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const unit = [1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10;
  context.font = `11px ${colour('sans')}`;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.fillStyle = colour('ink-faint');
  context.strokeStyle = colour('line');
  context.lineWidth = 1;
  for (let tokens = 0; tokens < top; tokens += unit * power) {
    const at = Math.round(y(tokens)) + 0.5;
    context.beginPath();
    context.moveTo(LEFT, at);
    context.lineTo(width - RIGHT, at);
    context.stroke();
    context.fillText(short(tokens), LEFT - 8, at);
  }
}

function drawLimit(
  context: CanvasRenderingContext2D,
  width: number,
  at: number,
  baseline: 'top' | 'bottom',
  name: string,
  stroke: string,
): void {
  context.save();
  context.strokeStyle = stroke;
  context.fillStyle = stroke;
  context.setLineDash([4, 4]);
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(LEFT, Math.round(at) + 0.5);
  context.lineTo(width - RIGHT, Math.round(at) + 0.5);
  context.stroke();
  context.font = `600 11px ${colour('sans')}`;
  context.textAlign = 'left';
  context.textBaseline = baseline;
  context.fillText(name, LEFT + 6, at + (baseline === 'top' ? 4 : -2));
  context.restore();
}

import type { JSX } from 'preact';
import type { Replay } from '../../engine/api.js';

const [WIDTH, HEIGHT] = [120, 32];

/** The growth with and without densify, small. */
export function Sparkline({ run: { before, after } }: { readonly run: Replay }): JSX.Element {
  const top = Math.max(1, before.at(-1) ?? 1);
  const points = (values: Uint32Array): string => {
    const stride = Math.max(1, Math.floor(values.length / WIDTH));
    const found: string[] = [];
    for (let call = 0; call < values.length; call += stride) {
      const x = (call / Math.max(1, values.length - 1)) * WIDTH;
      found.push(`${x.toFixed(1)},${(HEIGHT - 1 - ((values[call] ?? 0) / top) * (HEIGHT - 2)).toFixed(1)}`);
    }
    return found.join(' ');
  };
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <polyline class="without" points={points(before)} />
      <polyline class="with" points={points(after)} />
    </svg>
  );
}

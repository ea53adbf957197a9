import { useSignal } from '@preact/signals';
import type { HTMLAttributes, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { theme } from '../state/theme.js';

/** What is drawn with: a context in CSS pixels, and its size. */
export interface Surface {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
}

interface Props extends Omit<HTMLAttributes<HTMLCanvasElement>, 'width' | 'height'> {
  readonly height: number;
  /** Draws everything again; called once a frame at most. */
  readonly draw: (surface: Surface) => void;
  /** What the picture depends on; a change draws it. */
  readonly deps: readonly unknown[];
  readonly onWidth?: (width: number) => void;
}

/** A canvas as wide as its place, sharp on every screen. */
export function Canvas({ height, draw, deps, onWidth, ...rest }: Props): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useSignal(0);
  useEffect(() => {
    const element = canvas.current?.parentElement;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      width.value = Math.floor(entry?.contentRect.width ?? 0);
      onWidth?.(width.value);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // Before the page is painted, so that the picture is drawn in the same frame as the rest.
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(() => {
      const element = canvas.current;
      const context = element?.getContext('2d');
      if (!element || !context || width.value === 0) return;
      const ratio = devicePixelRatio;
      const [pixels, lines] = [Math.round(width.value * ratio), Math.round(height * ratio)];
      if (element.width !== pixels || element.height !== lines) {
        element.width = pixels;
        element.height = lines;
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width.value, height);
      draw({ context, width: width.value, height });
    });
    return () => cancelAnimationFrame(frame);
  }, [...deps, width.value, height, theme.value]);
  return (
    <canvas ref={canvas} style={{ display: 'block', width: `${width.value}px`, height: `${height}px` }} {...rest} />
  );
}

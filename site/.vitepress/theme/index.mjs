// The default theme, with a button below examples that run in the page (site/run.mjs).
import { withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { defineComponent, h, ref } from 'vue';

/** Functions, and handles such as an optimizer, hold nothing that a reader could see. */
const isShown = (value) =>
  typeof value !== 'function' &&
  (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length > 0);

/** A value as a reader wants to see it. */
function shown(value) {
  if (typeof value === 'string') return value.length > 600 ? `${value.slice(0, 600)}…` : value;
  const seen = new Set();
  const text = JSON.stringify(
    value,
    (_key, part) => {
      if (typeof part === 'bigint') return `${part}n`;
      if (typeof part === 'string' && part.length > 200) return `${part.slice(0, 200)}…`;
      if (typeof part !== 'object' || part === null) return part;
      if (seen.has(part)) return '…';
      seen.add(part);
      return part;
    },
    2,
  );
  if (text === undefined) return String(value);
  return text.length > 1500 ? `${text.slice(0, 1500)}\n…` : text;
}

const RunCode = defineComponent({
  props: { name: { type: String, required: true } },
  setup({ name }) {
    const output = ref(undefined);
    const running = ref(false);
    async function run() {
      running.value = true;
      const lines = [];
      const log = (...values) => void lines.push(values.map(shown).join(' '));
      try {
        const example = await import(/* @vite-ignore */ withBase(`/run/${name}.js`));
        const values = await example.run({ log, warn: log, error: log });
        for (const [key, value] of Object.entries(values)) if (isShown(value)) lines.push(`${key}: ${shown(value)}`);
        if (lines.length === 0) lines.push('It ran without an error.');
      } catch (error) {
        lines.push(`It failed: ${error instanceof Error ? error.message : String(error)}`);
      }
      output.value = lines.join('\n');
      running.value = false;
    }
    return () =>
      h('div', { class: 'run-code', style: 'margin: -8px 0 16px' }, [
        h(
          'button',
          {
            type: 'button',
            disabled: running.value,
            onClick: run,
            style: 'border: 1px solid var(--vp-c-divider); border-radius: 6px; padding: 2px 12px',
          },
          running.value ? 'Running…' : 'Run this example',
        ),
        h(
          'pre',
          {
            role: 'status',
            style: `${output.value === undefined ? 'display: none; ' : ''}overflow: auto; max-height: 20em; font-size: 13px`,
          },
          output.value,
        ),
      ]);
  },
});

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('RunCode', RunCode);
  },
};

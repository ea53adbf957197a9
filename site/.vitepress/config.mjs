import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { SECTIONS, titleOf } from '../sections.mjs';

const pages = fileURLToPath(new URL('../../target/site-pages/', import.meta.url));
const api = existsSync(`${pages}api`) ? readdirSync(`${pages}api`).filter((name) => name.endsWith('.md')) : [];

/** A short name for the sidebar: what stands before the colon of a heading. */
const shortTitle = (name) => titleOf(name).split(':')[0];

export default defineConfig({
  title: 'densify',
  description: 'Keeps an LLM agent’s context small, so long sessions cost less',
  srcDir: '../target/site-pages',
  outDir: '../target/site',
  cacheDir: '../target/site-cache',
  cleanUrls: false,
  base: process.env.DENSIFY_SITE_BASE ?? '/',
  lastUpdated: false,
  // The playground is a page of its own, which the build copies beside these.
  ignoreDeadLinks: [/^\/playground\//],
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/get-started' },
      { text: 'API', link: '/api/' },
      { text: 'Playground', link: '/playground/', target: '_self' },
    ],
    sidebar: [
      ...SECTIONS.map(([text, names]) => ({
        text,
        items: names
          .filter((name) => existsSync(`${pages}${name}.md`))
          .map((name) => ({ text: shortTitle(name), link: `/${name}` })),
      })),
      {
        text: 'API',
        collapsed: true,
        items: api.map((name) => ({
          text: name.slice(0, -'.md'.length),
          link: `/api/${name.slice(0, -'.md'.length)}`,
        })),
      },
    ],
    search: { provider: 'local' },
    outline: [2, 3],
  },
});

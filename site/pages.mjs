// Collects the pages of the site in target/site-pages/: the README and the guides of the repository, the examples that they link,
// and pages of the API, which TypeDoc makes from the types of the packed package.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import { shippedText } from '../scripts/readme.mjs';
import { collectRunnable } from './run.mjs';
import { SECTIONS } from './sections.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'target/site-pages');

/** Files below a folder, without tools and locks. */
const filesUnder = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(join(folder, name)).isFile() && !name.includes('node_modules') && !name.includes('lock'),
  );

function collectGuides() {
  const listed = SECTIONS.flatMap(([, names]) => names);
  const there = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const lost = there.filter((name) => !listed.includes(name.slice(0, -'.md'.length)));
  if (lost.length > 0) throw new Error(`site: no section of site/pages.mjs lists ${lost.join(', ')}`);
  for (const name of there) {
    const text = shippedText(readFileSync(join(root, 'docs', name), 'utf8'), name)
      .replaceAll('](../examples/', '](./examples/')
      .replaceAll('../README.md', './index.md')
      // The site holds the playground.
      .replace(
        /^```sh\nmake playground\n```\n\nThe command prints the page's address\. /m,
        '[Open the playground](/playground/){target="_self"}. ',
      );
    writeFileSync(join(out, name), text);
  }
  for (const name of readdirSync(join(root, 'docs')).filter((name) => /\.(svg|webp)$/.test(name)))
    cpSync(join(root, 'docs', name), join(out, name));
  const readme = shippedText(readFileSync(join(root, 'README.md'), 'utf8'), 'README.md');
  writeFileSync(join(out, 'index.md'), readme.replaceAll('](docs/', '](./'));
}

/** Each example becomes a page, and links to files and folders of examples lead to these pages. */
function collectExamples() {
  const folder = join(root, 'examples');
  for (const name of filesUnder(folder).filter((name) =>
    /\.(ts|mjs|js|py|toml|json|yaml|md|sh)$|^(.*\/)?Dockerfile$/.test(name),
  )) {
    const text = readFileSync(join(folder, name), 'utf8');
    const page = join(out, 'examples', `${name}.md`);
    mkdirSync(dirname(page), { recursive: true });
    const language = name.endsWith('Dockerfile') ? 'dockerfile' : name.split('.').at(-1);
    writeFileSync(page, language === 'md' ? text : `# ${name}\n\n\`\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\`\n`);
  }
  for (const guide of readdirSync(out).filter((name) => name.endsWith('.md'))) {
    const text = readFileSync(join(out, guide), 'utf8');
    const linked = text.replaceAll(/\]\(\.\/examples\/([^)#]+)\)/g, (link, path) => {
      if (existsSync(join(out, 'examples', `${path}.md`))) return `](./examples/${path}.md)`;
      const first = filesUnder(join(folder, path)).find((name) => name.endsWith('.ts'));
      return first === undefined ? link : `](./examples/${path.replace(/\/$/, '')}/${first}.md)`;
    });
    writeFileSync(join(out, guide), linked);
  }
}

/** Pages of the API, by entry point. */
async function collectApi() {
  const types = join(root, 'site/node_modules/densify');
  const manifest = JSON.parse(readFileSync(join(types, 'package.json'), 'utf8'));
  const entries = Object.values(manifest.exports).flatMap((way) => {
    const found = way?.import?.types ?? way?.types;
    return found === undefined ? [] : [join(types, found)];
  });
  const app = await Application.bootstrapWithPlugins({
    name: 'densify',
    entryPoints: [...new Set(entries)],
    tsconfig: join(root, 'site/tsconfig.json'),
    plugin: ['typedoc-plugin-markdown'],
    outputs: [{ name: 'markdown', path: join(out, 'api') }],
    excludeExternals: false,
    readme: 'none',
    githubPages: false,
    disableSources: true,
    hideBreadcrumbs: true,
    entryFileName: 'index',
    // A member per line of a table keeps the number of pages small.
    outputFileStrategy: 'modules',
    logLevel: 'Error',
    skipErrorChecking: true,
    validation: false,
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('site: TypeDoc could not read the types of the package');
  await app.generateOutputs(project);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
// The pages import Vue, which is installed here.
symlinkSync(join(root, 'site/node_modules'), join(out, 'node_modules'));
collectGuides();
collectExamples();
const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const runnable = await collectRunnable(root, out, guides);
console.log(`site: ${runnable} examples run in their page`);
await collectApi();

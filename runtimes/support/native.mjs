// React Native's bundler, with the settings that its applications have, and its engine as a program.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Metro from 'metro';

const run = promisify(execFile);
const folder = resolve(fileURLToPath(new URL('..', import.meta.url)));
const require = createRequire(import.meta.url);

/** Bundles a file as `react-native bundle` does, and writes it to another. */
export async function bundleNative(entry, out) {
  const defaults = await Metro.loadConfig({ cwd: folder });
  const config = Metro.mergeConfig(defaults, {
    projectRoot: folder,
    reporter: { update() {} },
    cacheStores: [],
    maxWorkers: 1,
    transformer: { babelTransformerPath: require.resolve('./native-transformer.cjs') },
    resolver: { unstable_enablePackageExports: true, unstable_conditionNames: ['react-native'] },
    serializer: { getPolyfills: () => [], getModulesRunBeforeMainModule: () => [] },
  });
  await Metro.runBuild(config, { entry, out, dev: false, minify: false, platform: 'android' });
}

/** What Hermes prints when it runs a script. */
export async function runInHermes(script) {
  const hermes = require.resolve('hermes-engine-cli/package.json').replace('package.json', 'linux64-bin/hermes');
  const { stdout } = await run(hermes, ['-O', '-w', script], { maxBuffer: 1 << 26 });
  return stdout.trimEnd();
}

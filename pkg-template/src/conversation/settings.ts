/** Settings of a host as options of a conversation. */

import { densifyError } from '../base/errors.js';
import type { Recall } from '../recall/index.js';
import type { Settings } from '../summary/registry.js';
import type { OptimizeOptions } from '../types.js';
import type { ConversationOptions } from './types.js';

/**
 * Resolved settings as options of `createConversation`. Its `optimize` is for `optimize` and `createOptimizer` as well,
 * its `threshold` and `preserve` for `compress`. `recall` is used if the setting `compression.recall` is on, which is an
 * error without it.
 *
 * @example
 * const { optimize: options } = conversationOptions(resolveSettings([session, profile]));
 * const { messages } = optimize(history, options);
 */
export function conversationOptions(
  settings: Settings,
  means: { readonly recall?: Recall | undefined } = {},
): Pick<ConversationOptions, 'threshold' | 'preserve' | 'intake' | 'recall'> & {
  readonly [K in 'strategy' | 'optimize' | 'summary']: NonNullable<ConversationOptions[K]>;
} {
  const { 'compression.preset': preset = 'seed', 'compression.flush': flush, 'compression.intake': intake } = settings;
  const keepsCuts = settings['compression.recall'];
  if (keepsCuts && means.recall === undefined) {
    const message =
      'setting compression.recall: found true and no store; pass one: conversationOptions(settings, { recall })';
    throw densifyError('invalid-setting', message, { key: 'compression.recall' });
  }
  // What isn't set is `undefined`: so `configure` takes back what another profile had set.
  return {
    strategy: settings['compression.strategy'],
    threshold: settings['compression.threshold'],
    preserve: settings['compression.preserve'],
    // Other presets switch the density rules themselves.
    optimize: { preset, flush, rules: preset === 'seed' ? densityOf(settings) : undefined },
    intake,
    ...(keepsCuts ? { recall: means.recall } : {}),
    summary: {
      topPreserve: settings['compression.topPreserve'],
      profile: settings['compression.profile'],
    },
  };
}

function densityOf(settings: Settings): NonNullable<OptimizeOptions['rules']> {
  return {
    readWritePruning: settings['compression.density.readWritePruning'],
    fileDedupe: settings['compression.density.fileDedupe'],
    recencyPruning: settings['compression.density.recencyPruning'],
    recencyRetention: settings['compression.density.recencyRetention'],
  };
}

import type { ContentLike, IContent } from '../content.js';
import { createIn } from '../conversation/functions.js';
import { optimizerIn } from '../functions.js';
import { intakeOf } from '../intake/intake.js';
import { shrinker } from '../intake/shrinker.js';
import { neutralAs } from '../neutral.js';
import { sharedEngine } from '../shared.js';
import type { Policy, ReplayPolicyName } from './types.js';

/** What makes a policy, for a window. */
type Make = (contextLimit: number) => Policy;

const adapter = /* @__PURE__ */ neutralAs<ContentLike>() as ReturnType<typeof neutralAs<IContent>>;

/** The log as it was sent, changed by `change` before it is. */
function growing(change: (content: IContent, index: number) => IContent): Policy {
  const sent: IContent[] = [];
  return {
    add: (contents) => contents.forEach((content) => sent.push(change(content, sent.length))),
    messages: () => sent,
    dispose: () => undefined,
  };
}

function intake(): Policy {
  const { take } = intakeOf({ adapter, shrinker: shrinker(), settings: '{}' });
  return growing(take);
}

function preset(preset: 'seed' | 'lossless' | 'balanced' | 'aggressive'): Policy {
  const optimizer = optimizerIn(sharedEngine(), adapter, { preset });
  return {
    add: (contents) => contents.forEach((content) => optimizer.push(content)),
    messages: () => optimizer.optimize().messages,
    dispose: () => optimizer.dispose(),
  };
}

/** A conversation; where it wants a model's summary it gets a digest, which costs nothing. */
function conversation(
  strategy: 'high-density' | 'top-down-truncation' | 'digest' | 'auto',
  contextLimit: number,
): Policy {
  const talk = createIn(adapter, { strategy, contextLimit });
  return {
    add: (contents) => talk.addAll(contents),
    messages: () => {
      const step = talk.beforeSend();
      if (step.kind === 'ready') step.background?.cancel();
      else talk.digest();
      if (step.kind !== 'ready') talk.beforeSend();
      return talk.messages;
    },
    dispose: () => talk.dispose(),
  };
}

/** All policies, in the order of reports. */
export const POLICIES: Readonly<Record<ReplayPolicyName, Make>> = {
  none: () => growing((content) => content),
  intake,
  seed: () => preset('seed'),
  lossless: () => preset('lossless'),
  balanced: () => preset('balanced'),
  aggressive: () => preset('aggressive'),
  'high-density': (contextLimit) => conversation('high-density', contextLimit),
  'top-down-truncation': (contextLimit) => conversation('top-down-truncation', contextLimit),
  digest: (contextLimit) => conversation('digest', contextLimit),
  auto: (contextLimit) => conversation('auto', contextLimit),
};

export const POLICY_NAMES = Object.keys(POLICIES) as readonly ReplayPolicyName[];

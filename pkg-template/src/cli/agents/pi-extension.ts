/** An extension of pi that packs each request's history in the process of the agent. */
import { transformContext } from '../../pi.js';

interface Context {
  readonly cwd?: string;
  readonly model?: { readonly id?: string; readonly provider?: string };
}

interface Pi {
  on(
    event: 'context',
    action: (event: { readonly messages: object[] }, context: Context) => Promise<{ messages: object[] }>,
  ): void;
}

export default function densify(pi: Pi): void {
  const hooks = new Map<string, (messages: never[]) => Promise<object[]>>();
  pi.on('context', async ({ messages }, { model }) => {
    const key = JSON.stringify([model?.provider, model?.id]);
    let hook = hooks.get(key);
    if (hook === undefined) {
      const options = { model: model?.id, provider: model?.provider, flush: 'when-it-pays' as const };
      hook = transformContext({ ...options, onWarning: () => undefined }) as never;
      hooks.set(key, hook!);
    }
    return { messages: await hook!(messages as never[]) };
  });
}

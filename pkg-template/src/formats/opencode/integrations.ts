/** What plug-ins of opencode call before each request. */
import type { OptimizeOptions } from '../../types.js';
import type { Format } from '../format.js';
import { hookOf, type SharedHookOptions } from '../hooks.js';
import { opencode } from './format.js';
import { opencodeModel } from './model.js';
import type { OpencodeMessageLike, OpencodeModelMessageLike, OpencodeOptions } from './types.js';

/** Options of `transformMessages` and `transformContext`. */
export interface HookOptions<M extends object = OpencodeMessageLike>
  extends OptimizeOptions<M>,
    OpencodeOptions,
    SharedHookOptions<M> {}

/** What `experimental.chat.messages.transform` may change: the list itself, since opencode reads no other. */
export interface TransformOutput<M> {
  readonly messages: M[];
}

/** What a `context` hook of opencode 2 may change. */
export interface ContextEvent<M> extends TransformOutput<M> {
  readonly model?: { readonly id?: unknown; readonly providerID?: unknown };
}

function packerOf<M extends object>(format: Format<M, OpencodeOptions>, options: HookOptions<M> | undefined) {
  const { run } = hookOf<M, OptimizeOptions<M> & OpencodeOptions>(options, { format });
  return async (messages: M[], names: () => OpencodeOptions): Promise<void> => {
    const changed = await run([...messages], names);
    if (changed !== undefined) messages.splice(0, messages.length, ...changed);
  };
}

/**
 * Makes an `experimental.chat.messages.transform` for a plug-in of opencode 1: the model gets packed messages, and the
 * session keeps all of them. It never throws.
 */
export function transformMessages<N extends OpencodeMessageLike = OpencodeMessageLike>(
  options?: HookOptions<N>,
): <M extends OpencodeMessageLike>(input: unknown, output: TransformOutput<M>) => Promise<void> {
  const packed = packerOf(opencode, options as HookOptions | undefined);
  return (_, { messages }) => packed(messages as OpencodeMessageLike[], () => modelOf(messages));
}

/**
 * Makes a `context` hook for a plug-in of opencode 2: the model gets packed messages, and the session keeps all of them.
 * It never throws.
 */
export function transformContext<N extends OpencodeModelMessageLike = OpencodeModelMessageLike>(
  options?: HookOptions<N>,
): <M extends OpencodeModelMessageLike>(event: ContextEvent<M>) => Promise<void> {
  const packed = packerOf(opencodeModel, options as HookOptions<OpencodeModelMessageLike> | undefined);
  return ({ messages, model }) => {
    const names = () => ({ model: textOr(model?.id), provider: textOr(model?.providerID) });
    return packed(messages as unknown as OpencodeModelMessageLike[], names);
  };
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

interface Asked {
  readonly model?: { readonly modelID?: unknown; readonly providerID?: unknown };
}

/** The model that the newest message of the user asks. */
function modelOf(messages: readonly OpencodeMessageLike[]): OpencodeOptions {
  const infos = messages.map((message) => message?.info).filter((info) => info?.role === 'user');
  const asked = infos.at(-1) as Asked | undefined;
  return { model: textOr(asked?.model?.modelID), provider: textOr(asked?.model?.providerID) };
}

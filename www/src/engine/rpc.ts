// Calls into a worker as promises: the functions' names and types are those of the worker's interface.

/** The functions of an interface, each giving a promise. */
export type Remote<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

interface Call {
  readonly call: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

type Answer = { readonly call: number } & (
  | { readonly value: unknown }
  | { readonly error: string; readonly code?: string }
);

/** An error that was thrown in the worker. */
export class RemoteError extends Error {
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

export function connect<Api>(worker: Worker): Remote<Api> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let calls = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const waiter = waiting.get(data.call);
    waiting.delete(data.call);
    if ('error' in data) waiter?.reject(new RemoteError(data.error, data.code));
    else waiter?.resolve(data.value);
  });
  worker.addEventListener('error', () => {
    for (const waiter of waiting.values()) waiter.reject(new RemoteError('the worker stopped'));
    waiting.clear();
  });
  const send = (name: string, args: readonly unknown[]): Promise<unknown> => {
    calls += 1;
    const call = calls;
    return new Promise((resolve, reject) => {
      waiting.set(call, { resolve, reject });
      const ports = args.filter((arg) => arg instanceof MessagePort);
      worker.postMessage({ call, name, args } satisfies Call, ports);
    });
  };
  return new Proxy({} as Remote<Api>, {
    get: (_, name) => (typeof name === 'string' ? (...args: unknown[]) => send(name, args) : undefined),
  });
}

/** The part of a worker's global scope that is used. */
interface Scope {
  addEventListener(type: 'message', listener: (event: MessageEvent<Call>) => void): void;
  postMessage(message: Answer): void;
}

export function serve<Api extends object>(api: Api): void {
  const scope = self as unknown as Scope;
  scope.addEventListener('message', ({ data: { call, name, args } }) => {
    void answer(api, call, name, args).then((message) => scope.postMessage(message));
  });
}

async function answer<Api extends object>(
  api: Api,
  call: number,
  name: string,
  args: readonly unknown[],
): Promise<Answer> {
  try {
    const method = Object.hasOwn(api, name) ? (api as Record<string, unknown>)[name] : undefined;
    if (typeof method !== 'function') throw new Error(`there is no function ${name}`);
    return { call, value: await method(...args) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    return {
      call,
      error: error instanceof Error ? error.message : String(error),
      ...(code === undefined ? {} : { code }),
    };
  }
}

import type { Send } from '../gateway/handler.js';
import { redact } from '../summary/functions.js';
import { type Ask, type Endpoint, LEAVABLE, type Leavable, type Reply, type Settings } from './endpoints/endpoint.js';

/** How a question ended. */
export type Outcome =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** The endpoint can't be used as it is: the run ends. */
  | {
      readonly kind: 'refused';
      readonly message: string;
      /** What the endpoint said. */
      readonly detail?: string | undefined;
      readonly status?: number | undefined;
    }
  /** This question got no answer, though it was asked several times; `mayCost` tells that it may have been billed. */
  | { readonly kind: 'failed'; readonly message: string; readonly mayCost: boolean };

/** How long a client waits, and how often it asks. */
export interface Patience {
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** How often a question is asked. */
  readonly tries: number;
  /** Milliseconds before the second try; each further one waits twice as long. */
  readonly pause: number;
}

/** Bytes of the longest reply that is read. */
const LONGEST = 16 * 2 ** 20;
/** Statuses of an endpoint that bills nothing: a late request, too many of them, a fault of its own, overload. */
const FREE: readonly number[] = [408, 429, 500, 503, 529];
/** Milliseconds of the longest wait that an endpoint may ask for. */
const LONGEST_WAIT = 120_000;

/** Asks an endpoint: again where it is busy, without a parameter where it refuses one. */
export class Client {
  readonly #endpoint: Endpoint;
  readonly #patience: Patience;
  readonly #send: Send;
  readonly #without: Set<Leavable>;
  readonly #hears: Hearing;
  #settings: Settings;

  /** `settings.without` are the parameters that the model refused before. */
  constructor(
    endpoint: Endpoint,
    settings: Settings,
    { send, ...patience }: Patience & { readonly send: Send },
    hears: Hearing,
  ) {
    this.#endpoint = endpoint;
    this.#without = new Set(settings.without);
    this.#settings = { ...settings, without: this.#without };
    this.#patience = patience;
    this.#send = send;
    this.#hears = hears;
  }

  /** Parameters that the model refused. */
  get without(): readonly Leavable[] {
    return [...this.#without];
  }

  /** The text of a request, by which its price is bounded. */
  bodyOf(ask: Ask): string {
    return JSON.stringify(this.#endpoint.body(ask, this.#settings));
  }

  /** `mayTryAgain` decides before each further try; it hears whether the one before may be billed. */
  async ask(ask: Ask, mayTryAgain: (mayCost: boolean) => boolean): Promise<Outcome> {
    const { tries, pause } = this.#patience;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#once(ask);
      if (answer.kind !== 'again') return answer;
      this.#hears.failed(answer.message, attempt, tries);
      if (attempt >= tries || !mayTryAgain(answer.mayCost)) return { ...answer, kind: 'failed' };
      await sleep(Math.min(LONGEST_WAIT, answer.wait ?? pause * 2 ** (attempt - 1)));
    }
  }

  async #once(ask: Ask): Promise<Outcome | Again> {
    // Leaving out a refused parameter is no further try: nothing was billed.
    for (;;) {
      const had = new Set(this.#without);
      const answer = await this.#post(this.bodyOf(ask));
      if (answer.kind !== 'refused') return answer;
      const said = answer.detail ?? '';
      const named = LEAVABLE.find((each) => !had.has(each) && new RegExp(`\\b${each}\\b`).test(said));
      if (named === undefined || (answer.status !== 400 && answer.status !== 422)) return answer;
      if (!this.#without.has(named)) this.#hears.refused(named);
      this.#without.add(named);
    }
  }

  async #post(body: string): Promise<Outcome | Again> {
    const settings = this.#settings;
    const signal = AbortSignal.timeout(this.#patience.timeout);
    let response: Response;
    let text: string | undefined;
    try {
      const own = { 'content-type': 'application/json', 'accept-encoding': 'identity' };
      response = await this.#send(this.#endpoint.address(settings), {
        method: 'POST',
        headers: new Headers({ ...own, ...this.#endpoint.headers(settings) }),
        body: new TextEncoder().encode(body),
        // A key must not follow a redirect to another host.
        redirect: 'manual',
        signal,
      });
      text = await textOf(response);
    } catch (error) {
      const message = signal.aborted ? 'no reply in time' : this.#safe(reasonOf(error));
      return isUnreachable(error) ? { kind: 'refused', message } : { kind: 'again', message, mayCost: true };
    }
    const { status } = response;
    if (FREE.includes(status) || status >= 500) {
      // A gateway may give up on a model that answers all the same: 502, 504.
      const mayCost = !FREE.includes(status);
      return { kind: 'again', message: this.#safe(`status ${status}`), mayCost, wait: waitOf(response) };
    }
    if (!response.ok) {
      // The key goes first: a cut could leave a part of it.
      const detail = this.#safe(this.#keyless(text ?? '').slice(0, 2_000)).slice(0, 500);
      return { kind: 'refused', message: `status ${status}`, detail, status };
    }
    const reply = text === undefined ? undefined : this.#read(text);
    if (reply === undefined) return { kind: 'again', message: 'the endpoint returned an invalid reply', mayCost: true };
    return { kind: 'reply', reply };
  }

  #read(text: string): Reply | undefined {
    try {
      return this.#endpoint.read(JSON.parse(this.#keyless(text)));
    } catch {
      return undefined; // cut off, or no JSON
    }
  }

  /** What an endpoint says may hold the key, and anything else that it was sent. */
  #safe(message: string): string {
    return redact(this.#keyless(message)).replace(/\s+/g, ' ').trim();
  }

  /** A text without the key: an endpoint may repeat what it was sent, also as the name of a tool. */
  #keyless(text: string): string {
    const { key } = this.#settings;
    return key === undefined || key === '' ? text : text.replaceAll(key, '[key]');
  }
}

/** Who is told what happens meanwhile. */
export interface Hearing {
  /** Called with each parameter that the model refuses. */
  refused(name: Leavable): void;
  /** Called after each try without an answer. */
  failed(message: string, attempt: number, tries: number): void;
}

interface Again {
  readonly kind: 'again';
  readonly message: string;
  /** Whether the model may have worked for it. */
  readonly mayCost: boolean;
  /** Milliseconds that the endpoint asks to wait. */
  readonly wait?: number | undefined;
}

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** A reply's text; nothing if it is too long. */
async function textOf(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > LONGEST) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function waitOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return seconds >= 0 ? 1000 * seconds : undefined;
}

/** Errors before anything was sent: the address is wrong, or nothing listens there. */
function isUnreachable(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
}

function reasonOf(error: unknown): string {
  const { message, code } = error as { readonly message?: string; readonly code?: unknown };
  return message || String(code ?? error);
}

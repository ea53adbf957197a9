/**
 * How agents recognise their gateway. Any program can listen on its port, and would get the agent's requests with the
 * user's key in them. So the gateway proves that it can read and write this user's files: it answers a random challenge
 * by a key in the state folder, which only the user can read.
 */
import { createHmac, randomBytes } from 'node:crypto';
import {
  type Environment,
  folderOf,
  joined,
  makeFolder,
  missingFolders,
  privateText,
  remove,
  removeEmptyFolders,
  replacePrivateText,
  stateFolder,
} from '../host.js';

/** The key's file. Only the gateway at the standing address has one, so no other gateway can answer instead. */
const keyPath = (env: Environment): string => joined(stateFolder(env), 'gateway.key');

/** The file's text: the key, then the process that `setup --undo` may end, if an agent's hook has started it. */
const contentOf = (key: string, process: number | undefined): string =>
  process === undefined ? key : `${key} ${process}`;
function contentIn(path: string): { readonly key: string; readonly process: number } | undefined {
  const [, key, process] = /^([0-9a-f]{64})(?: (\d+))?$/.exec(privateText(path) ?? '') ?? [];
  return key === undefined ? undefined : { key, process: Number(process) };
}

const newSecret = (): string => randomBytes(32).toString('hex');
const SECRET = /^[0-9a-f]{64}$/;

const proofOf = (key: string, challenge: string): string => createHmac('sha256', key).update(challenge).digest('hex');

/** The key of a running gateway; another one each time it starts. */
export class GatewayKey {
  /** Where the key is. */
  readonly path: string;
  readonly #key = newSecret();
  readonly #content: string;
  #folders: readonly string[] = [];

  /** `process`: its own id, if an agent's hook has started it. */
  constructor(env: Environment, process?: number) {
    this.path = keyPath(env);
    this.#content = contentOf(this.#key, process);
  }

  /** Writes the key if the file is missing or holds another key. Returns whether agents can read it. */
  store(): boolean {
    if (privateText(this.path) === this.#content) return true;
    try {
      const missing = missingFolders(this.path);
      makeFolder(folderOf(this.path));
      this.#folders = [...missing, ...this.#folders];
      replacePrivateText(this.path, this.#content);
      return true;
    } catch {
      return false;
    }
  }

  /** The answer to a challenge; `undefined` if it isn't one. */
  proof(challenge: string): string | undefined {
    return SECRET.test(challenge) && this.store() ? proofOf(this.#key, challenge) : undefined;
  }

  /** Leaves no trace of the gateway. */
  remove(): void {
    if (privateText(this.path) === this.#content) remove(this.path);
    removeEmptyFolders(this.#folders);
  }
}

/** Whose answer a proof is: the process is that of a gateway which an agent's hook has started. */
export interface Proven {
  readonly process: number | undefined;
}

/** A random text, and what an answer tells that proves the key of this user's gateway; any other tells nothing. */
export function newChallenge(env: Environment): { readonly text: string; proven(answer: string): Proven | undefined } {
  const text = newSecret();
  return {
    text,
    proven(answer) {
      // After the answer: the gateway may have written the key just now.
      const content = contentIn(keyPath(env));
      if (content === undefined || answer !== proofOf(content.key, text)) return undefined;
      return { process: Number.isNaN(content.process) ? undefined : content.process };
    },
  };
}

import type { ContentBlock, IContent } from 'densify';

/** What the small model inside the page has for a window. */
export const LOCAL_WINDOW = 4096;

/** What the worker with the small model can do. */
export interface LocalApi {
  /** Fetches the model and gets it ready; the part that has arrived goes to the port. */
  load(model: string, port: MessagePort): Promise<void>;
  ask(messages: readonly IContent[], isBare: boolean, port: MessagePort): Promise<readonly ContentBlock[]>;
}

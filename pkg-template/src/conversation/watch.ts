import type { CompressionEnd, CompressionStart } from './hooks.js';
import type { Means } from './means.js';

/** Tells the host's hooks what is made smaller. */
export class Watch<M> {
  readonly #means: Pick<Means<M>, 'hooks' | 'history'>;
  /** Whether a hook forbade what was to happen last. */
  isVetoed = false;

  constructor(means: Pick<Means<M>, 'hooks' | 'history'>) {
    this.#means = means;
  }

  /** Says that something begins; a hook may forbid it. Nothing is counted for nobody. */
  start(what: Omit<CompressionStart, 'messagesBefore' | 'tokensBefore'>): CompressionStart | 'vetoed' | undefined {
    const { hooks, history } = this.#means;
    if (!hooks.hearsCompressions) return undefined;
    const [messagesBefore, tokensBefore] = [history.messages().length, history.tokens()];
    const start = { ...what, messagesBefore, tokensBefore };
    this.isVetoed = !hooks.mayBegin(start);
    return this.isVetoed ? 'vetoed' : start;
  }

  /** Says what came of it. */
  end(
    start: CompressionStart | undefined,
    end: Omit<CompressionEnd, keyof CompressionStart | 'messagesAfter' | 'tokensAfter'>,
  ): void {
    const { hooks, history } = this.#means;
    if (start === undefined) return;
    const [messagesAfter, tokensAfter] = [history.messages().length, history.tokens()];
    hooks.ended({ ...start, ...end, messagesAfter, tokensAfter });
  }
}

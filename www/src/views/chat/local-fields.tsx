import type { JSX } from 'preact';
import { LOCAL_WINDOW } from '../../local/api.js';
import { loadLocal, localState } from '../../local/client.js';

/** Fetching the small model, and how far that is. */
export function LocalFields(): JSX.Element {
  const state = localState.value;
  return (
    <div class="stack">
      <p class="faint">
        A model of 135 million parameters that runs in this page: about 110 MB from this page’s server, with a window of{' '}
        {LOCAL_WINDOW} tokens. It makes mistakes and uses no tools.{' '}
        {!crossOriginIsolated && 'This server sends no COOP and COEP headers, so the model runs slowly, on one thread.'}
      </p>
      {state.kind === 'loading' && (
        <label class="field">
          <span>
            {state.part < 1 ? 'Fetching' : 'Getting ready'}{' '}
            <output class="number">{Math.round(state.part * 100)}%</output>
          </span>
          <progress value={state.part} max={1} />
        </label>
      )}
      {state.kind === 'failed' && (
        <p class="why gone" role="alert">
          {state.why}
        </p>
      )}
      {state.kind === 'ready' ? (
        <p role="status">Ready.</p>
      ) : (
        <div class="row-of-buttons">
          <button type="button" class="button" disabled={state.kind === 'loading'} onClick={() => void loadLocal()}>
            Load the small model
          </button>
        </div>
      )}
    </div>
  );
}

import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { engine } from '../../engine/client.js';
import type { ExportForm, Verdict } from '../../engine/exporting.js';
import { FORMS } from '../../lib/forms.js';
import { linkTo } from '../../lib/link.js';
import { save } from '../../lib/save.js';
import { fromJson, settingsJson } from '../../lib/settings-json.js';
import { plural } from '../../lib/text.js';
import { reportOf } from '../../report/report.js';
import { codeFor } from '../../state/code.js';
import { change, facts, replay, settings } from '../../state/conversation.js';
import { summaries } from '../../summary/client.js';
import { CopyButton } from '../../ui/copy-button.js';
import { SdkPicker } from '../../ui/sdk-picker.js';

/** Cuts whose texts a report holds at most. */
const MOST_CUTS = 500;

/** Takes things out of the page: messages, settings, a link, a report. */
export function ExportView(): JSX.Element {
  return (
    <div class="page columns">
      <Code />
      <div class="stack">
        <Messages />
        <Link />
        <Report />
      </div>
    </div>
  );
}

function Card({ title, children }: { readonly title: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <section class="card block stack" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Code(): JSX.Element {
  return (
    <Card title="Settings">
      <p class="faint">This code gives the result shown in Context.</p>
      <SdkPicker />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre class="code" tabIndex={0}>
        {codeFor()}
      </pre>
      <div class="row-of-buttons">
        <CopyButton label="Copy the code" text={() => codeFor()} primary />
      </div>
      <SettingsJson />
    </Card>
  );
}

/** The settings as JSON, to be taken along and to be put in again. */
function SettingsJson(): JSX.Element {
  const json = settingsJson(settings.value);
  const text = useSignal(json);
  const wrong = useSignal<readonly string[]>([]);
  useEffect(() => {
    text.value = json;
    wrong.value = [];
  }, [json]);
  const use = (): void => {
    const read = fromJson(text.value);
    wrong.value = 'problems' in read ? read.problems : [];
    if ('settings' in read) change(read.settings);
    if ('settings' in read) text.value = settingsJson(settings.value);
  };
  return (
    <>
      <label class="field">
        <span>The settings as JSON</span>
        <textarea
          class="input code settings-json"
          spellcheck={false}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
      {wrong.value.length > 0 && (
        <ul class="why gone" role="alert">
          {wrong.value.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <div class="row-of-buttons">
        <CopyButton label="Copy as JSON" text={() => json} />
        <button type="button" class="button" disabled={text.value === json} onClick={use}>
          Use these settings
        </button>
        <span class="faint">Paste settings here, or drop a settings file on this page.</span>
      </div>
    </>
  );
}

function Messages(): JSX.Element {
  const known = facts.value;
  const failed = useSignal('');
  const form = useSignal<ExportForm>('densify');
  const download = async (compressed: boolean): Promise<void> => {
    if (!known) return;
    try {
      const text = await engine.exported(known.id, compressed ? settings.value : undefined, form.value);
      save(compressed ? 'compressed.json' : 'raw.json', text, 'application/json');
    } catch (error) {
      failed.value = error instanceof Error ? error.message : String(error);
    }
  };
  return (
    <Card title="Messages">
      <label class="field">
        <span>Format</span>
        <select
          class="select"
          value={form.value}
          onChange={(event) => (form.value = event.currentTarget.value as ExportForm)}
        >
          <option value="densify">densify format (IContent)</option>
          {Object.entries(FORMS).map(([value, { name }]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <p class="faint">
        All formats but densify’s own leave thinking out: it is valid only for the provider that signed it.
      </p>
      <div class="row-of-buttons">
        <button type="button" class="button primary" disabled={!known} onClick={() => void download(true)}>
          Download shortened
        </button>
        <button type="button" class="button" disabled={!known} onClick={() => void download(false)}>
          Download original
        </button>
      </div>
      {failed.value && <p role="alert">{failed.value}</p>}
      <Judgement form={form.value} />
    </Card>
  );
}

/** What the receiver would reject of the compressed messages, told by densify/validate. */
function Judgement({ form }: { readonly form: ExportForm }): JSX.Element | null {
  const verdict = useSignal<Verdict | undefined>(undefined);
  const [known, wanted] = [facts.value, settings.value];
  useEffect(() => {
    let isStale = false;
    verdict.value = undefined;
    if (!known) return undefined;
    engine.judged(known.id, wanted, form).then(
      (found) => isStale || (verdict.value = found),
      () => undefined,
    );
    return () => {
      isStale = true;
    };
  }, [known, wanted, form]);
  const found = verdict.value;
  if (!found) return <p class="faint">Checking what the provider would reject …</p>;
  return (
    <div class="stack" role="status">
      <p class={`why ${found.errors > 0 ? 'gone' : 'kept'}`}>
        {found.errors > 0
          ? `The provider would reject ${plural(found.errors, 'thing')} in the shortened messages.`
          : 'The provider would accept the shortened messages.'}
      </p>
      {found.findings.length > 0 && (
        <ul class="findings">
          {found.findings.map(({ level, where, message, hint }, index) => (
            <li key={index}>
              <span class={`chip ${level === 'error' ? 'gone' : 'changed'}`}>{where}</span> {message}{' '}
              <span class="faint">{hint}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Link(): JSX.Element {
  const link = linkTo(settings.value, location.href);
  return (
    <Card title="Link">
      <p class="faint">Holds the settings; never a conversation, an endpoint or a key.</p>
      <input
        class="input"
        readOnly
        aria-label="Link with these settings"
        value={link}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div class="row-of-buttons">
        <CopyButton label="Copy the link" text={() => link} />
      </div>
    </Card>
  );
}

function Report(): JSX.Element {
  const withContent = useSignal(false);
  const state = useSignal('');
  const [known, run] = [facts.value, replay.value];
  const make = async (): Promise<void> => {
    if (!known || !run) return;
    state.value = 'Making it…';
    try {
      const cuts = withContent.value ? await redactedCuts(known.id) : undefined;
      const title = cuts && (await summaries().redact([known.title]))[0];
      const page = reportOf({
        facts: { ...known, title: title ?? '' },
        replay: run,
        settings: settings.value,
        ...(cuts && { cuts }),
      });
      save('densify-report.html', page, 'text/html');
      state.value = '';
    } catch (error) {
      state.value = error instanceof Error ? error.message : String(error);
    }
  };
  return (
    <Card title="Report">
      <p class="faint">One HTML file with figures and pictures. It has no scripts and loads nothing.</p>
      <label class="switch">
        <input
          type="checkbox"
          checked={withContent.value}
          onChange={(event) => (withContent.value = event.currentTarget.checked)}
        />
        <span>
          with the texts that were cut ({plural(Math.min(MOST_CUTS, run?.editBlock.length ?? 0), 'cut')}; well-known
          credentials removed)
        </span>
      </label>
      <div class="row-of-buttons">
        <button type="button" class="button" disabled={!run} onClick={() => void make()}>
          Download the report
        </button>
        <span aria-live="polite">{state.value}</span>
      </div>
    </Card>
  );
}

async function redactedCuts(id: number): ReturnType<typeof engine.cuts> {
  const cuts = await engine.cuts(id, MOST_CUTS);
  const texts = await summaries().redact(cuts.flatMap(({ before, after = '' }) => [before, after]));
  return cuts.map((cut, index) => {
    const { after: _, ...rest } = cut;
    return {
      ...rest,
      before: texts[2 * index] ?? '',
      ...(cut.after === undefined ? {} : { after: texts[2 * index + 1] ?? '' }),
    };
  });
}

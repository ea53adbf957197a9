import type { Transcript, TranscriptFormat } from './api.js';
import type { Format, Reader } from './format.js';
import { formats } from './formats/index.js';
import { completeJson, isRecord, type JsonRecord, parseJson } from './json.js';
import type { LineSink } from './lines.js';
import { Notes } from './notes.js';
import { pairResponses } from './pairing.js';
import type { Settings } from './settings.js';

/** How many entries may pass before the log's format must be known. */
const SAMPLE_SIZE = 256;

interface Line {
  readonly text: string;
  readonly number: number;
  readonly terminated: boolean;
}

/**
 * Takes the lines of a log and makes a transcript of them.
 *
 * The first line that isn't blank decides how the log is read. If it is a JSON value of its own the
 * log is read line by line, unless the value holds messages: then it is the whole log. If it is only
 * the beginning of one, the log is a document over many lines, which is kept until it is complete.
 */
export class Intake implements LineSink {
  readonly #settings: Settings;
  readonly #purpose: 'read' | 'detect';
  readonly #notes = new Notes();
  #format: Format | undefined;
  /** The format, if no entry shows another. */
  #likely: Format | undefined;
  #reader: Reader | undefined;
  #stage: 'first' | 'lines' | 'document' | 'read' | 'lost' = 'first';
  #lines = 0;
  #held: { record: JsonRecord; line: number }[] = [];
  #document: Line[] = [];
  #documentLength = 0;

  constructor(settings: Settings, purpose: 'read' | 'detect' = 'read') {
    this.#settings = settings;
    this.#purpose = purpose;
    this.#use(settings.format);
  }

  /** The format, as soon as it is known. */
  get format(): TranscriptFormat | undefined {
    return this.#format?.name;
  }

  get done(): boolean {
    return this.#stage === 'lost' || (this.#purpose === 'detect' && this.#format !== undefined);
  }

  tooLong(number: number): void {
    this.#lines = number;
    this.#notes.warn('line-too-long', number);
    if (this.#stage === 'first') this.#stage = 'lines';
    // A document with a hole in it is no document.
    if (this.#stage === 'document') this.#stage = 'lost';
  }

  line(text: string, number: number, terminated: boolean): void {
    this.#lines = number;
    const line = { text, number, terminated };
    if (this.#stage === 'document') return this.#keep(line);
    if (text.trim() === '') return;
    if (this.#stage === 'read') return this.#notes.warn('trailing-content', number);
    const value = parseJson(text);
    if (this.#stage === 'first') {
      if (value === undefined && this.#mayBeginDocument(text)) {
        this.#stage = 'document';
        return this.#keep(line);
      }
      this.#stage = this.#readDocument(value) ? 'read' : 'lines';
      if (this.#stage === 'read') return;
    }
    this.#take(value, line);
  }

  finish(): Transcript {
    if (this.#stage === 'document') this.#endDocument();
    if (this.#format === undefined) this.#use(this.#likely);
    if (this.#format === undefined) this.#notes.warn('unknown-format', 1);
    const contents = this.#reader?.finish() ?? [];
    const pairing = pairResponses(contents);
    const { warnings, skipped } = this.#notes;
    return { format: this.format, contents, warnings, counts: { lines: this.#lines, skipped, ...pairing } };
  }

  #use(format: Format | undefined): void {
    if (format === undefined) return;
    this.#format = format;
    this.#reader = format.open(this.#notes);
    for (const { record, line } of this.#held) this.#reader.read(record, line);
    this.#held = [];
  }

  /** Takes the value of one line; `undefined` if the line isn't JSON. */
  #take(value: unknown, { number, terminated }: Line): void {
    if (isRecord(value)) this.#record(value, number);
    else if (value !== undefined) this.#notes.warn('not-a-record', number);
    else this.#notes.warn(terminated ? 'bad-json' : 'truncated', number);
  }

  #record(record: JsonRecord, line: number): void {
    if (this.#reader !== undefined) return this.#reader.read(record, line);
    this.#held.push({ record, line });
    this.#use(formats.find((format) => format.detect(record)));
    this.#likely ??= formats.find((format) => format.mayBe?.(record));
    if (this.#held.length < SAMPLE_SIZE) return;
    if (this.#likely !== undefined) return this.#use(this.#likely);
    this.#held = [];
    this.#stage = 'lost';
  }

  #mayBeginDocument(text: string): boolean {
    const start = text.trimStart();
    const { format } = this.#settings;
    return (start.startsWith('{') || start.startsWith('[')) && (format === undefined || format.records !== undefined);
  }

  #keep(line: Line): void {
    this.#documentLength += line.text.length + 1;
    if (this.#documentLength <= this.#settings.maxLineLength) {
      this.#document.push(line);
      return;
    }
    this.#notes.warn('line-too-long', line.number);
    this.#document = [];
    this.#stage = 'lost';
  }

  /** Reads a whole-JSON log; false if the value isn't one. */
  #readDocument(value: unknown): boolean {
    const known = this.#settings.format;
    const parts = (known === undefined ? formats : [known]).flatMap((format) => {
      const entries = format.records?.(value);
      return entries === undefined ? [] : [{ format, entries }];
    });
    const shown = parts.find(({ format, entries }) => {
      const told = known !== undefined || (isRecord(value) && format.recordsTell?.(value) === true);
      return told || someOf(entries, (entry) => format.detect(entry));
    });
    const found = shown ?? parts.find(({ format, entries }) => someOf(entries, (entry) => format.mayBe?.(entry)));
    if (found === undefined) return false;
    if (this.#reader === undefined) this.#use(found.format);
    found.entries.forEach((entry, at) => {
      if (isRecord(entry)) this.#reader?.read(entry, at + 1);
      else this.#notes.warn('not-a-record', at + 1);
    });
    return true;
  }

  #endDocument(): void {
    const lines = this.#document;
    this.#document = [];
    const text = lines.map((line) => line.text).join('\n');
    const whole = parseJson(text);
    if (whole !== undefined) {
      // A single entry, written over many lines, is still one.
      if (!this.#readDocument(whole) && isRecord(whole)) this.#record(whole, 1);
      return;
    }
    const complete = completeJson(text);
    if (complete !== undefined && this.#readDocument(parseJson(complete))) {
      return this.#notes.warn(text.startsWith(complete) ? 'trailing-content' : 'truncated', this.#lines);
    }
    // It wasn't a document, but lines of which the first one is broken.
    for (const line of lines) {
      if (this.done) return;
      if (line.text.trim() !== '') this.#take(parseJson(line.text), line);
    }
  }
}

/** Whether something holds for one of the entries that are looked at. */
function someOf(entries: readonly unknown[], holds: (entry: JsonRecord) => boolean | undefined): boolean {
  return entries.slice(0, SAMPLE_SIZE).some((entry) => isRecord(entry) && holds(entry) === true);
}

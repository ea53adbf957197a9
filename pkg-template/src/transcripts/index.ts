/**
 * Readers that turn the logs of agents into contents.
 *
 * No content of a log makes them fail: an unknown entry is kept as an unknown block or left out, and counted in
 * `warnings`. A response that the log marks as failed has the `error` `'failed'`. The reason stays in the result.
 *
 * @packageDocumentation
 */
import type { Transcript, TranscriptFormat, TranscriptOptions, TranscriptSource } from './api.js';
import { Intake } from './intake.js';
import { LineSplitter } from './lines.js';
import { readSettings, type Settings, unexpected } from './settings.js';
import { forEachChunk } from './source.js';

export type { Transcript, TranscriptFormat, TranscriptOptions, TranscriptSource, TranscriptWarning } from './api.js';

/**
 * Reads a log.
 *
 * @example
 * const { contents, warnings } = readTranscript(await file.text());
 */
export function readTranscript(text: string, options?: TranscriptOptions): Transcript {
  const settings = readSettings(options);
  const intake = new Intake(settings);
  feed(intake, settings, text);
  return intake.finish();
}

/**
 * Reads a log while it arrives; the transcript is the same, however the log is cut into chunks.
 * A log that is one JSON document over many lines is kept in memory until it is complete.
 *
 * @example
 * const transcript = await readTranscriptStream(file.stream());
 */
export async function readTranscriptStream(source: TranscriptSource, options?: TranscriptOptions): Promise<Transcript> {
  const settings = readSettings(options);
  const intake = new Intake(settings);
  const splitter = new LineSplitter(intake, settings.maxLineLength);
  await forEachChunk(source, (chunk) => splitter.push(chunk));
  splitter.end();
  return intake.finish();
}

/** The format of a log, or `undefined` if none fits; reads no further than it must. */
export function detectTranscript(text: string): TranscriptFormat | undefined {
  const settings = readSettings();
  const intake = new Intake(settings, 'detect');
  feed(intake, settings, text);
  return intake.finish().format;
}

function feed(intake: Intake, settings: Settings, text: string): void {
  if (typeof text !== 'string') throw unexpected('text', text, "a string, the log's content");
  const splitter = new LineSplitter(intake, settings.maxLineLength);
  splitter.push(text);
  splitter.end();
}

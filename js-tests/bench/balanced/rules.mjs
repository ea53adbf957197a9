/**
 * The rules of `balanced` that look into results, in plain JavaScript: each new result is looked into once.
 *
 * @import {Call} from './result.mjs'
 * @import {Deed} from './deeds.mjs'
 * @import {Row} from './text.mjs'
 * @import {Block} from '../model.mjs'
 *
 * @typedef {object} Seen a result as the rules see it when it comes
 * @property {Result} result
 * @property {Row[]} rows
 * @property {number[]} numbers of the rows
 * @property {boolean} isCuttable whether it may be cut itself
 * @property {boolean} isEffective whether the call did what it was to do, as far as can be seen
 * @property {boolean} isRefused whether it says that the call did nothing
 * @property {string} [written] the text, if it is none of the result's, but what the call wrote
 * @property {boolean} isFile whether it shows a file
 * @property {number} place where its call ran
 * @property {boolean} isGivenCompacted whether it was a pointer when it came
 */
import { FailedCalls, RepeatedCalls, shortened, WriteArguments, writtenBy } from './calls.mjs';
import { Deeds } from './deeds.mjs';
import { RepeatedMedia } from './media.mjs';
import { OldResults } from './old-results.mjs';
import { OldThinking } from './old-thinking.mjs';
import { References } from './references.mjs';
import { Repeats } from './repeats.mjs';
import { Result } from './result.mjs';
import { saysNothing, saysWritten } from './said.mjs';
import { Superseded } from './superseded.mjs';
import { eachLine, LineNumbers, numberBefore, rowsOf } from './text.mjs';
import { factsOf, isKeptPath, isKeptTool } from './tools.mjs';

/** Shorter results aren't looked into. */
const LEAST = 200;
/** Fewer numbers in a row may be something else, and every so many stays. */
const [SERIES, STEP] = [8, 100];

export class BalancedRules {
  #numbers = new LineNumbers();
  #references = new References();
  /** @type {number[]} the entries of people */ #humans = [];
  #lastAnswer = 0;
  #superseded = new Superseded(this.#references, this.#humans);
  #repeatedCalls = new RepeatedCalls(this.#references, this.#humans);
  #failedCalls = new FailedCalls(this.#references);
  #writeArguments = new WriteArguments(this.#numbers, this.#references);
  #repeatedMedia = new RepeatedMedia();
  #repeats = new Repeats();
  #old = new OldResults();
  #oldThinking = new OldThinking();
  #resultCount = 0;
  #deeds;
  #resolve;
  /** @type {Result[]} */ #new = [];
  /** @type {Map<Block, Call>} */ #calls = new Map();
  /** @type {Set<Result>} */ #touched = new Set();
  /** @type {Map<Call, string>} */ #shortened = new Map();
  /** @type {Map<Block, {entry: number, text: string}>} */ #media = new Map();

  /** @param {(path: string) => string} resolve against the workspace */
  constructor(resolve) {
    this.#resolve = resolve;
    const inFolder = (/** @type {string} */ root, /** @type {string} */ path) =>
      resolve(path.startsWith('/') ? path : `${root}/${path}`);
    this.#deeds = new Deeds((root, path) => (root === undefined ? resolve(path) : inFolder(root, path)));
  }

  /** @param {Block} block @param {number} entry */
  addCall(block, entry) {
    const facts = factsOf(block.name, block.parameters, this.#resolve);
    this.#calls.set(block, { entry, block, facts });
  }

  /** @param {number} entry */
  addHuman(entry) {
    this.#humans.push(entry);
  }

  /** @param {number} entry */
  addAnswer(entry) {
    this.#lastAnswer = entry;
  }

  /** @param {Block} block @param {number} entry @param {Block | undefined} call */
  addResult(block, entry, call) {
    const known = call && this.#calls.get(call);
    if (call) this.#calls.delete(call);
    this.#resultCount++;
    this.#new.push(new Result(entry, block, known, this.#touched));
  }

  /** @param {Block} block @param {number} entry */
  addThinking(block, entry) {
    this.#oldThinking.see(block, entry, this.#resultCount, this.#humans.length);
  }

  /** @param {Block} block @param {number} entry @param {boolean} isShown by the user */
  addMedia(block, entry, isShown) {
    this.#repeatedMedia.see({ entry, block }, isShown, (old, text) => {
      this.#media.set(old.block, { entry: old.entry, text });
    });
  }

  /** Runs the rules; `edit` is given what each block that was changed has become, if it is still there. @param {(entry: number, from: Block, to: Block | undefined) => void} edit */
  run(edit) {
    for (const result of this.#new) this.#see(result);
    for (const result of this.#old.run(this.#lastAnswer)) this.#repeats.hide(result);
    this.#new = [];
    for (const result of this.#touched) edit(result.entry, result.block, result.current());
    this.#touched.clear();
    for (const [call, text] of this.#shortened)
      edit(call.entry, call.block, { ...call.block, parameters: shortened(call.block.parameters, text) });
    this.#shortened.clear();
    for (const [block, { entry, text }] of this.#media) edit(entry, block, { type: 'text', text });
    this.#media.clear();
    const { answered } = this.#old;
    this.#oldThinking.run(answered, this.#humans.length, (entry, block) => edit(entry, block, undefined));
  }

  /** @param {Result} result */
  #see(result) {
    const { call } = result;
    const deeds = call ? this.#deeds.of(call.block.name, call.facts, call.block.parameters) : [];
    const kind = classOf(result, deeds, this.#deeds.shown, this.#resolve('.'));
    for (const deed of deeds) if (deed.type === 'changes' || deed.type === 'spoils') this.#old.change(deed.path);
    const shown = deeds.find((deed) => deed.type === 'shows')?.path ?? call?.facts.paths[0];
    this.#old.see(result, kind, kind === 'file' ? shown : undefined);
    const isCuttable = kind !== 'kept' && result.size >= LEAST;
    const isRead = result.isText && (kind !== 'kept' || deeds.some(({ type }) => type !== 'anything'));
    const text = isRead ? result.text : '';
    const rows = isRead ? rowsOf(text, call !== undefined && numbersLines(call, deeds, text)) : [];
    const isRefused = result.isFailed || saysNothing(text);
    const seen = {
      result,
      rows,
      numbers: this.#numbersOf(rows),
      isCuttable,
      isEffective: !isRefused && !result.isCompacted && !result.isFixed,
      isRefused,
      isGivenCompacted: result.isCompacted,
      isFile: kind === 'file',
      place: this.#deeds.place,
    };
    const isDoubted = deeds.some(({ type }) => type === 'writes') && !saysWritten(text);
    if (call) this.#seeCall(seen, call, isDoubted ? deeds.map(doubted) : deeds);
    const isWhole = !result.isText && isCuttable && !result.isFixed;
    if (kind === 'kept' || !(result.isText || isWhole)) return;
    if (isWhole) {
      const whole = rowsOf(result.text, false);
      this.#repeats.see({ ...seen, rows: whole, numbers: this.#numbersOf(whole) });
    } else if (isCuttable) {
      if (result.mayPatch && rows.some(({ number }) => number !== undefined)) result.unnumber(seriesOf(text));
      this.#repeats.see(seen);
    }
    const isWritten = call && result.isText && writes(call) && !call.facts.isPreview && !isRefused;
    for (const written of isWritten ? writtenBy(call) : []) {
      const lines = rowsOf(written, false);
      this.#repeats.seeWritten({ ...seen, written, rows: lines, numbers: this.#numbersOf(lines) });
    }
    for (const cut of this.#repeats.cut) this.#references.see(cut, []);
    this.#repeats.cut = [];
    this.#references.see(result, rows);
  }

  /** @param {Row[]} rows */
  #numbersOf(rows) {
    return rows.map(({ content }) => this.#numbers.of(content));
  }

  /** @param {Seen} seen @param {Call} call @param {readonly Deed[]} deeds */
  #seeCall(seen, call, deeds) {
    for (const deed of deeds) this.#superseded.see(seen, deed);
    this.#repeatedCalls.see(seen, call, deeds);
    this.#failedCalls.see(seen, call);
    if (deeds.length !== 1) return;
    const ofFile = deeds[0].type === 'writes' ? this.#superseded.resultsOf(deeds[0].path) : [];
    this.#writeArguments.see(seen, call, deeds[0], ofFile, (older, text) => this.#shortened.set(older, text));
  }
}

/** Of what doesn't say that it wrote nobody knows what became of the file. @param {Deed} deed @returns {Deed} */
const doubted = (deed) => (deed.type === 'writes' ? { ...deed, type: 'spoils' } : deed);

/** Whether a call's tool is one that writes files. @param {Call} call */
const writes = ({ facts }) => facts.kind === 'write' || facts.kind === 'edit';

/** Whether numbers before the lines of a call's result are the tool's. @param {Call} call @param {readonly Deed[]} deeds @param {string} text */
const numbersLines = (call, deeds, text) =>
  (call.facts.kind === 'read' && begin(text, deeds)) ||
  /cat -n|nl -ba/.test(writes(call) ? text : JSON.stringify(call.block.parameters));

/** Whether they begin with the first line that was asked for: a map's keys may be numbers, too. @param {string} text @param {readonly Deed[]} deeds */
function begin(text, deeds) {
  let isMarkup = true;
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const line = text.slice(at, next < 0 ? text.length : next);
    const number = numberBefore(line)?.[0];
    if (number !== undefined) {
      const isFirst = (/** @type {Deed} */ deed) =>
        deed.type !== 'shows' || number === deed.lines[0] || number === deed.lines[0] + 1;
      return !/^ *\d+:/.test(line) || (isMarkup && deeds.every(isFirst));
    }
    isMarkup &&= line.startsWith('<');
    at += line.length + 1;
  }
  return true;
}

/** @param {Result} result @param {readonly Deed[]} deeds @param {readonly string[]} named @param {string} root @returns {import('./old-results.mjs').Class} */
function classOf({ call, isFailed }, deeds, named, root) {
  if (!call) return 'output';
  const shown = deeds.find((deed) => deed.type === 'shows');
  const paths = [...call.facts.paths, ...named, ...(shown ? [shown.path] : [])];
  const isKept = paths.some((path) => path !== undefined && isKeptPath(path, root));
  if (isKept || call.facts.kind === 'todo' || isKeptTool(call.block.name)) return 'kept';
  if (isFailed) return 'failure';
  return call.facts.kind === 'read' || shown ? 'file' : 'output';
}

/** The spans whose lines lose their numbers; where a series begins and at every hundredth line they stay. @param {string} text */
function seriesOf(text) {
  /** @type {[number, number][]} */
  const spans = [];
  /** @type {{start: number, end: number, next: number, count: number} | undefined} */
  let series;
  const close = () => {
    if (series && series.count >= SERIES && series.start < series.end) spans.push([series.start, series.end]);
  };
  eachLine(text, (line, _start, end) => {
    const number = numberBefore(line)?.[0];
    if (series && number === series.next && number % STEP !== 0) {
      series = { start: series.start, end, next: number + 1, count: series.count + 1 };
      return;
    }
    close();
    series = number === undefined ? undefined : { start: end, end, next: number + 1, count: 1 };
  });
  close();
  return spans;
}

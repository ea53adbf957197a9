// Plays a script: turns its steps into the contents of a conversation.

import { drawScreen } from './png.mjs';
import { Project } from './project.mjs';
import { Random } from './random.mjs';
import { parseEdit } from './script.mjs';
import { TOOLS } from './tools.mjs';

/** @returns {{title: string, description: string, workspaceRoot: string, contents: object[]}} */
export function playScript(steps, files) {
  const [head, ...rest] = steps;
  if (head?.directive !== 'session') throw new Error('a script begins with @session');
  const settings = Object.fromEntries(head.body.split('\n').map((line) => line.split(/: (.*)/s, 2)));
  const session = new Session(settings, files);
  for (const step of rest) {
    try {
      session.play(step);
    } catch (error) {
      throw new Error(`line ${step.line}, @${step.directive} ${step.args}: ${error.message}`, { cause: error });
    }
  }
  session.closeTurn();
  const { title, description, root } = settings;
  return { title, description, workspaceRoot: root, contents: session.contents };
}

class Session {
  contents = [];
  #turn = [];
  #responses = [];

  constructor(settings, files) {
    this.project = new Project(settings.root, files);
    this.random = new Random(Number(settings.seed));
    this.time = Date.parse(settings.start);
  }

  play(step) {
    const parallel = step.directive === 'and';
    const { directive, ...rest } = parallel ? unwrap(step) : step;
    if (directive in TOOLS) this.#call(directive, rest, parallel);
    else if (directive in STEPS) STEPS[directive](this, rest);
    else throw new Error(`unknown directive @${directive}`);
  }

  /** Moves the clock and returns it. */
  tick(lowSeconds, highSeconds) {
    this.time += this.random.int(lowSeconds, highSeconds) * 1000;
    return new Date(this.time).toISOString();
  }

  human(blocks) {
    this.closeTurn();
    const timestamp = this.tick(40, 900);
    this.contents.push({ speaker: 'human', blocks, metadata: { timestamp } });
  }

  /** Adds a block to the agent's current entry; thinking or text after a call starts a new one. */
  agent(block) {
    const { type } = block;
    const isFull = this.#turn.some(
      (other) => other.type === 'tool_call' || (other.type !== 'thinking' && type === 'thinking'),
    );
    if (isFull) this.closeTurn();
    this.#turn.push(block);
  }

  /** A call without a result yet. */
  openCall(directive, step) {
    if (this.#responses.length > 0) this.closeTurn();
    const { name, parameters } = TOOLS[directive](this, step);
    this.#turn.push({ type: 'tool_call', id: this.#id(), name, parameters });
  }

  #call(directive, step, parallel) {
    if (!parallel && this.#responses.length > 0) this.closeTurn();
    const { name, parameters, result, error } = TOOLS[directive](this, step);
    const id = this.#id();
    this.#turn.push({ type: 'tool_call', id, name, parameters });
    const response = { type: 'tool_response', callId: id, toolName: name, result };
    this.#responses.push(error === undefined ? response : { ...response, error });
  }

  #id() {
    return `call_${this.random.token(8, '0123456789abcdefghjkmnpqrstvwxyz')}`;
  }

  /** Writes the agent's entry and the answers to its calls, together or one by one. */
  closeTurn() {
    if (this.#turn.length > 0) {
      this.tick(3, 40);
      this.contents.push({ speaker: 'ai', blocks: this.#turn });
    }
    const together = this.random.chance(0.6) ? [this.#responses] : this.#responses.map((response) => [response]);
    for (const blocks of together) if (blocks.length > 0) this.contents.push({ speaker: 'tool', blocks });
    this.#turn = [];
    this.#responses = [];
  }
}

function unwrap(step) {
  const [, directive, args = ''] = /^([a-z]+)(?: (.*))?$/.exec(step.args);
  return { ...step, directive, args };
}

const STEPS = {
  human: (session, { args, body }) => session.human(humanBlocks(session, args, body)),
  ai: (session, { body }) => session.agent({ type: 'text', text: body }),
  think: (session, { body }) => session.agent({ type: 'thinking', thought: body }),
  code: (session, { args, body }) => session.agent({ type: 'code', code: body, language: args }),
  open: (session, step) => session.openCall(unwrap(step).directive, unwrap(step)),
  /** The user changes a file on their own side; nothing of it is in the conversation. */
  apply: ({ project }, { args, body }) => {
    const { oldText, newText } = parseEdit(body);
    project.write(args, project.replaced(args, oldText, newText));
  },
  create: ({ project }, { args, body }) => project.write(args, `${body}\n`),
  remove: ({ project }, { args }) => project.remove(args),
  clock: (session, { args }) => {
    session.closeTurn();
    session.time = Date.parse(args);
  },
};

/** `{{path}}` becomes an inclusion of the file as it is now, `{{unclosed path}}` one without its end. */
function humanBlocks(session, args, body) {
  const text = body.replace(/^\{\{(unclosed )?(\S+)\}\}$/gm, (_, unclosed, path) => {
    const content = session.project.read(path.replace(/^\.\//, ''));
    return `--- ${path} ---\n${content}${unclosed ? '' : '--- End of content ---'}`;
  });
  const blocks = text.split(/\n@@\n/).map((part) => ({ type: 'text', text: part }));
  if (args.startsWith('screen ')) blocks.push(screenBlock(args.slice('screen '.length)));
  return blocks;
}

function screenBlock(name) {
  const data = Buffer.from(drawScreen(name)).toString('base64');
  return { type: 'media', mimeType: 'image/png', data, encoding: 'base64', filename: `${name}.png` };
}

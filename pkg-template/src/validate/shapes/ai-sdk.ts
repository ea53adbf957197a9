// The shapes of the AI SDK's messages, as its schemas have them.
import { isUrl } from '../../base/url.js';
import { isList, isRecord } from '../../transcripts/json.js';
import { oneOf, type Shape } from '../shape.js';

/** Whether JSON holds the value; as deep as the stack allows, what is deeper is unreadable. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (isList(value)) return value.every(isJson);
  return isPlain(value) && Object.values(value).every((inner) => inner === undefined || isJson(inner));
}

function isPlain(value: unknown): value is object {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const json: Shape = { test: isJson, expected: 'a JSON value' };
const options = { 'providerOptions?': { entries: { entries: json } } } as const;
const reference: Shape = { entries: 'string' };
const url: Shape = { test: isUrl, expected: 'a URL object' };
const bytes: Shape = {
  test: (value) => typeof value === 'string' || value instanceof Uint8Array || value instanceof ArrayBuffer,
  expected: 'base64, a Uint8Array or an ArrayBuffer',
};
const inline = {
  data: { keys: { data: bytes } },
  url: { keys: { url } },
  reference: { keys: { reference } },
  text: { keys: { text: 'string' } },
} as const satisfies Record<string, Shape>;
const data: Shape = { anyOf: [bytes, url, { tag: 'type', of: inline }, reference] };

const text: Shape = { keys: { text: 'string', ...options } };
const file: Shape = { keys: { data, mediaType: 'string', 'filename?': 'string', ...options } };
const reasoningFile: Shape = {
  keys: {
    data: { anyOf: [bytes, url, { tag: 'type', of: { data: inline.data, url: inline.url } }] },
    mediaType: 'string',
    ...options,
  },
};
const fileId: Shape = { anyOf: ['string', reference] };
const ofContent: Shape = {
  tag: 'type',
  of: {
    text,
    file: { keys: { data: { tag: 'type', of: inline }, mediaType: 'string', 'filename?': 'string', ...options } },
    'file-data': { keys: { data: 'string', mediaType: 'string', 'filename?': 'string', ...options } },
    'file-url': { keys: { url: 'string', 'mediaType?': 'string', ...options } },
    'file-id': { keys: { fileId, ...options } },
    'file-reference': { keys: { providerReference: reference, ...options } },
    'image-data': { keys: { data: 'string', mediaType: 'string', ...options } },
    'image-url': { keys: { url: 'string', ...options } },
    'image-file-id': { keys: { fileId, ...options } },
    'image-file-reference': { keys: { providerReference: reference, ...options } },
    custom: { keys: options },
  },
};
const output: Shape = {
  tag: 'type',
  of: {
    text: { keys: { value: 'string', ...options } },
    json: { keys: { value: json, ...options } },
    'execution-denied': { keys: { 'reason?': 'string', ...options } },
    'error-text': { keys: { value: 'string', ...options } },
    'error-json': { keys: { value: json, ...options } },
    content: { keys: { value: { list: ofContent } } },
  },
};
const call: Shape = {
  keys: { toolCallId: 'string', toolName: 'string', input: 'present', 'providerExecuted?': 'boolean', ...options },
};
const result: Shape = { keys: { toolCallId: 'string', toolName: 'string', output, ...options } };
const approvalResponse: Shape = { keys: { approvalId: 'string', approved: 'boolean', 'reason?': 'string' } };
const reasoning: Shape = { keys: { text: 'string', ...options } };
const custom: Shape = { keys: { kind: 'string', ...options } };

const image: Shape = { keys: { image: { anyOf: [bytes, url, reference] }, 'mediaType?': 'string', ...options } };

const ofAssistant = {
  text,
  custom,
  file,
  reasoning,
  'reasoning-file': reasoningFile,
  'tool-call': call,
  'tool-result': result,
} as const satisfies Record<string, Shape>;

const approvalRequest: Shape = {
  keys: {
    approvalId: 'string',
    toolCallId: 'string',
    'reason?': 'string',
    'isAutomatic?': 'boolean',
    'signature?': 'string',
  },
};

const parts = (of: Readonly<Record<string, Shape>>): Shape => ({ list: { tag: 'type', of } });
const orText = (shape: Shape): Shape => ({ anyOf: ['string', shape] });
const system: Shape = { keys: { content: 'string', ...options } };

export const modelMessage: Shape = {
  tag: 'role',
  of: {
    system,
    user: { keys: { content: orText(parts({ text, image, file })), ...options } },
    assistant: {
      keys: { content: orText(parts({ ...ofAssistant, 'tool-approval-request': approvalRequest })), ...options },
    },
    tool: {
      keys: { content: parts({ 'tool-result': result, 'tool-approval-response': approvalResponse }), ...options },
    },
  },
};

/** What middleware sees: contents are always lists, images are files. */
export const promptMessage: Shape = {
  tag: 'role',
  of: {
    system,
    user: { keys: { content: parts({ text, file }), ...options } },
    assistant: { keys: { content: parts({ ...ofAssistant, 'tool-approval-request': approvalRequest }), ...options } },
    tool: {
      keys: { content: parts({ 'tool-result': result, 'tool-approval-response': approvalResponse }), ...options },
    },
  },
};

const metadata: Shape = { entries: { entries: json } };
const ui = { 'providerMetadata?': metadata } as const;
const state = { 'state?': oneOf('streaming', 'done') } as const;
const never = 'absent';

const approval = (approved: Shape, reason: Shape): Shape => ({
  keys: {
    id: 'string',
    'approved?': approved,
    'requestReason?': 'string',
    'reason?': reason,
    'isAutomatic?': 'boolean',
    'signature?': 'string',
  },
});
const granted: Shape = { keys: { id: 'string', approved: oneOf(true), 'reason?': 'string' } };
const denied: Shape = { keys: { id: 'string', approved: oneOf(false), 'reason?': 'string' } };
const responded: Shape = { keys: { id: 'string', approved: 'boolean', 'reason?': 'string' } };

const given = { input: 'present' } as const;
const unanswered = { 'output?': never, 'errorText?': never } as const;
const toolPart = (keys: Readonly<Record<string, Shape>>, ofCall: Readonly<Record<string, Shape>>): Shape => ({
  keys: {
    toolCallId: 'string',
    'title?': 'string',
    'toolMetadata?': { entries: { anyOf: [json, 'absent'] } },
    'providerExecuted?': 'boolean',
    'callProviderMetadata?': metadata,
    ...ofCall,
    ...keys,
  },
});

const toolPartOf = (ofCall: Readonly<Record<string, Shape>>): Shape => ({
  tag: 'state',
  of: {
    'input-streaming': toolPart(
      { ...unanswered, 'approval?': never, 'rawInput?': 'string', 'inputEncoding?': oneOf('json', 'text') },
      ofCall,
    ),
    'input-available': toolPart({ ...given, ...unanswered, 'approval?': never }, ofCall),
    'approval-requested': toolPart({ ...given, ...unanswered, approval: approval(never, never) }, ofCall),
    'approval-responded': toolPart({ ...given, ...unanswered, approval: responded }, ofCall),
    'output-available': toolPart(
      {
        ...given,
        output: 'present',
        'errorText?': never,
        'preliminary?': 'boolean',
        'approval?': granted,
        'resultProviderMetadata?': metadata,
      },
      ofCall,
    ),
    'output-error': toolPart(
      { errorText: 'string', 'output?': never, 'approval?': granted, 'resultProviderMetadata?': metadata },
      ofCall,
    ),
    'output-denied': toolPart({ ...given, ...unanswered, approval: denied }, ofCall),
  },
});

const uiFile: Shape = { keys: { mediaType: 'string', 'filename?': 'string', url: 'string', ...ui } };
const namedTool = toolPartOf({});
const dataPart: Shape = { keys: { 'id?': 'string', data: 'present' } };

const uiPart: Shape = {
  tag: 'type',
  of: {
    text: { keys: { text: 'string', 'citations?': { list: 'object' }, ...state, ...ui } },
    reasoning: { keys: { text: 'string', ...state, ...ui } },
    custom: { keys: { kind: 'string', ...ui } },
    'source-url': { keys: { sourceId: 'string', url: 'string', 'title?': 'string', ...ui } },
    'source-document': {
      keys: { sourceId: 'string', mediaType: 'string', title: 'string', 'filename?': 'string', ...ui },
    },
    file: uiFile,
    'reasoning-file': { keys: { mediaType: 'string', url: 'string', ...ui } },
    'steering-message': { keys: { id: 'string', parts: { list: { tag: 'type', of: { text, file: uiFile } } } } },
    'step-start': 'object',
    'dynamic-tool': toolPartOf({ toolName: 'string', 'dynamic?': oneOf(false) }),
  },
  other: (type) => (type.startsWith('tool-') ? namedTool : type.startsWith('data-') ? dataPart : undefined),
};

export const uiMessage: Shape = {
  keys: { id: 'string', role: oneOf('system', 'user', 'assistant'), parts: { list: uiPart } },
};

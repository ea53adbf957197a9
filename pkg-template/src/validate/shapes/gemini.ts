// The shapes of Gemini's contents, as the SDK's types have them.
import { oneOf, type Shape } from '../shape.js';

/** A part has exactly one of these keys; the values describe their contents. */
export const DATA_KEYS = {
  text: 'string',
  inlineData: { keys: { data: 'string', mimeType: 'string', 'displayName?': 'string' } },
  fileData: { keys: { fileUri: 'string', 'mimeType?': 'string' } },
  functionCall: { keys: { 'id?': 'string', name: 'string', 'args?': 'object' } },
  functionResponse: { keys: { 'id?': 'string', name: 'string', 'response?': 'object', 'parts?': { list: 'object' } } },
  executableCode: { keys: { 'code?': 'string', 'language?': oneOf('LANGUAGE_UNSPECIFIED', 'PYTHON') } },
  codeExecutionResult: {
    keys: {
      'outcome?': oneOf('OUTCOME_UNSPECIFIED', 'OUTCOME_OK', 'OUTCOME_FAILED', 'OUTCOME_DEADLINE_EXCEEDED'),
      'output?': 'string',
    },
  },
  toolCall: 'object',
  toolResponse: 'object',
  audioTranscription: 'object',
} as const satisfies Record<string, Shape>;

const part: Shape = {
  keys: {
    ...Object.fromEntries(Object.entries(DATA_KEYS).map(([key, shape]) => [`${key}?`, shape])),
    'thought?': 'boolean',
    'thoughtSignature?': 'string',
  },
};

export const geminiContent: Shape = {
  keys: { 'role?': oneOf('user', 'model', 'function', 'system'), 'parts?': { list: part } },
};

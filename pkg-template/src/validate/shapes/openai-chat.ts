// The shapes of Chat Completions messages, as the SDK's types have them.
import { nullable, oneOf, type Shape } from '../shape.js';

const text: Shape = { keys: { text: 'string' } };
const texts: Shape = { anyOf: ['string', { list: { tag: 'type', of: { text } }, least: 1 }] };
const called: Shape = { keys: { name: 'string', arguments: 'string' } };

const said: Shape = {
  tag: 'type',
  of: {
    text,
    image_url: {
      keys: { image_url: { keys: { url: 'string', 'detail?': oneOf('auto', 'low', 'high', 'original') } } },
    },
    input_audio: { keys: { input_audio: { keys: { data: 'string', format: oneOf('wav', 'mp3') } } } },
    file: { keys: { file: { keys: { 'file_data?': 'string', 'file_id?': 'string', 'filename?': 'string' } } } },
  },
};

const instructions: Shape = { keys: { content: texts, 'name?': 'string' } };

export const openAiChatMessage: Shape = {
  tag: 'role',
  of: {
    developer: instructions,
    system: instructions,
    user: { keys: { content: { anyOf: ['string', { list: said, least: 1 }] }, 'name?': 'string' } },
    assistant: {
      keys: {
        'content?': nullable({
          anyOf: ['string', { list: { tag: 'type', of: { text, refusal: { keys: { refusal: 'string' } } } } }],
        }),
        'refusal?': nullable('string'),
        'audio?': nullable({ keys: { id: 'string' } }),
        'name?': 'string',
        'tool_calls?': {
          list: {
            tag: 'type',
            of: {
              function: { keys: { id: 'string', function: called } },
              custom: { keys: { id: 'string', custom: { keys: { name: 'string', input: 'string' } } } },
            },
          },
        },
        'function_call?': nullable(called),
      },
    },
    tool: { keys: { content: texts, tool_call_id: 'string' } },
    function: { keys: { content: nullable('string'), name: 'string' } },
  },
};

// JSON Schemas of messages out of the providers' own API descriptions (scripts/judges.sh fetches them): what stands
// there of lengths and of how many parts there must be, no SDK's types say. Read once, since that takes some seconds.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The schemas that are judged by, and where each is described. */
const MESSAGES = {
  OpenAiChat: ['openai', 'ChatCompletionRequestMessage'],
  OpenAiResponses: ['openai', 'InputItem'],
  AnthropicMessage: ['anthropic', 'InputMessage'],
  AnthropicBeta: ['anthropic', 'BetaInputMessage'],
};

const fetched = new URL('./node_modules/.descriptions/', import.meta.url);
const made = new URL('./node_modules/.schemas/', import.meta.url);

/** A schema and all that it refers to; where one of several must hold it may be more than one. */
function cut(all, name) {
  const found = {};
  const open = [name];
  const read = (value, key) => {
    // Answers that weren't asked for these have none, and are taken back so.
    if (key === 'required') return value.filter((wanted) => wanted !== 'logprobs');
    if (Array.isArray(value)) return value.map((inner) => read(inner));
    if (typeof value !== 'object' || value === null) {
      if (key === '$ref') open.push(value.slice(value.lastIndexOf('/') + 1));
      return value;
    }
    const { discriminator: _told, oneOf, ...rest } = value;
    const entries = Object.entries(oneOf === undefined ? rest : { ...rest, anyOf: oneOf });
    return Object.fromEntries(entries.map(([inner, of]) => [inner, read(of, inner)]));
  };
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found[next] === undefined) found[next] = read(all[next]);
  }
  return { $ref: `#/components/schemas/${name}`, components: { schemas: found } };
}

/** The schemas by their names, or nothing if the descriptions aren't there. */
export function descriptions() {
  if (!existsSync(new URL('installed-by', fetched))) return undefined;
  const stamp = createHash('sha256')
    .update(readFileSync(new URL('installed-by', fetched)))
    .update(readFileSync(new URL(import.meta.url)))
    .digest('hex');
  const cache = new URL(`${stamp}.json`, made);
  if (existsSync(cache)) return JSON.parse(readFileSync(cache, 'utf8'));
  const read = (provider) =>
    parse(readFileSync(new URL(`${provider}.yml`, fetched), 'utf8'), { maxAliasCount: -1 }).components.schemas;
  const all = { openai: read('openai'), anthropic: read('anthropic') };
  const schemas = Object.fromEntries(
    Object.entries(MESSAGES).map(([name, [provider, schema]]) => [name, cut(all[provider], schema)]),
  );
  mkdirSync(made, { recursive: true });
  writeFileSync(cache, JSON.stringify(schemas));
  return schemas;
}

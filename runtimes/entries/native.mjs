// For engines without promises of their own: all that the package says at once. React Native's presets know no `export * as`.
import * as densify from 'densify';
import * as aiSdk from 'densify/ai-sdk';
import * as aiSdkPrompt from 'densify/ai-sdk/prompt';
import * as aiSdkUi from 'densify/ai-sdk/ui';
import * as anthropic from 'densify/anthropic';
import * as gemini from 'densify/gemini';
import * as langchain from 'densify/langchain';
import * as openai from 'densify/openai';
import * as agents from 'densify/openai-agents';
import * as responses from 'densify/openai-responses';
import * as pi from 'densify/pi';
import * as recall from 'densify/recall';
import * as replay from 'densify/replay';
import { createTokenizer } from 'densify/tokens';
import { vocabulary } from 'densify/tokens/o200k_base';
import * as tools from 'densify/tools';
import * as transcripts from 'densify/transcripts';
import * as validation from 'densify/validate';
import { COUNTED, saidAtOnce } from '../probe.mjs';

// The newest Hermes that npm has as a program is older than React Native's, which knows `at`.
Array.prototype.at ??= function at(index) {
  return this[index < 0 ? this.length + index : index];
};

const formats = { aiSdk, aiSdkPrompt, aiSdkUi, anthropic, gemini, langchain, openai, agents, responses, pi };
const parts = { densify, recall, replay, tools, transcripts, validation, ...formats };
globalThis.print(JSON.stringify([saidAtOnce(parts), createTokenizer('o200k_base', vocabulary).count(COUNTED)]));

const parts = {
  densify: require('densify'),
  aiSdk: require('densify/ai-sdk'),
  aiSdkPrompt: require('densify/ai-sdk/prompt'),
  aiSdkUi: require('densify/ai-sdk/ui'),
  anthropic: require('densify/anthropic'),
  gemini: require('densify/gemini'),
  langchain: require('densify/langchain'),
  openai: require('densify/openai'),
  agents: require('densify/openai-agents'),
  responses: require('densify/openai-responses'),
  pi: require('densify/pi'),
  recall: require('densify/recall'),
  replay: require('densify/replay'),
  tokens: require('densify/tokens'),
  tools: require('densify/tools'),
  transcripts: require('densify/transcripts'),
  validation: require('densify/validate'),
};

import('../probe.mjs').then(async ({ probe }) => console.log(await probe(parts)));

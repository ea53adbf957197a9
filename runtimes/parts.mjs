// The parts of the package that the probe is of.
export * as densify from 'densify';
export * as aiSdk from 'densify/ai-sdk';
export * as aiSdkPrompt from 'densify/ai-sdk/prompt';
export * as aiSdkUi from 'densify/ai-sdk/ui';
export * as anthropic from 'densify/anthropic';
export * as gemini from 'densify/gemini';
export * as langchain from 'densify/langchain';
export * as openai from 'densify/openai';
export * as agents from 'densify/openai-agents';
export * as responses from 'densify/openai-responses';
export * as pi from 'densify/pi';
export * as recall from 'densify/recall';
export * as replay from 'densify/replay';
export * as tokens from 'densify/tokens';
export * as tools from 'densify/tools';
export * as transcripts from 'densify/transcripts';
export * as validation from 'densify/validate';

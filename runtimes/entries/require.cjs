const parts = {
  densify: require('densify'),
  agents: require('densify/openai-agents'),
  recall: require('densify/recall'),
  replay: require('densify/replay'),
  tokens: require('densify/tokens'),
  tools: require('densify/tools'),
  transcripts: require('densify/transcripts'),
};

import('../probe.mjs').then(async ({ probe }) => console.log(await probe(parts)));

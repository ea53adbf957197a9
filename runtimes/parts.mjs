// The parts of the package that the probe is of.
export * as densify from 'densify';
export * as agents from 'densify/openai-agents';
export * as recall from 'densify/recall';
export * as replay from 'densify/replay';
export * as tokens from 'densify/tokens';
export * as tools from 'densify/tools';
export * as transcripts from 'densify/transcripts';

import { CAPABILITY } from '../generated/protocol.js';

/** Whether the demands on thinking combine those of two generations of models: the model is not named. */
export function demandsOfAll(capabilities: number): boolean {
  const both = CAPABILITY.thinkingBoundToPrefix | CAPABILITY.openLoopKeepsThinking;
  return (capabilities & both) === both;
}

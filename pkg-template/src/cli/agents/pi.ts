import { ownFile } from '../host.js';
import type { Agent } from './agent.js';

export const pi: Agent = {
  name: 'pi',
  upstreams: () => ({}),
  // An extension is pi's own way to change a provider's base URL for one run.
  launch: (base) => ({ env: { DENSIFY_GATEWAY: base }, args: ['--extension', ownFile('pi-gateway.js')] }),
};

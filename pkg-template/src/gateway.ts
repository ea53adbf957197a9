/**
 * A gateway between agents and providers: it packs the histories in requests, and passes everything else through.
 *
 * @packageDocumentation
 */
export { createGateway, type Gateway } from './gateway/handler.js';
export type { GatewayOptions, GatewayReport } from './gateway/options.js';

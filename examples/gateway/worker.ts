// The gateway as a Cloudflare Worker (`npm i densify`). Set the token with
// `wrangler secret put DENSIFY_TOKEN`, then point agents at
// https://YOUR-WORKER.workers.dev/TOKEN/anthropic.

import { createGateway, type Gateway } from 'densify/gateway';

interface Env {
  readonly DENSIFY_TOKEN?: string;
  /** Further providers, as JSON: `{"acme": "https://llm.acme.example"}`. */
  readonly UPSTREAMS?: string;
}

let gateway: Gateway | undefined;

export default {
  fetch(
    request: Request,
    { DENSIFY_TOKEN: token, UPSTREAMS: upstreams = '{}' }: Env,
  ): Promise<Response> {
    // A worker is open to the world: without a token it would serve anybody.
    if (!token)
      return Promise.resolve(new Response('set the secret DENSIFY_TOKEN\n', { status: 500 }));
    gateway ??= createGateway({
      token,
      upstreams: JSON.parse(upstreams) as Record<string, string>,
    });
    return gateway(request);
  },
};

import type { Agent } from './agent.js';

export const gemini: Agent = {
  name: 'gemini',
  upstreams({ GOOGLE_GEMINI_BASE_URL: url, CODE_ASSIST_ENDPOINT: login }) {
    return { ...(url ? { gemini: url } : {}), ...(login ? { 'code-assist': login } : {}) };
  },
  launch: (base) => ({
    // With an API key, and with a Google login.
    env: { GOOGLE_GEMINI_BASE_URL: `${base}/gemini`, CODE_ASSIST_ENDPOINT: `${base}/code-assist` },
  }),
};

/** An extension of pi: sends the requests of its usual providers through the gateway of `densify run`. */

interface Pi {
  registerProvider(name: string, provider: { readonly baseUrl: string }): void;
}

const URLS: Readonly<Record<string, string>> = {
  anthropic: '/anthropic',
  openai: '/openai/v1',
  'openai-codex': '/chatgpt/backend-api',
  google: '/gemini/v1beta',
};

export default function densify(pi: Pi): void {
  const { process } = globalThis as unknown as { readonly process: { readonly env: Record<string, string> } };
  const base = process.env.DENSIFY_GATEWAY;
  if (base === undefined) return;
  for (const [name, path] of Object.entries(URLS)) pi.registerProvider(name, { baseUrl: base + path });
}

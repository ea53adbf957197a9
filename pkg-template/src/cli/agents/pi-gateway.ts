/** An extension of pi: sends the requests of its usual providers through the gateway of `densify run`. */

interface Pi {
  registerProvider(name: string, provider: { readonly baseUrl: string }): void;
}

export default function densify(pi: Pi): void {
  const { process } = globalThis as unknown as { readonly process: { readonly env: Record<string, string> } };
  const urls = JSON.parse(process.env.DENSIFY_GATEWAY ?? '{}') as Readonly<Record<string, string>>;
  for (const [name, baseUrl] of Object.entries(urls)) pi.registerProvider(name, { baseUrl });
}

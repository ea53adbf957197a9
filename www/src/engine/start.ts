/** The part of the browser's Trusted Types that is used; not every browser has them. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
const here = globalThis.document?.baseURI ?? location.href; // workers start workers too
const base = new URL('.', here);

/** The only scripts that this page may start are workers of its own folder. */
const policy = trustedTypes?.createPolicy('densify-workers', {
  createScriptURL(url) {
    const { href } = new URL(url, here);
    if (!href.startsWith(base.href)) throw new TypeError('a worker of another place');
    return href;
  },
});

export function startWorker(url: string): Worker {
  return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' });
}

// The probe lies beside this folder.
export default {
  turbopack: { root: new URL('..', import.meta.url).pathname },
  outputFileTracingRoot: new URL('..', import.meta.url).pathname,
};

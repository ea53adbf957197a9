/** The last line of a set-up whose agent uses the gateway. */
export const KEEP_RUNNING =
  'Keep `densify gateway` running, for example as a service: the agent sends its requests there.';
export const STARTS_ITSELF =
  'Its next session starts `densify gateway`. End one that runs already: it may not know your provider.';

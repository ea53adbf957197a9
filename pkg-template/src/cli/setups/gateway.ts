/** The last line of a set-up whose agent starts the gateway. */
export const STARTS_ITSELF = 'Its next session starts `densify gateway`.';

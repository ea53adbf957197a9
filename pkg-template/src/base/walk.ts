/** The most values that a walk through one of the caller's visits. Accessors can give new objects without end. */
export const MOST_NODES = 1_000_000;

/** The most values that a walk through a caller's value visits. Accessors can return new objects without end. */
export const MOST_NODES = 1_000_000;

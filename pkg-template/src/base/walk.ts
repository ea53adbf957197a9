/** So many values are visited in a walk through one of the caller's. Accessors can give new objects without end. */
export const MOST_NODES = 1_000_000;

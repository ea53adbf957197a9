/** What the worker's conversations are made with: the second message of a hundred words is too much. */
export const OPTIONS = { strategy: 'top-down-truncation', contextLimit: 600, preserve: { messages: 2 } };

/** Whether a value is a `URL` object. Some hosts have no such class, and naming it there would throw. */
export const isUrl = (value: unknown): value is URL => typeof URL !== 'undefined' && value instanceof URL;

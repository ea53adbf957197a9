/** As many arguments as fill 64 kB of the stack: V8 needs 40 kB to compile a function that is called for the first time. */
const WIDE: readonly undefined[] = new Array<undefined>(8192).fill(undefined);

/** Throws a `RangeError` if the stack is nearly used up: before a change that must not end halfway. */
export function needRoom(): void {
  Reflect.apply(take, undefined, WIDE);
}

function take(): void {
  // The call itself is what needs the room.
}

/**
 * Whether something was thrown because the caller had nearly used up the stack. Then the message isn't odd: how it is read must
 * not depend on the depth of the call.
 */
export function isStackFull(thrown: unknown): boolean {
  // Firefox throws an `InternalError`.
  if (!(thrown instanceof RangeError || (thrown instanceof Error && thrown.name === 'InternalError'))) return false;
  try {
    needRoom();
    return false;
  } catch {
    return true;
  }
}

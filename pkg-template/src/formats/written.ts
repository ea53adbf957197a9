/** The types of requests that are written where they are handed in: what comes of them is what SDKs take. */

/** The places where densify may write another text. A result does not name the text that was there. */
type Worded = 'arguments' | 'content' | 'input' | 'output' | 'text' | 'thinking' | 'value';

type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Whether something was written in place: then nothing of it may be changed, as with no type of an SDK and no instance. */
type IsWritten<T> = IsSame<T, { readonly [Key in keyof T]: T[Key] }>;

type Primitive = string | number | bigint | boolean | symbol | null | undefined;

/** Whether a list is that of a variable, however long it is; a literal shows its shape. */
type IsList<T extends readonly unknown[]> = IsSame<T, readonly T[number][]>;

/** The type of a literal argument, without `readonly`, as SDKs need it; other types unchanged. */
type Sendable<T> = T extends Primitive | unknown[]
  ? T
  : T extends readonly unknown[]
    ? IsList<T> extends true
      ? T[number][]
      : { -readonly [Key in keyof T]: Sendable<T[Key]> }
    : IsWritten<T> extends true
      ? { -readonly [Key in keyof T]: Key extends Worded ? Wide<T[Key]> : Sendable<T[Key]> }
      : T;

type Wide<T> = T extends string ? string : Sendable<T>;

/** Messages; there may be fewer in the end than were written in place. */
type SendableMessages<T> = T extends unknown[]
  ? T
  : T extends readonly unknown[]
    ? (IsList<T> extends true ? T[number] : Sendable<T[number]>)[]
    : Wide<T>;

/**
 * The request that comes out: of the argument's own type, or the literal as SDKs accept it. It distributes, so that
 * of a type parameter its constraint is known.
 */
export type RequestOf<R, K extends string = 'messages'> = R extends unknown
  ? IsWritten<R> extends true
    ? { -readonly [Key in keyof R]: Key extends K ? SendableMessages<R[Key]> : Sendable<R[Key]> }
    : R
  : never;

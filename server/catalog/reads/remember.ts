import { chain, type MaybePromise } from "../../rules/maybe-promise.ts";
import { createRecent } from "../../rules/recent.ts";

export interface Remembered<Value> {
  /** Of all together, in bytes. */
  readonly most: number;
  /** In bytes, estimated, beside the key. */
  readonly weight: (value: Value) => number;
}

/**
 * Lookups that are remembered for as long as nobody has committed anything, in this process or
 * another: `generation` is asked before each, so no answer is older than the question. That there
 * is nothing is remembered as well, so that it takes no other time than that there is something.
 */
export function remember<Key extends string, Value>(
  generation: () => number,
  { most, weight }: Remembered<Value>,
  look: (key: Key) => MaybePromise<Value>,
): (key: Key) => MaybePromise<Value> {
  const recent = createRecent<Key, { readonly value: Value }>(most);
  let seen = Number.NaN;

  return (key) => {
    const now = generation();
    if (now !== seen) {
      recent.clear();
      seen = now;
    }
    const known = recent.get(key);
    if (known !== undefined) return known.value;
    return chain(look(key), (value) => {
      // Somebody else may have asked meanwhile, after a commit that this answer knows nothing of.
      if (seen === now) recent.set(key, { value }, weight(value) + 4 * key.length);
      return value;
    });
  };
}

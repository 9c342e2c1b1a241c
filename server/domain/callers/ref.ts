import type { Key } from "../records.ts";

/** The id of a file or folder, or its key. A change looks up the key in its own transaction. */
export type Ref = string | ByKey;

export interface ByKey {
  readonly key: Key;
}

export const selectorOf = (ref: Ref): { readonly id: string } | ByKey =>
  typeof ref === "string" ? { id: ref } : ref;

/** Equal for equal references. No id contains a slash. */
export const textOf = (ref: Ref): string => (typeof ref === "string" ? ref : `/${ref.key}`);

/** Each of the references once, in the order given. */
export const uniqueRefs = (refs: readonly Ref[]): readonly Ref[] => [
  ...new Map(refs.map((ref) => [textOf(ref), ref])).values(),
];

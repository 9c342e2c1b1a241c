import type { Ref } from "../../../domain/callers/ref.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import { parseKey } from "../../../domain/names/name.ts";

interface One {
  readonly id?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * A key in a request. `/` is the root. Fault "invalid": it is empty, as a variable of a script is that was not
 * set, or no key.
 */
export function requireKey(field: string, text: string): Ref {
  if (text !== "") return { key: parseKey(text) };
  throw new Fault("invalid", `\`${field}\` is empty. The key of the root is \`/\`.`);
}

/** Fault "invalid": not exactly one is given. `object`: such as "a file". */
export function givenRef({ id, key }: One, object: string): Ref {
  const ref = givenTarget({ id, key }, ["id", "key"]);
  if (ref !== undefined) return ref;
  throw new Fault("invalid", `Give the \`id\` or the \`key\` of ${object}.`);
}

/** undefined: none is given. Fault "invalid": both are. `names`: of the fields. */
export function givenTarget(
  { id, key }: One,
  [idField, keyField]: readonly [id: string, key: string],
): Ref | undefined {
  if (id !== undefined && key !== undefined) {
    throw new Fault("invalid", `Give either \`${idField}\` or \`${keyField}\`, not both.`);
  }
  if (key !== undefined) return requireKey(keyField, key);
  return id;
}

interface OneOrMany extends One {
  readonly ids?: readonly string[] | undefined;
  readonly keys?: readonly string[] | undefined;
}

/** One file, or up to `max`. Fault "invalid": not exactly one of the fields is given, or there are none or too many. */
export function givenRefs({ id, key, ids, keys }: OneOrMany, max: number) {
  const [one, other] = Object.entries({ id, key, ids, keys })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (other !== undefined) {
    throw new Fault("invalid", `Give either \`${one}\` or \`${other}\`, not both.`);
  }
  if (id !== undefined || key !== undefined) {
    return { isOne: true, refs: [givenRef({ id, key }, "a file")] } as const;
  }
  if (ids === undefined && keys === undefined) {
    throw new Fault(
      "invalid",
      "Give the `id` or the `key` of a file, or a list of `ids` or `keys`.",
    );
  }
  requireCount(ids ?? keys ?? [], max, ids === undefined ? "keys" : "ids");
  const refs: readonly Ref[] = ids ?? (keys ?? []).map((each) => requireKey("keys", each));
  return { isOne: false, refs } as const;
}

/** Fault "invalid": neither `id` nor `ids` is given, or both, or there are none or too many. */
export function givenIds(
  { id, ids }: { readonly id?: string | undefined; readonly ids?: string[] | undefined },
  object: string,
  max: number,
): string[] {
  if (id !== undefined && ids !== undefined) {
    throw new Fault("invalid", "Give either `id` or `ids`, not both.");
  }
  if (id !== undefined) return [id];
  if (ids === undefined)
    throw new Fault("invalid", `Give the \`id\` of ${object}, or a list of \`ids\`.`);
  requireCount(ids, max);
  return ids;
}

/** Fault "invalid": there are none or too many. */
export function requireCount(
  given: readonly string[],
  max: number,
  field: "ids" | "keys" = "ids",
): void {
  const count = new Set(given).size;
  if (count > 0 && count <= max) return;
  throw new Fault(
    "invalid",
    `\`${field}\` must contain 1 to ${max} ${field}, but contains ${count}.`,
  );
}

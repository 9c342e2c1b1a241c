import { Fault } from "../../../domain/fault.ts";

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
export function requireCount(ids: readonly string[], max: number): void {
  const count = new Set(ids).size;
  if (count > 0 && count <= max) return;
  throw new Fault("invalid", `\`ids\` must contain 1 to ${max} ids, but contains ${count}.`);
}

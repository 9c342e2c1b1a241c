import { createHash } from "node:crypto";

/** A program that Redis runs whole, with nothing of anybody else's in between. */
export interface Script {
  readonly text: string;
  /** What Redis calls it once it knows it. */
  readonly name: string;
}

export const script = (text: string): Script => ({
  text,
  name: createHash("sha1").update(text).digest("hex"),
});

/** The command that runs it. */
export const call = (
  { name }: Script,
  keys: readonly string[],
  values: readonly number[],
): string[] => ["EVALSHA", name, String(keys.length), ...keys, ...values.map(String)];

import { createHash } from "node:crypto";

/** A Lua script, which Redis runs atomically. */
export interface RedisScript {
  readonly text: string;
  /** The SHA-1 by which Redis knows it once it is loaded. */
  readonly sha1: string;
}

export const defineScript = (text: string): RedisScript => ({
  text,
  sha1: createHash("sha1").update(text).digest("hex"),
});

/** The command that runs a loaded script. */
export const evalSha = (
  { sha1 }: RedisScript,
  keys: readonly string[],
  values: readonly number[],
): string[] => ["EVALSHA", sha1, String(keys.length), ...keys, ...values.map(String)];

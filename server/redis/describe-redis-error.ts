/** Why Redis cannot be used, in a few words without secrets. */
export function describeRedisError(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message.startsWith("NOAUTH")) return "it wants a password";
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : cause.name;
  return cause.message === "" ? code : cause.message;
}

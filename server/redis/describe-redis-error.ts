/** The reason why Redis cannot be used, in a few words and without secrets. */
export function describeRedisError(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message.startsWith("NOAUTH")) return "a password is required";
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : cause.name;
  return cause.message === "" ? code : cause.message;
}

/** The command line was not understood. The message says what is wrong with it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

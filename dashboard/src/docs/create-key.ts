import { BaseClient } from "../../../sdk/src/base-client.ts";
import { HoldallError } from "../../../sdk/src/connection/error.ts";

/** Creates a key with the browser's session. Error: its message is for the reader. */
export async function createKey(url: string, seconds: number): Promise<string> {
  try {
    const { secret } = await new BaseClient({ url }).keys.create("Examples in the documents", {
      actions: ["list", "read", "write"],
      expiresIn: seconds,
    });
    return secret;
  } catch (error) {
    const hasEnded = error instanceof HoldallError && error.status === 401;
    throw hasEnded
      ? new Error("Your session has ended: sign in to the dashboard again.")
      : new Error(`The key could not be created. ${error instanceof Error ? error.message : ""}`);
  }
}

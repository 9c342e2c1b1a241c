import { HoldallError } from "../../../sdk/src/connection/error.ts";

/** Wraps a call that `runSteps` must not repeat: the server may have done what got no response. */
export async function once<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof HoldallError && error.status === 0) throw new Error(error.message);
    throw error;
  }
}

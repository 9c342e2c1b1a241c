import { Fault } from "../domain/faults/fault.ts";

/** More than a household or an office sends at a time. */
const MAX_OPEN_BODIES = 100;

/**
 * Bounds how many bodies each client sends at a time before the server knows who it is: every one may be
 * slow. Call the result when the body is read. Fault "rate_limited": the client has too many.
 */
export type OpenBody = (client: string) => () => void;

export function createOpenBodies(max = MAX_OPEN_BODIES): OpenBody {
  const open = new Map<string, number>();

  return (client) => {
    const count = (open.get(client) ?? 0) + 1;
    if (count > max) {
      throw new Fault(
        "rate_limited",
        `Your address is sending ${max} requests already. Try again when one of them is complete.`,
        { retryAfter: 5 },
      );
    }
    open.set(client, count);
    return () => {
      const left = (open.get(client) ?? 0) - 1;
      if (left > 0) open.set(client, left);
      else open.delete(client);
    };
  };
}

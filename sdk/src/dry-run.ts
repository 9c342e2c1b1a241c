import type { DryRun } from "../../contract/api.ts";
import { BaseClient } from "./base-client.ts";
import type { Fetch, HoldallOptions } from "./connection/options.ts";

export type { DryRun } from "../../contract/api.ts";

/**
 * Reports what changes would do: one report for each request of `act` that would change something. `act` gets a client whose
 * requests only try their changes, so do not use what its methods return. Uploads have no dry run: they get 400. Throws a
 * `HoldallError` if a request fails.
 */
export async function dryRun(
  options: HoldallOptions,
  act: (holdall: BaseClient) => Promise<unknown>,
): Promise<DryRun[]> {
  const reports: DryRun[] = [];
  const client = new BaseClient({
    ...options,
    fetch: tryingFetch(options.fetch, (report) => reports.push(report)),
  });
  try {
    await act(client);
  } catch (error) {
    // A method may have needed what the request would have returned.
    if (!(error instanceof TypeError) || reports.length === 0) throw error;
  }
  return reports;
}

/** A `fetch` that asks for a dry run of each change. `onReport` may throw, which fails the request. */
export function tryingFetch(
  send: Fetch = (url, init) => fetch(url, init),
  onReport: (report: DryRun) => unknown,
): Fetch {
  return async (url, init) => {
    const { method = "GET" } = init;
    if (method === "GET" || method === "HEAD") return send(url, init);
    const response = await send(`${url}${url.includes("?") ? "&" : "?"}dryRun=true`, init);
    if (!response.ok) return response;
    const { data } = await response.clone().json();
    onReport(data.dryRun);
    return response;
  };
}

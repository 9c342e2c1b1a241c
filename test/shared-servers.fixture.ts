/*
 * Servers that a whole test run shares, since they take seconds to start. `npm test` runs
 * `test/shared-servers.ts` and puts its address into HOLDALL_TEST_SERVERS for every test process;
 * without it, a test process starts servers of its own.
 */

const address = process.env.HOLDALL_TEST_SERVERS;

/** Whether there are shared servers. */
export const hasSharedServers = address !== undefined;

/** The URL of the shared server of this kind, which starts at the first request for it. */
export async function sharedServerUrl(kind: "postgres" | "s3"): Promise<string> {
  const response = await fetch(`${address}/${kind}`);
  if (!response.ok) throw new Error(`No shared ${kind} server: ${await response.text()}`);
  return response.text();
}

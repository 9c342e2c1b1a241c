import { forEachConcurrently } from "../../server/lib/for-each-concurrently.ts";
import { api, type Reachable } from "../../test/client.ts";
import { bytesOf, newContent } from "../content.ts";
import { chance, randomInt } from "../random.ts";

export const SEEDED = 600;

/** Uploads files that nobody changes: small ones, a few of some megabytes, and empty folders. */
export async function seed(server: Reachable): Promise<void> {
  const a = api(server);
  await forEachConcurrently(Array(SEEDED).keys(), 16, async (n) => {
    const size = chance(0.03) ? randomInt(1_000_000, 4_000_000) : randomInt(0, 40_000);
    await a.put(`seed/${n % 17}/${n % 5}/${n}.bin`, bytesOf(newContent(size)));
  });
  for (const name of ["empty", "empty too/inside"]) await a.folder(`seed/${name}`);
}

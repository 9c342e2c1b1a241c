import { join } from "node:path";
import { api, type Reachable } from "../test/client.ts";
import { blobsOf } from "../test/snapshot.ts";

/** The path of the next upload's blob, derived from a probe upload that is deleted again. */
export async function nextBlob(server: Reachable & { readonly dataPath: string }): Promise<{
  readonly blob: string;
  readonly block: string;
}> {
  const before = new Set(blobsOf(server.dataPath));
  const { id } = await api(server).put("probe.bin", "probe");
  const [added] = blobsOf(server.dataPath).filter((blob) => !before.has(blob));
  const answer = await api(server).json("DELETE", "/api/files", { id });
  const [, block, position] = /^([0-9a-f]{11})\/([0-9a-f]{2}) /.exec(added ?? "") ?? [];
  if (answer.status !== 200 || block === undefined || position === undefined) {
    throw new Error(`The probe failed: ${answer.text}`);
  }
  const next = Number.parseInt(position, 16) + 1;
  // The last id of a block does not predict the next block, so probe again.
  if (next > 0xff) return await nextBlob(server);
  const folder = join(server.dataPath, "blobs", block);
  return { block: folder, blob: join(folder, next.toString(16).padStart(2, "0")) };
}

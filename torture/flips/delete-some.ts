import { api } from "../../test/client.ts";
import { digestOf } from "../inventory.ts";
import type { ServerProcess } from "../server-process.ts";

const DELETIONS = 15;

/**
 * Deletes some files, and removes what they contained from the expected contents. A damaged catalog
 * may refuse anything, but a deletion must not take the bytes of another file. The files are read by
 * id: the URL of one whose folder has a damaged name leads nowhere.
 */
export async function deleteSome(server: ServerProcess, expected: Set<string>): Promise<void> {
  const files = await api(server)
    .list(`?limit=${DELETIONS}&orderBy=size`)
    .catch(() => []);
  for (const { id } of files) {
    const { status, bytes } = await api(server).get(`/api/files/download/${id}`);
    const deleted = await api(server).json("DELETE", "/api/files", { id });
    if (status === 200 && deleted.status === 200) expected.delete(digestOf(bytes));
  }
}

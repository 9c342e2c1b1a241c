import { api, type Reachable } from "../../test/client.ts";
import type { TreeContent } from "../../test/feed-tree.ts";
import { field, filePart } from "../../test/multipart.ts";
import { chance, pickAny, pickOne, randomInt } from "../random.ts";

/** Clients that change the tree at random. */
export interface TreeChurn {
  /** Answered with 200. */
  readonly count: number;
  /** Ends the clients. */
  end(): Promise<void>;
}

const LANES = 8;
// Few names, so that they meet often; prefixes of each other.
const NAMES = ["a", "ab", "a_b", "b", "é😀"] as const;
const CONFLICTS = ["refuse", "replace", "keepBoth", "skip"] as const;
const VISIBILITIES = ["public", "private"] as const;
/** More would make comparing slow. */
const MAX_FILES = 150;

const somePath = (): string =>
  Array.from({ length: randomInt(0, 4) }, () => pickOne(NAMES)).join("/");

/** `seen` is what the clients choose from; it need not be current. */
export function startChurn(servers: readonly Reachable[], seen: () => TreeContent): TreeChurn {
  let isEnded = false;
  let count = 0;

  async function lane(): Promise<void> {
    while (!isEnded) {
      const server = pickAny(servers);
      if (server === undefined) return;
      const answer = await act(server, seen()).catch(() => undefined);
      if (answer?.status === 200) count += 1;
      // The server is down.
      if (answer === undefined) await Bun.sleep(20);
    }
  }
  const running = Promise.all(Array.from({ length: LANES }, lane));

  return {
    get count() {
      return count;
    },
    async end() {
      isEnded = true;
      await running;
    },
  };
}

function act(server: Reachable, { files, folders }: TreeContent) {
  const { json, upload } = api(server);
  const file = pickAny(files);
  const folder = pickAny(folders.filter(({ parentId }) => parentId !== null));
  const to = pickAny(folders)?.id;
  const kind = randomInt(0, 12);
  const visibility = chance(0.3) ? pickOne(VISIBILITIES) : undefined;
  if (file !== undefined && (kind < 2 || files.length > MAX_FILES)) {
    return json("DELETE", "/api/files", { ids: [file.id, pickAny(files)?.id] });
  }
  if (kind === 2 && folder !== undefined) return json("DELETE", "/api/folders", { id: folder.id });
  if (kind === 3 && folder !== undefined) {
    return json("PUT", "/api/folders", { id: folder.id, name: pickOne(NAMES), visibility });
  }
  if (kind === 4 && folder !== undefined) {
    return json("PUT", "/api/folders", { id: folder.id, parentId: to, visibility });
  }
  if (kind === 5 && folder !== undefined) {
    return json("PUT", "/api/folders", { id: folder.id, visibility: pickOne(VISIBILITIES) });
  }
  if (kind === 6) return json("POST", "/api/folders", { folder: somePath() || "a" });
  if (kind < 9 && file !== undefined) {
    return json("PUT", "/api/files", {
      id: file.id,
      name: pickOne(NAMES),
      folderId: to,
      visibility,
    });
  }
  const names = [...new Set([pickOne(NAMES), pickOne(NAMES)])];
  return upload([
    field("folder", somePath()),
    field("onConflict", pickOne(CONFLICTS)),
    ...names.map((name) => filePart(name, name)),
  ]);
}

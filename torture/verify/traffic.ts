import { randomBytes } from "node:crypto";
import { api, type Reachable } from "../../test/client.ts";
import { expectData } from "../../test/expectations.ts";
import { field, filePart } from "../../test/multipart.ts";
import { filesData } from "../../test/shapes.ts";
import { randomInt } from "../random.ts";

/** Uploads `count` files in requests of 25; returns their ids. */
export async function uploadMany(server: Reachable, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += 25) {
    const size = Math.min(25, count - from);
    const parts = Array.from({ length: size }, (_, n) =>
      filePart(`file ${from + n}`, randomBytes(randomInt(1, 40_000))),
    );
    const folder = field("folder", `upload ${Math.floor(from / 500)}`);
    const answer = await api(server).upload([folder, ...parts]);
    ids.push(...expectData(answer, filesData).files.map(({ id }) => id));
  }
  return ids;
}

/**
 * Uploads and deletes continuously. The returned function stops it and returns the rounds and
 * problems.
 */
export function startTraffic(
  server: Reachable,
): () => Promise<{ rounds: number; problems: string[] }> {
  let isOver = false;
  let rounds = 0;
  const problems: string[] = [];
  const runLane = async (number: number): Promise<void> => {
    while (!isOver) {
      rounds += 1;
      try {
        const round = await uploadRound(server, `traffic/${number}-${rounds}`);
        await api(server).json("DELETE", "/api/files", { ids: round.slice(1) });
      } catch (error) {
        problems.push(
          `Concurrent upload: ${error instanceof Error ? error.message : String(error)}`,
        );
        return;
      }
    }
  };
  const lanes = [runLane(1), runLane(2)];
  return async () => {
    isOver = true;
    await Promise.all(lanes);
    return { rounds, problems };
  };
}

async function uploadRound(server: Reachable, folder: string): Promise<string[]> {
  const sizes = [0, 1000, 300_000, 3_000_000];
  const answer = await api(server).upload([
    field("folder", folder),
    ...sizes.map((size) => filePart(`${size}`, randomBytes(size))),
  ]);
  return expectData(answer, filesData).files.map(({ id }) => id);
}

import { api, type Reachable } from "../../test/client.ts";
import { bytesOf, newContent } from "../content.ts";
import { digestOf } from "../inventory.ts";
import { chance, pickAny, randomInt } from "../random.ts";

/** One uploaded file, with a unique key. Times are `performance.now()`. */
export interface ChurnFile {
  readonly digest: string;
  readonly size: number;
  id?: string;
  /** When the upload was acknowledged; undefined: not yet. */
  stored?: number;
  /** When its deletion was requested and acknowledged. */
  deleting?: number;
  deleted?: number;
}

/** Continuous uploads and deletions, with a ledger. */
export interface Churn {
  /** All files ever sent, by key. */
  readonly files: ReadonlyMap<string, ChurnFile>;
  /** Stops after the requests in progress. */
  stop(): Promise<void>;
}

const MAX_FILES = 400;

/** Starts `workers` concurrent clients. Unexpected responses go to `onProblem`. */
export function startChurn(
  server: Reachable,
  workers: number,
  onProblem: (problem: string) => void,
): Churn {
  const a = api(server);
  const files = new Map<string, ChurnFile>();
  let isOver = false;

  async function upload(worker: number, n: number): Promise<void> {
    const key = `churn/${worker}/${randomInt(0, 5)}/${n}.bin`;
    const size = chance(0.05) ? randomInt(500_000, 2_000_000) : randomInt(0, 30_000);
    const bytes = bytesOf(newContent(size));
    const file: ChurnFile = { digest: digestOf(bytes), size };
    files.set(key, file);
    file.id = (await a.put(key, bytes)).id;
    file.stored = performance.now();
  }

  async function remove(key: string, file: ChurnFile): Promise<void> {
    const { id } = file;
    file.deleting = performance.now();
    const answer = await a.json("DELETE", "/api/files", { id });
    if (answer.status !== 200) onProblem(`Deleting ${key} got ${answer.status}.`);
    file.deleted = performance.now();
  }

  async function work(worker: number): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const deletable = [...files].filter(
        ([key, { stored, deleting }]) =>
          key.startsWith(`churn/${worker}/`) && stored !== undefined && deleting === undefined,
      );
      const [key, file] = pickAny(deletable) ?? [];
      try {
        if (
          key !== undefined &&
          file !== undefined &&
          chance(deletable.length / (MAX_FILES / workers))
        ) {
          await remove(key, file);
        } else await upload(worker, n);
      } catch (error) {
        onProblem(`A writer failed: ${error instanceof Error ? error.message : error}`);
        return;
      }
    }
  }

  const running = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  return {
    files,
    async stop() {
      isOver = true;
      await running;
    },
  };
}

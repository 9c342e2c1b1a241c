import { type Failure, fromFailure } from "../../domain/faults/failure.ts";

/**
 * Copies the catalog `from`, which may be in use, as of one moment into the file `to`, which is
 * replaced. When it resolves, the copy survives a power cut. Fault "no_space".
 */
export async function takeSnapshot(from: string, to: string): Promise<void> {
  const thread = new Worker(new URL("./snapshot-thread.ts", import.meta.url));
  try {
    await new Promise<void>((resolve, reject) => {
      thread.addEventListener("message", ({ data }: MessageEvent<Failure | null>) => {
        if (data === null) resolve();
        else reject(fromFailure(data));
      });
      thread.addEventListener("error", (event) => reject(new Error(event.message)));
      thread.postMessage({ from, to });
    });
  } finally {
    thread.terminate();
  }
}

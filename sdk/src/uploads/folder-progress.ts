import type { Progress } from "../files/upload.ts";
import type { FolderItem } from "./folder-items.ts";

export interface FolderProgress extends Progress {
  readonly total: number;
  /** Complete files. */
  readonly files: number;
  readonly totalFiles: number;
}

/** A request in progress. */
export interface Started {
  /** Bytes of this request that were sent so far. */
  report(loaded: number): void;
  end(): void;
}

/** Adds up the progress of all requests. */
export function trackProgress(
  items: readonly FolderItem[],
  onProgress: ((progress: FolderProgress) => void) | undefined,
) {
  const total = items.reduce((sum, { size }) => sum + size, 0);
  const pending = new Map<symbol, number>();
  let bytes = 0;
  let files = 0;
  const publish = (): void => {
    const sent = [...pending.values()].reduce((sum, loaded) => sum + loaded, bytes);
    onProgress?.({ loaded: Math.min(total, sent), total, files, totalFiles: items.length });
  };
  return {
    complete(done: readonly FolderItem[]): void {
      files += done.length;
      bytes += done.reduce((sum, { size }) => sum + size, 0);
      publish();
    },
    start(): Started {
      const id = Symbol();
      return {
        report(loaded) {
          pending.set(id, loaded);
          publish();
        },
        end: () => void pending.delete(id),
      };
    },
  };
}

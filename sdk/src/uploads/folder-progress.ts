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
  let sent = 0;
  let files = 0;
  const publish = (): void =>
    onProgress?.({ loaded: Math.min(total, sent), total, files, totalFiles: items.length });
  return {
    complete(done: readonly FolderItem[]): void {
      files += done.length;
      sent += done.reduce((sum, { size }) => sum + size, 0);
      publish();
    },
    start(): Started {
      let own = 0;
      return {
        report(loaded) {
          sent += loaded - own;
          own = loaded;
          publish();
        },
        end() {
          sent -= own;
        },
      };
    },
  };
}

import { formatExactBytes } from "../../../contract/text/format-exact-bytes.ts";
import { fail } from "./queue.ts";
import type { Work } from "./work.ts";

/** The limits of the server. */
export interface Limits {
  /** The most files in one request. */
  readonly files: number;
  /** The most bytes of one file. */
  readonly bytes: number;
}

export interface UploadLimits {
  /** In one request, as far as it is known. */
  maxFiles(): number;
  /** Reads the limits, unless they are known, and fails the files that are too large. Never rejects. */
  apply(): Promise<void>;
  /** Makes `apply` read them again. */
  forget(): void;
}

export function createUploadLimits(work: Work, read: () => Promise<Limits>): UploadLimits {
  let limits: Limits = { files: 1, bytes: Number.POSITIVE_INFINITY };
  let isKnown = false;

  async function load(): Promise<void> {
    if (isKnown) return;
    try {
      limits = await read();
      isKnown = true;
    } catch {
      // The server enforces the limits anyway, only later.
      limits = { files: 100, bytes: Number.POSITIVE_INFINITY };
    }
  }

  return {
    maxFiles: () => limits.files,
    async apply() {
      await load();
      failTooLarge(work, limits);
    },
    forget() {
      isKnown = false;
    },
  };
}

function failTooLarge(work: Work, { bytes }: Limits): void {
  for (const { id, state, size, name } of work.items) {
    if (state !== "waiting" || size <= bytes) continue;
    const message = `“${name}” is larger than the limit of ${formatExactBytes(bytes)}.`;
    work.items = fail(work.items, new Set([id]), message);
  }
}

/**
 * A store that notes unfinished uploads, so that they continue after a reload or in another process.
 * `localStorage` is one. The values contain upload URLs, which let anyone continue the upload.
 */
export interface ResumeStore {
  getItem(key: string): string | null | undefined | Promise<string | null | undefined>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}

/** An entry of a store. */
export interface ResumeNote {
  /** The upload URL or the batch URL. */
  readonly url: string;
  /** When it was created, in milliseconds since 1970, by the clock of this machine. */
  readonly at: number;
}

/** Reads and writes one entry. A store that fails, such as a full one, does not stop the upload. */
export interface ResumeEntry {
  read(): Promise<ResumeNote | undefined>;
  write(note: ResumeNote): Promise<void>;
  remove(): Promise<void>;
}

/** `parts` identify the content and its target; undefined: they cannot be recognized later. */
export function resumeEntry(
  store: ResumeStore | undefined,
  parts: readonly unknown[] | undefined,
): ResumeEntry | undefined {
  if (!store || !parts) return undefined;
  const key = `holdall-upload:${JSON.stringify(parts)}`;
  const ignoreFailure = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch {
      // The upload still works, only without the note.
    }
  };
  return {
    async read() {
      try {
        const { url, at } = JSON.parse((await store.getItem(key)) ?? "");
        return typeof url === "string" && typeof at === "number" ? { url, at } : undefined;
      } catch {
        return undefined;
      }
    },
    write: (note) => ignoreFailure(() => store.setItem(key, JSON.stringify(note))),
    remove: () => ignoreFailure(() => store.removeItem(key)),
  };
}

/** Values that this process keeps for an upload until its next request, for a limited time. */
export interface KeptBriefly<T> {
  /** Removes what was kept at this position; undefined: it is not here. */
  take(uploadId: string, position: number): T | undefined;
  /** Replaces what was kept of the upload. */
  keep(uploadId: string, position: number, value: T): void;
  /** Ends what was kept of the upload, unless it is another value than the given one. */
  drop(uploadId: string, value?: T): Promise<void>;
  close(): Promise<void>;
}

export interface KeptBrieflyOptions<T> {
  readonly maxUploads: number;
  readonly keptMs: number;
  /** Called with each value that nobody takes. */
  readonly end: (value: T) => Promise<void> | void;
}

export function createKeptBriefly<T>({
  maxUploads,
  keptMs,
  end,
}: KeptBrieflyOptions<T>): KeptBriefly<T> {
  interface Entry {
    readonly position: number;
    readonly value: T;
    readonly timer: ReturnType<typeof setTimeout>;
  }
  const entries = new Map<string, Entry>();

  function remove(uploadId: string): Entry | undefined {
    const entry = entries.get(uploadId);
    entries.delete(uploadId);
    clearTimeout(entry?.timer);
    return entry;
  }

  async function drop(uploadId: string, value?: T): Promise<void> {
    if (value !== undefined && entries.get(uploadId)?.value !== value) return;
    const entry = remove(uploadId);
    if (entry !== undefined) await end(entry.value);
  }

  return {
    drop,
    take(uploadId, position) {
      const entry = remove(uploadId);
      if (entry?.position === position) return entry.value;
      if (entry !== undefined) void end(entry.value);
      return undefined;
    },
    keep(uploadId, position, value) {
      void drop(uploadId);
      const [oldest] = entries.keys();
      if (entries.size >= maxUploads && oldest !== undefined) void drop(oldest);
      const timer = setTimeout(() => void drop(uploadId), keptMs);
      timer.unref();
      entries.set(uploadId, { position, value, timer });
    },
    async close() {
      await Promise.all(Array.from(entries.keys(), (uploadId) => drop(uploadId)));
    },
  };
}

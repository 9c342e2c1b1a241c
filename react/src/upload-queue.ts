import {
  cancelUploadTo,
  HoldallError,
  type ResumeEntry,
  type ResumeStore,
  resumeEntry,
  type UploadedFile,
  uploadTo,
} from "../../sdk/src/upload-only.ts";
import { type FileChoice, type FileToUpload, filesIn } from "./files-in.ts";

/** `paused`: until `resume`. `failed`: until `retry`. */
export type UploadStatus = "waiting" | "sending" | "paused" | "failed" | "complete";

/** A file and how far it is. Every change makes a new object. */
export interface UploadItem extends FileToUpload {
  /** Unique in this queue. */
  readonly id: string;
  readonly status: UploadStatus;
  /** Bytes that have been sent. After an interruption, those that the server has. */
  readonly loaded: number;
  /** Why it failed; what `request` threw, or a `HoldallError` with a `code`. */
  readonly error: Error | undefined;
  /** The stored file, once it is complete. undefined: the name was taken, and the file was skipped. */
  readonly stored: UploadedFile | undefined;
}

export interface UploadQueueOptions {
  /**
   * Asks the server of the app for an upload URL for the file. The app decides there who may upload what, and
   * creates the URL with its API key: `holdall.uploads.create()`.
   */
  readonly request: (file: FileToUpload, signal: AbortSignal) => Promise<string>;
  /** Files that are sent at once. Default: 3. */
  readonly concurrency?: number | undefined;
  /**
   * Where unfinished uploads are noted, so that a file continues when it is chosen again after a reload. Default:
   * `localStorage`; `null`: nowhere.
   */
  readonly store?: ResumeStore | null | undefined;
  /** Where the files go, such as the id of an album, so that a file that is chosen for another place begins anew. */
  readonly target?: string | undefined;
  readonly onComplete?: ((item: UploadItem) => void) | undefined;
}

export interface UploadProgress {
  /** Bytes of all files, without failed ones. */
  readonly loaded: number;
  readonly total: number;
  readonly files: number;
  readonly complete: number;
  readonly failed: number;
}

export interface UploadQueueState {
  readonly items: readonly UploadItem[];
  readonly progress: UploadProgress;
}

export interface UploadActions {
  /** Adds files of an `<input type="file">`, or of a drop, with the files of dropped folders. */
  add(files: FileChoice): Promise<void>;
  /** Stops sending: one file, or all. What the server has stays there. */
  pause(id?: string): void;
  /** Continues paused files where they were: one, or all. */
  resume(id?: string): void;
  /** Tries failed files again: one, or all. */
  retry(id?: string): void;
  /** Removes unfinished files from the list and from the server: one, or all. */
  cancel(id?: string): void;
  /** Removes the complete files from the list. */
  clear(): void;
}

export interface UploadQueue extends UploadActions {
  /** Uses these options from now on. */
  configure(options: UploadQueueOptions): void;
  /** Sends until the returned function is called; what is being sent then waits for the next start. */
  start(): () => void;
  subscribe(listener: () => void): () => void;
  readonly state: () => UploadQueueState;
}

interface Task {
  item: UploadItem;
  url: string | undefined;
  /** Whether the URL was noted in an earlier page, and may have ended since. */
  isNoted: boolean;
  sending: AbortController | undefined;
}

const EMPTY: UploadQueueState = {
  items: [],
  progress: { loaded: 0, total: 0, files: 0, complete: 0, failed: 0 },
};
const CONCURRENCY = 3;

/** Sends files to upload URLs, a few at a time, in the order in which they were added. */
export function createUploadQueue(): UploadQueue {
  const listeners = new Set<() => void>();
  let tasks: readonly Task[] = [];
  let shown = EMPTY;
  let options: UploadQueueOptions | undefined;
  let isStarted = false;
  let isTelling = false;
  let lastId = 0;

  /** Several changes of one moment are told at once. */
  function changed(): void {
    if (isTelling) return;
    isTelling = true;
    queueMicrotask(() => {
      isTelling = false;
      const items = tasks.map(({ item }) => item);
      shown = { items, progress: sum(items) };
      for (const listener of listeners) listener();
    });
  }

  function update(task: Task, change: Partial<UploadItem>): void {
    task.item = { ...task.item, ...change };
    changed();
  }

  const chosen = (id: string | undefined, statuses: readonly UploadStatus[]): Task[] =>
    tasks.filter(({ item }) => (id ?? item.id) === item.id && statuses.includes(item.status));

  function setAll(found: readonly Task[], status: UploadStatus): void {
    for (const task of found) {
      update(task, { status, error: undefined });
      task.sending?.abort();
    }
    sendNext();
  }

  function sendNext(): void {
    if (!isStarted || options === undefined) return;
    const free = (options.concurrency ?? CONCURRENCY) - tasks.filter(isSending).length;
    const waiting = tasks.filter((task) => task.item.status === "waiting" && !isSending(task));
    for (const task of waiting.slice(0, Math.max(0, free))) void send(task, options);
  }

  function noteOf({ item: { path, size, file } }: Task): ResumeEntry | undefined {
    const { store = localStore(), target = null } = options ?? {};
    return resumeEntry(store ?? undefined, [target, path, size, file.lastModified]);
  }

  async function send(task: Task, { request, onComplete }: UploadQueueOptions) {
    const { file, path, name, type, size } = task.item;
    const sending = new AbortController();
    const { signal } = sending;
    task.sending = sending;
    update(task, { status: "sending", error: undefined });
    const note = noteOf(task);

    async function requestUrl(): Promise<string> {
      const noted = (await note?.read())?.url;
      // The same file twice in the list are two uploads.
      task.isNoted = noted !== undefined && !tasks.some(({ url }) => url === noted);
      if (noted !== undefined && task.isNoted) return noted;
      const url = await request({ file, path, name, type, size }, signal);
      if (!tasks.includes(task)) {
        cancelOnServer(url);
        throw signal.reason;
      }
      await note?.write({ url, at: Date.now() });
      return url;
    }

    try {
      task.url ??= await requestUrl();
      const stored = await uploadTo(task.url, file, {
        signal,
        onProgress: ({ loaded }) => signal.aborted || update(task, { loaded }),
      });
      await note?.remove();
      update(task, { status: "complete", loaded: size, stored });
      onComplete?.(task.item);
    } catch (error) {
      if (signal.aborted) {
        if (task.item.status === "sending") update(task, { status: "waiting" });
      } else if (hasEnded(error)) {
        await note?.remove();
        task.url = undefined;
        if (task.isNoted) update(task, { status: "waiting", loaded: 0 });
        else update(task, { status: "failed", error: asError(error) });
      } else update(task, { status: "failed", error: asError(error) });
    } finally {
      if (task.sending === sending) task.sending = undefined;
      sendNext();
    }
  }

  function remove(found: readonly Task[]): void {
    tasks = tasks.filter((task) => !found.includes(task));
    for (const task of found) {
      task.sending?.abort();
      void noteOf(task)?.remove();
      if (task.url !== undefined) cancelOnServer(task.url);
    }
    changed();
    sendNext();
  }

  return {
    async add(files) {
      for await (const found of filesIn(files)) {
        lastId += 1;
        const begin = {
          status: "waiting",
          loaded: 0,
          error: undefined,
          stored: undefined,
        } as const;
        const item: UploadItem = { ...found, ...begin, id: String(lastId) };
        tasks = [...tasks, { item, url: undefined, isNoted: false, sending: undefined }];
        changed();
      }
      sendNext();
    },
    pause: (id) => setAll(chosen(id, ["waiting", "sending"]), "paused"),
    resume: (id) => setAll(chosen(id, ["paused"]), "waiting"),
    retry: (id) => setAll(chosen(id, ["failed"]), "waiting"),
    cancel: (id) => remove(chosen(id, ["waiting", "sending", "paused", "failed"])),
    clear() {
      tasks = tasks.filter(({ item }) => item.status !== "complete");
      changed();
    },
    configure(next) {
      options = next;
      sendNext();
    },
    start() {
      isStarted = true;
      sendNext();
      return () => {
        isStarted = false;
        for (const task of tasks) task.sending?.abort();
      };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => shown,
  };
}

const isSending = ({ sending }: Task): boolean => sending !== undefined;

/** If this fails, the upload ends by itself when it expires. */
function cancelOnServer(url: string): void {
  cancelUploadTo(url).catch(() => {});
}

/** The upload URL is not valid any more. */
const hasEnded = (error: unknown): boolean =>
  error instanceof HoldallError && (error.status === 404 || error.status === 410);

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

/** undefined: the browser has none, or the user has blocked it. */
function localStore(): ResumeStore | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

function sum(items: readonly UploadItem[]): UploadProgress {
  const count = (status: UploadStatus) => items.filter((item) => item.status === status).length;
  const valid = items.filter(({ status }) => status !== "failed");
  return {
    loaded: valid.reduce((total, { loaded }) => total + loaded, 0),
    total: valid.reduce((total, { size }) => total + size, 0),
    files: items.length,
    complete: count("complete"),
    failed: count("failed"),
  };
}

import { type Reachable, send } from "../../test/client.ts";
import type { HttpResponse } from "../../test/http-response.ts";
import { digestOf } from "../inventory.ts";
import { append, readState, type UploadState } from "./upload-client.ts";

/** A resumable upload as its client knows it. */
export interface UploadNotes {
  /** Path of the upload URL. */
  readonly path: string;
  /** Where the file will appear. */
  readonly key: string;
  readonly content: Uint8Array;
  /** The highest offset that the server has acknowledged. */
  readonly acknowledged: number;
  /** Whether the file stays invisible, because its batch is not committed. */
  readonly isSealed?: boolean;
  /** The content of the file that it replaces. */
  readonly replaced?: Uint8Array;
}

/** Checks every response about one upload against the promises. */
export interface TrackedUpload extends UploadNotes {
  readonly isComplete: boolean;
  /**
   * Asks for the offset. Reports an offset below an acknowledged one, an upload that is called
   * complete without its file, and a visible file that is not whole. A status other than 200 is left to
   * the caller.
   */
  ask(server: Reachable): Promise<UploadState>;
  /** Sends up to `size` bytes from the acknowledged offset on. Throws without a response. */
  send(server: Reachable, size: number): Promise<HttpResponse>;
  /** Notes the offset in a response that the client has received. */
  note(answer: HttpResponse): void;
  /** Sends all remaining bytes, as often as needed. Throws if the upload cannot be completed. */
  finish(server: Reachable): Promise<void>;
}

/** Another writer holds an upload at most this long. */
const MAX_LOCKED_MS = 30_000;

/** `onBroken` gets a sentence for every broken promise. */
export function trackUpload(notes: UploadNotes, onBroken: (text: string) => void): TrackedUpload {
  const { path, key, content, isSealed = false, replaced } = notes;
  let { acknowledged } = notes;
  let isComplete = false;

  function noteOffset(offset: number, source: string): void {
    if (offset < acknowledged)
      onBroken(`${key}: ${source} says ${offset}, but ${acknowledged} was acknowledged before.`);
    acknowledged = Math.max(acknowledged, offset);
  }

  /** Whether the file is visible. */
  async function isVisible(server: Reachable): Promise<boolean> {
    const { status, bytes } = await send(server, "GET", `/api/hosting/${key}`);
    if (status === 404) return false;
    if (status !== 200) throw new Error(`${key}: hosting responded with ${status}.`);
    if (replaced !== undefined && digestOf(bytes) === digestOf(replaced)) return false;
    if (digestOf(bytes) !== digestOf(content)) {
      onBroken(`${key} is visible with ${bytes.length} bytes that are not the file's.`);
    }
    return true;
  }

  async function checkVisibility(server: Reachable, state: UploadState): Promise<void> {
    const visible = await isVisible(server);
    if (isSealed) {
      if (visible) onBroken(`${key} is visible before the commit of its batch.`);
    } else if (state.isComplete && !visible) {
      onBroken(`${key} is called complete, but is not visible.`);
    } else if (visible && !state.isComplete && !(await readState(server, path)).isComplete) {
      onBroken(`${key} is visible, but its upload is called incomplete.`);
    }
  }

  async function ask(server: Reachable): Promise<UploadState> {
    const state = await readState(server, path);
    if (state.status !== 200) return state;
    noteOffset(state.offset, "HEAD");
    if (state.isComplete !== (state.offset === content.length)) {
      onBroken(`${key}: HEAD says ${JSON.stringify(state)}.`);
    }
    isComplete = state.isComplete;
    await checkVisibility(server, state);
    return state;
  }

  function note(answer: HttpResponse): void {
    const offset = answer.header("upload-offset");
    if (answer.status !== 204 || offset === null) return;
    noteOffset(Number(offset), "PATCH");
    isComplete = answer.header("upload-complete") === "?1";
  }

  return {
    path,
    key,
    content,
    isSealed,
    get acknowledged() {
      return acknowledged;
    },
    get isComplete() {
      return isComplete;
    },
    ask,
    note,
    send: (server, size) =>
      append(server, path, acknowledged, content.subarray(acknowledged, acknowledged + size)),
    async finish(server) {
      const until = performance.now() + MAX_LOCKED_MS;
      for (;;) {
        const { status } = await ask(server);
        if (status !== 200) throw new Error(`${key}: HEAD responded with ${status}.`);
        if (isComplete) return;
        const answer = await append(server, path, acknowledged, content.subarray(acknowledged));
        note(answer);
        if (answer.status === 204) continue;
        const mayRepeat = answer.status === 409 || answer.status === 423;
        if (!mayRepeat || performance.now() > until) {
          throw new Error(`${key}: PATCH responded with ${answer.status} ${answer.text}`);
        }
        await Bun.sleep(100);
      }
    },
  };
}

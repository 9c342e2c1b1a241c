import type { ChangeObject } from "../../contract/api.ts";
import { type Data, lists, open, type Query } from "./connection/call.ts";
import { eitherSignal } from "./connection/either-signal.ts";
import { HoldallError, incomplete } from "./connection/error.ts";
import { readEventStream } from "./connection/event-stream.ts";
import type { CallOptions } from "./connection/options.ts";
import { backoff, wait } from "./connection/retry.ts";
import type { Transport } from "./connection/transport.ts";

/** `changes` has the oldest first; `cursor` is the `since` of the next page. */
export type ChangePage = Data<"listChanges">;

export type ChangeParameters = Query<"listChanges">;

export interface FollowOptions extends CallOptions {
  /** A cursor of an earlier change or page. Default: the end of the feed, once the stream is open. */
  readonly since?: string | undefined;
  /** The id or key of a folder: only changes in it. */
  readonly folder?: string | undefined;
  /** Called when the stream is open, also after it was interrupted. */
  readonly onOpen?: (() => void) | undefined;
}

/**
 * The change feed. Every method throws a `HoldallError` if the request fails; 410: the feed does not
 * reach back to the cursor, so list the files and folders again.
 */
export interface Changes {
  /** The changes after `since`, oldest first; without it none, and the current cursor. */
  list(options?: ChangeParameters & CallOptions): Promise<ChangePage>;
  /**
   * Every change from `since` on, as it happens. Connects again after an interruption, and continues
   * after the last change. Ends by `break` or the signal, with whose reason it throws.
   */
  follow(options?: FollowOptions): AsyncGenerator<ChangeObject, void>;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;
/** The server sends a comment every 15 seconds. */
const SILENCE_MS = 45_000;

export function createChanges(transport: Transport): Changes {
  async function openStream(
    { folder, signal }: FollowOptions,
    since: string | undefined,
  ): Promise<ReadableStream<Uint8Array>> {
    const response = await open(transport, "listChanges", {
      query: { since, folder },
      headers: { Accept: "text/event-stream" },
      signal,
    });
    if (response.body) return response.body;
    throw incomplete();
  }

  return {
    list: lists(transport, "listChanges"),

    async *follow(options = {}) {
      const { signal } = options;
      let { since } = options;
      for (let failures = 0; ; failures += 1) {
        const silence = new AbortController();
        const either = eitherSignal(signal, silence);
        let timer: ReturnType<typeof setTimeout> | undefined;
        const expectSign = (): void => {
          clearTimeout(timer);
          timer = setTimeout(() => silence.abort(), SILENCE_MS);
        };
        try {
          const body = await openStream({ ...options, signal: either }, since);
          options.onOpen?.();
          expectSign();
          for await (const { id, data } of readEventStream(body)) {
            clearTimeout(timer);
            failures = 0;
            since = id ?? since;
            // The consumer may take its time.
            if (data) yield JSON.parse(data) as ChangeObject;
            expectSign();
          }
        } catch (error) {
          signal?.throwIfAborted();
          if (isFinal(error)) throw error;
        } finally {
          clearTimeout(timer);
          silence.abort();
        }
        await wait(backoff(failures, FIRST_DELAY_MS, MAX_DELAY_MS), signal);
      }
    },
  };
}

/** Whether the server has refused the request, so that another try gets the same response. */
const isFinal = (error: unknown): boolean =>
  error instanceof HoldallError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429;

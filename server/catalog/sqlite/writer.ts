import { fromFailure, toFailure } from "../../domain/faults/failure.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { Writer } from "../engine/engine.ts";
import type { Answer, FromThread, SentChange, ToThread } from "./writer-thread.ts";

export function startWriterThread(): Worker {
  return new Worker(new URL("./writer-thread.ts", import.meta.url));
}

/**
 * Makes the changes on a thread of their own. When the thread or an fsync fails, the pending changes
 * and all later ones fail with "unavailable", and `onFatal` is called once: only a restart helps. It
 * is unknown then whether the pending changes were kept.
 */
export async function openThreadWriter(
  path: string,
  onFatal: (error: Error) => void,
  thread: Worker = startWriterThread(),
): Promise<Writer> {
  const pending = new Map<number, (answer: Answer) => void>();
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let lastId = 0;
  let unsent: SentChange[] = [];
  /** Why no further change is accepted. */
  let refusal: Error | undefined;
  let ended = false;

  function send(message: ToThread): void {
    thread.postMessage(message);
  }

  function receive(message: FromThread): void {
    if (message.type === "opened") opened.resolve();
    else if (message.type === "not opened") opened.reject(fromFailure(message.failure));
    else if (message.type === "broken") breakDown(message.reason);
    else if (message.type === "closed") closed.resolve();
    else for (const answer of message.answers) resolveWith(answer);
  }

  function resolveWith(answer: Answer): void {
    pending.get(answer.id)?.(answer);
    pending.delete(answer.id);
  }

  /** Sends the change together with changes of other requests that are ready now. */
  function sendSoon(change: SentChange): void {
    if (unsent.length === 0) setImmediate(sendChanges);
    unsent.push(change);
  }

  function sendChanges(): void {
    if (unsent.length > 0) send({ type: "changes", changes: unsent });
    unsent = [];
  }

  function breakDown(reason: string): void {
    if (ended) return;
    ended = true;
    const error = new Error(`The catalog's writer has broken down: ${reason}`);
    const isClosing = refusal !== undefined;
    const broken = new Fault("unavailable", "The catalog's writer has broken down.");
    refusal ??= broken;
    for (const [id, answer] of pending) answer({ type: "failed", id, failure: toFailure(broken) });
    pending.clear();
    opened.reject(error);
    closed.resolve();
    if (!isClosing) onFatal(error);
  }

  function end(): void {
    ended = true;
    thread.terminate();
  }

  thread.addEventListener("message", (event: MessageEvent) => receive(event.data));
  thread.addEventListener("error", (event) => breakDown(event.message));
  thread.addEventListener("close", () => breakDown("its thread has ended"));
  send({ type: "open", path });
  try {
    await opened.promise;
  } catch (cause) {
    refusal ??= new Fault("unavailable", "The catalog is closed.");
    end();
    throw cause;
  }

  return {
    change(name, input, caller) {
      if (refusal !== undefined) return Promise.reject(refusal);
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        sendSoon({ id, name, input, caller });
        pending.set(id, (answer) => {
          if (answer.type === "done") resolve(answer.result);
          else reject(fromFailure(answer.failure));
        });
      });
    },
    async close() {
      if (refusal === undefined) {
        refusal = new Fault("unavailable", "The catalog is closed.");
        sendChanges();
        send({ type: "close" });
      }
      await closed.promise;
      end();
    },
  };
}

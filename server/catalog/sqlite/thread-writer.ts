import { fromFailure, toFailure } from "../../rules/failure.ts";
import { Fault } from "../../rules/fault.ts";
import type { Answer, FromWriter, ToWriter } from "./messages.ts";
import type { Writer } from "./writer.ts";

export function startWriterThread(): Worker {
  return new Worker(new URL("./writer-thread.ts", import.meta.url));
}

/**
 * Makes the changes on a thread of their own. Should the thread or an fsync fail, the changes under
 * way and all later ones fail with "unavailable", and `onFatal` is told once: there is no way on but a
 * new start. Whether the changes under way were kept is unknown then.
 */
export async function openThreadWriter(
  path: string,
  onFatal: (error: Error) => void,
  thread: Worker = startWriterThread(),
): Promise<Writer> {
  const underWay = new Map<number, (answer: Answer) => void>();
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let lastId = 0;
  /** Why no further change is taken. */
  let end: Error | undefined;
  let gone = false;

  function send(message: ToWriter): void {
    thread.postMessage(message);
  }

  function receive(message: FromWriter): void {
    if (message.type === "opened") opened.resolve();
    else if (message.type === "refused") opened.reject(fromFailure(message.failure));
    else if (message.type === "broken") breakDown(message.reason);
    else if (message.type === "finished") ended.resolve();
    else {
      underWay.get(message.id)?.(message);
      underWay.delete(message.id);
    }
  }

  function breakDown(reason: string): void {
    if (gone) return;
    gone = true;
    const error = new Error(`The catalog's writer has broken down: ${reason}`);
    const isClosing = end !== undefined;
    const broken = new Fault("unavailable", "The catalog's writer has broken down.");
    end ??= broken;
    for (const [id, settle] of underWay) {
      settle({ type: "failed", id, failure: toFailure(broken) });
    }
    underWay.clear();
    opened.reject(error);
    ended.resolve();
    if (!isClosing) onFatal(error);
  }

  function letGo(): void {
    gone = true;
    thread.terminate();
  }

  thread.addEventListener("message", (event: MessageEvent) => receive(event.data));
  thread.addEventListener("error", (event) => breakDown(event.message));
  thread.addEventListener("close", () => breakDown("its thread has ended"));
  send({ type: "open", path });
  try {
    await opened.promise;
  } catch (cause) {
    end ??= new Fault("unavailable", "The catalog is closed.");
    letGo();
    throw cause;
  }

  return {
    change(name, input) {
      if (end !== undefined) return Promise.reject(end);
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        send({ type: "change", id, name, input });
        underWay.set(id, (answer) => {
          if (answer.type === "done") resolve(answer.result);
          else reject(fromFailure(answer.failure));
        });
      });
    },
    async close() {
      if (end === undefined) {
        end = new Fault("unavailable", "The catalog is closed.");
        send({ type: "finish" });
      }
      await ended.promise;
      letGo();
    },
  };
}

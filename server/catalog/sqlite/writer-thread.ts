import { toFailure } from "../../rules/failure.ts";
import { openLocalWriter } from "./local-writer.ts";
import type { FromWriter, ToWriter } from "./messages.ts";
import type { Writer } from "./writer.ts";

/** The thread that writes, so that no commit stops the thread that serves. */

let writer: Writer | undefined;

function send(message: FromWriter): void {
  postMessage(message);
}

async function receive(message: ToWriter): Promise<void> {
  if (message.type === "open") {
    try {
      writer = await openLocalWriter(message.path, ({ message: reason }) =>
        send({ type: "broken", reason }),
      );
      send({ type: "opened" });
    } catch (cause) {
      send({ type: "refused", failure: toFailure(cause) });
    }
    return;
  }
  if (message.type === "finish") {
    try {
      await writer?.close();
    } finally {
      // What failed in closing is an error of the thread, and whoever waits is not left waiting.
      send({ type: "finished" });
    }
    return;
  }
  const { id, name, input } = message;
  try {
    if (writer === undefined) throw new Error("The writer has not been opened.");
    send({ type: "done", id, result: await writer.change(name, input) });
  } catch (cause) {
    send({ type: "failed", id, failure: toFailure(cause) });
  }
}

addEventListener("message", (event: MessageEvent) => void receive(event.data));

import { describe, expect, test } from "bun:test";
import { Fault } from "../domain/faults/fault.ts";
import { createBodyReader } from "./read-body.ts";

const never = new AbortController().signal;
const chunk = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A body whose chunks are sent by the test. */
function openBody() {
  const { promise, resolve } = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: resolve,
    cancel() {
      cancelled = true;
    },
  });
  return { body, controller: promise, isCancelled: () => cancelled };
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const each of chunks) text += new TextDecoder().decode(each);
  return text;
}

describe("a body", () => {
  test("is read to its end, in order", async () => {
    const body = new Response("one two three").body;
    expect(await textOf(createBodyReader(body).chunks(never))).toBe("one two three");
    expect(await textOf(createBodyReader(null).chunks(never))).toBe("");
  });

  test("is read before anyone asks for it, so that nothing is lost when it breaks off", async () => {
    const { body, controller } = openBody();
    const reader = createBodyReader(body);
    const source = await controller;
    source.enqueue(chunk("ab"));
    source.enqueue(chunk("cd"));
    await Bun.sleep(1);
    source.error(new Error("The connection was closed."));
    await Bun.sleep(1);
    let text = "";
    const read = async () => {
      for await (const each of reader.chunks(never)) text += new TextDecoder().decode(each);
    };
    await expect(read()).rejects.toThrow("The connection closed before");
    expect(text).toBe("abcd");
  });

  test("is not read further than 256 KiB ahead", async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(64 * 1024));
        },
      },
      { highWaterMark: 0 },
    );
    const reader = createBodyReader(body);
    while (pulled < 4) await Bun.sleep(1);
    await Bun.sleep(20);
    expect(pulled).toBe(4);
    reader.close();
  });

  test("ends with the reason of the signal", async () => {
    const { body, isCancelled } = openBody();
    const stop = new AbortController();
    const reader = createBodyReader(body);
    const reading = textOf(reader.chunks(stop.signal));
    stop.abort(new Fault("locked", "Stop."));
    await expect(reading).rejects.toThrow("Stop.");
    reader.close();
    expect(isCancelled()).toBe(true);
  });

  test("that is silent ends with 408, and the chunks before it are passed on", async () => {
    const { body, controller } = openBody();
    (await controller).enqueue(chunk("ab"));
    const pace = { silenceMs: 30, bytesPerSecond: 256, windowMs: 60_000 };
    let text = "";
    const read = async () => {
      for await (const each of createBodyReader(body, pace).chunks(never)) {
        text += new TextDecoder().decode(each);
      }
    };
    await expect(read()).rejects.toThrow("No byte of the body has arrived for 0.03 seconds");
    expect(text).toBe("ab");
  });
});

import { expect, test } from "bun:test";
import type { MeasuredFolder } from "../../../../../sdk/src/holdall.ts";
import { createMeasureEach } from "./create-measure-each.ts";

const never = new AbortController().signal;
const sizeOf = (id: string): MeasuredFolder => ({ id, files: id.length, folders: 0, bytes: 0 });

/** Requests with "huge" never end, those with "missing" find that it is. */
function start({ togetherMs = 5, aloneMs = 5 } = {}) {
  const requests: string[] = [];
  const measureEach = createMeasureEach({
    async measure(ids, signal) {
      requests.push(ids.join(" "));
      if (ids.includes("broken")) throw new Error("No luck.");
      if (ids.includes("huge")) {
        signal.throwIfAborted();
        await new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      }
      return ids.includes("missing") ? undefined : ids.map(sizeOf);
    },
    togetherMs,
    aloneMs,
  });
  const found = async (...ids: string[]) => {
    const each = await Array.fromAsync(measureEach(ids, never));
    return each.flat().map(({ id }) => id);
  };
  return { measureEach, found, requests };
}

test("measures all in one request", async () => {
  const { found, requests } = start();
  expect(await found("a", "b", "c")).toEqual(["a", "b", "c"]);
  expect(requests).toEqual(["a b c"]);
});

test.each(["missing", "huge"])("leaves out one that is %s, and finds the others", async (one) => {
  const { found, requests } = start();
  expect(await found("a", "b", "c", one, "d")).toEqual(["a", "b", "c", "d"]);
  expect(requests).toEqual([`a b c ${one} d`, "a b c", `${one} d`, one, "d"]);
});

test("yields the known sizes before a huge folder is measured", async () => {
  const { measureEach } = start({ aloneMs: 60_000 });
  const sizes = measureEach(["a", "huge"], never);
  expect((await sizes.next()).value).toEqual([sizeOf("a")]);
});

test("ends when the caller aborts, and with any other failure", async () => {
  const { measureEach, found, requests } = start({ togetherMs: 60_000 });
  const gone = new AbortController();
  const sizes = Array.fromAsync(measureEach(["a", "huge"], gone.signal));
  gone.abort(new Error("It went."));
  await expect(sizes).rejects.toThrow("It went.");
  await expect(found("a", "broken")).rejects.toThrow("No luck.");
  expect(requests).toEqual(["a huge", "a broken"]);
});

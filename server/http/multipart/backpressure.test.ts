import { describe, expect, test } from "bun:test";
import { Fault } from "../../domain/faults/fault.ts";
import { expectFault, inChunks, LIMITS, part, read, TYPE } from "./form.fixture.ts";
import { readMultipart } from "./read-multipart.ts";

describe("backpressure and cancellation", () => {
  test("reads nothing before it is requested", async () => {
    let pulled = 0;
    async function* source(): AsyncGenerator<Uint8Array> {
      pulled++;
      yield Buffer.from(part("a", "").slice(0, -2));
      for (let n = 0; n < 1000; n++) {
        pulled++;
        yield Buffer.alloc(100);
      }
    }
    const form = readMultipart(source(), TYPE, LIMITS);
    expect(pulled).toBe(0);
    const first = await form.next();
    expect(pulled).toBe(1);
    if (first.done) throw new Error("The form has no part.");
    const body = first.value.body[Symbol.asyncIterator]();
    await body.next();
    await body.next();
    expect(pulled).toBe(3);
    await form.return();
  });

  test("ending the iteration early cancels the body", async () => {
    let cancelled = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from(part("a", "x"));
      } finally {
        cancelled = true;
      }
    }
    for await (const each of readMultipart(source(), TYPE, LIMITS)) {
      for await (const _ of each.body) break;
      break;
    }
    expect(cancelled).toBe(true);
  });

  test("a fault cancels the body", async () => {
    let cancelled = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from("--B\r\nwhat\r\n\r\n");
      } finally {
        cancelled = true;
      }
    }
    await expectFault(read(source()), "invalid");
    expect(cancelled).toBe(true);
  });

  test("an error of the body becomes a Fault, and a Fault of the body is rethrown", async () => {
    async function* broken(error: Error): AsyncGenerator<Uint8Array> {
      yield Buffer.from(part("a", "x"));
      throw error;
    }
    await expectFault(read(broken(new Error("reset"))), "invalid");
    await expectFault(read(broken(new Fault("rate_limited", "Slower."))), "rate_limited");
  });

  test("skips the rest of a half-read part", async () => {
    const body = inChunks(Buffer.from(`${part("a", "123456")}${part("b", "x")}--B--`), [50, 52]);
    const names: string[] = [];
    const bodies: AsyncIterable<Uint8Array>[] = [];
    for await (const each of readMultipart(body, TYPE, LIMITS)) {
      for await (const _ of each.body) break;
      names.push(each.name);
      bodies.push(each.body);
    }
    expect(names).toEqual(["a", "b"]);
    for (const old of bodies)
      for await (const _ of old) throw new Error("An old part still has bytes.");
  });

  test("every call after a fault rejects with a fault", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(Buffer.from(part("a", "x").slice(0, -2)));
      throw new Error("reset");
    }
    const form = readMultipart(broken(), TYPE, LIMITS);
    const first = await form.next();
    if (first.done) throw new Error("The form has no part.");
    const drain = async () => {
      for await (const _ of first.value.body);
    };
    await expectFault(drain(), "invalid");
    await expectFault(form.next(), "invalid");
  });

  test("reading a part's body after the next part was requested takes no bytes from that part", async () => {
    const body = inChunks(
      Buffer.from(`${part("a", "123456")}${part("b", "all of it")}--B--`),
      [50],
    );
    const form = readMultipart(body, TYPE, LIMITS);
    const [first, second] = [await form.next(), await form.next()];
    if (first.done || second.done) throw new Error("The form does not have two parts.");
    expect(await first.value.body[Symbol.asyncIterator]().next()).toMatchObject({ done: true });
    const pieces: Uint8Array[] = [];
    for await (const piece of second.value.body) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe("all of it");
    await form.return();
  });
});

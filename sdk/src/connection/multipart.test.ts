import { expect, test } from "bun:test";
import fc from "fast-check";
import { partOf } from "../files/part-of.ts";
import { HoldallError } from "./error.ts";
import { encodeForm, type Form } from "./multipart.ts";
import { streamOf } from "./stream-of.ts";

const bytesOf = (body: ReadableStream<Uint8Array>) => new Response(body).bytes();

function encoded(given: Form, onSent: (bytes: number) => void = () => undefined) {
  const { chunks, ...rest } = encodeForm(given, onSent);
  return { ...rest, body: streamOf(chunks) };
}

const streamWith = (...chunks: Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

async function form(
  files: { name: string; content: Uint8Array }[],
  fields: Form["fields"] = {},
): Promise<Form> {
  return { fields, files: await Promise.all(files.map(partOf)) };
}

test("another parser reads the same form", async () => {
  const name = fc.string({
    unit: fc.constantFrom("a", " ", ";", "=", ".", "-", "'"),
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ name, content: fc.uint8Array() }), { minLength: 1, maxLength: 4 }),
      fc.string({ unit: "grapheme" }).filter((text) => !/[\r\n]/.test(text)),
      async (files, folder) => {
        let sent = 0;
        const sending = encoded(await form(files, { folder }), (bytes) => {
          sent += bytes;
        });
        const body = await bytesOf(sending.body);
        expect(body.length).toBe(sending.length ?? -1);
        expect(sent).toBe(files.reduce((sum, { content }) => sum + content.length, 0));

        const headers = { "Content-Type": sending.contentType };
        const read = await new Response(body, { headers }).formData();
        expect(read.get("folder")).toBe(folder);
        const parts = read.getAll("files");
        expect(parts).toHaveLength(files.length);
        for (const [index, part] of parts.entries()) {
          if (!(part instanceof File)) throw new Error("A file was parsed as a field.");
          expect(part.name).toBe(files[index]?.name ?? "");
          expect(await part.bytes()).toEqual(new Uint8Array(files[index]?.content ?? []));
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("fields come before files", async () => {
  const { body } = encoded(
    await form([{ name: "a", content: new Uint8Array(3) }], { folder: "x" }),
  );
  const text = await new Response(body).text();
  expect(text.indexOf('name="folder"')).toBeLessThan(text.indexOf('name="files"'));
});

test.each([
  ['a"b', "filename*=UTF-8''a%22b"],
  ["50%22.txt", "filename*=UTF-8''50%2522.txt"],
  ["日本 (1)*.txt", "filename*=UTF-8''%E6%97%A5%E6%9C%AC%20%281%29%2A.txt"],
  ["a\r\nX: y", "filename*=UTF-8''a%0D%0AX%3A%20y"],
])("the name %j cannot break its header", async (name, expected) => {
  const { body } = encoded(await form([{ name, content: new Uint8Array() }]));
  expect(await new Response(body).text()).toContain(`; ${expected}\r\n`);
});

test("a stream has no length unless its size is given, which must be correct", async () => {
  const chunk = new Uint8Array(5);
  const encode = async (size: number | undefined) =>
    encoded({
      fields: {},
      files: [await partOf({ content: streamWith(chunk, chunk), name: "a", size })],
    });
  expect((await encode(undefined)).length).toBeUndefined();
  const right = await encode(10);
  expect((await bytesOf(right.body)).length).toBe(right.length ?? -1);
  for (const wrong of [9, 11, 4]) {
    const { body } = await encode(wrong);
    await expect(bytesOf(body)).rejects.toThrow(HoldallError);
  }
});

test("reads its source on demand and cancels it when the form is cancelled", async () => {
  let pulled = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1_000));
      },
      cancel() {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const files = [await partOf({ content: endless, name: "a" })];
  const reader = encoded({ fields: {}, files }).body.getReader();
  for (let chunk = 0; chunk < 6; chunk += 1) await reader.read();
  expect(pulled).toBeLessThanOrEqual(6);
  await reader.cancel();
  expect(cancelled).toBe(true);
});

test("a media type cannot add headers", async () => {
  const files = [await partOf({ content: new Uint8Array(), name: "a", type: "a/b\r\nX: y" })];
  expect(() => encoded({ fields: {}, files })).toThrow(HoldallError);
});

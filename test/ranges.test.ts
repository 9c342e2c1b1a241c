import { afterAll, describe, expect, test } from "bun:test";
import { api } from "./client.ts";
import { expectFault, expectSecurityHeaders } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { head, raw, rawRequest } from "./raw.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const content = "0123456789";
const open = await a.put("ranges/open.txt", content);
const secret = await a.put("ranges/secret.txt", content, { visibility: "private" });
const empty = await a.put("ranges/empty.txt", "");
const big = crypto.getRandomValues(new Uint8Array(60_000));
const bigContent = Buffer.concat(Array.from({ length: 40 }, () => big));
const large = await a.put("ranges/large.bin", bigContent);

/** Every way to read a file with ranges. */
const ways = [
  ["a hosted public file", `/${open.url}`],
  ["a hosted private file", `/${secret.url}`],
  ["a downloaded public file", `/api/files/download/${open.id}`],
  ["a downloaded private file", `/api/files/download/${secret.id}`],
] as const;

const ask = (target: string, range: string, method = "GET") =>
  raw(server.port, method, target, { "API-Key": server.apiKey, Range: range });

for (const [what, target] of ways) {
  describe(what, () => {
    test.each([
      ["bytes=0-0", "0", "0-0"],
      ["bytes=2-5", "2345", "2-5"],
      ["bytes=0-9", content, "0-9"],
      ["bytes=9-9", "9", "9-9"],
      ["bytes=0-", content, "0-9"],
      ["bytes=4-", "456789", "4-9"],
      ["bytes=9-", "9", "9-9"],
      ["bytes=-1", "9", "9-9"],
      ["bytes=-4", "6789", "6-9"],
      ["bytes=-10", content, "0-9"],
      ["bytes=-11", content, "0-9"],
      ["bytes=-99999999999999999999", content, "0-9"],
      ["bytes=5-10", "56789", "5-9"],
      ["bytes=5-99999999999999999999", "56789", "5-9"],
      ["bytes=0000-0001", "01", "0-1"],
    ])("%s is 206 with %s", async (range, expected, written) => {
      const answer = await ask(target, range);
      expect([answer.status, answer.text]).toEqual([206, expected]);
      expect(answer.all("content-range")).toEqual([`bytes ${written}/10`]);
      expect(answer.all("content-length")).toEqual([String(expected.length)]);
      expect(answer.all("accept-ranges")).toEqual(["bytes"]);
      expect(answer.all("content-type")).toEqual(["text/plain; charset=utf-8"]);
      expectSecurityHeaders(answer);
    });

    test.each(["bytes=10-", "bytes=10-20", "bytes=99999999999999999999-", "bytes=-0"])(
      "%s is 416",
      async (range) => {
        const answer = await ask(target, range);
        expectFault(answer, 416);
        expect(answer.all("content-range")).toEqual(["bytes */10"]);
        expect(answer.all("accept-ranges")).toEqual(["bytes"]);
        expectSecurityHeaders(answer);
      },
    );

    test.each([
      "bytes=0-1,3-4",
      "bytes=0-0,-1",
      "bytes=0-1,",
      "bytes=,",
      "bytes=99-,0-1",
      `bytes=${"0-1,".repeat(1_500)}0-1`,
      "bytes=",
      "bytes=-",
      "bytes=a-b",
      "bytes=5-2",
      "bytes=1-x",
      "bytes=0x1-2",
      "bytes=1.5-2",
      "bytes=--1",
      "bytes=1-2-3",
      "bytes=+1-2",
      "bytes 0-1",
      "bytes",
      "items=0-1",
      "seconds=1-2",
      "0-1",
      "none",
    ])("%p is the complete file", async (range) => {
      const answer = await ask(target, range);
      expect([answer.status, answer.text]).toEqual([200, content]);
      expect(answer.header("content-range")).toBeNull();
      expect(answer.all("content-length")).toEqual(["10"]);
    });
  });
}

describe("an empty file", () => {
  test.each(["bytes=0-", "bytes=0-0", "bytes=-1", "bytes=-0", "bytes=5-"])(
    "%s is 416",
    async (range) => {
      const answer = await ask(`/${empty.url}`, range);
      expectFault(answer, 416);
      expect(answer.all("content-range")).toEqual(["bytes */0"]);
    },
  );

  test("is 200 without a range, with a malformed one and with several", async () => {
    for (const range of ["", "bytes=x", "bytes=0-0,1-1"]) {
      const answer = await ask(`/${empty.url}`, range);
      expect([range, answer.status, answer.header("content-length")]).toEqual([range, 200, "0"]);
    }
  });
});

test("two Range headers never return the wrong bytes", async () => {
  const answer = await rawRequest(
    server.port,
    head("GET", `/${open.url}`, [
      ["Range", "bytes=0-1"],
      ["Range", "bytes=4-5"],
    ]),
  );
  expect([answer.status, answer.text]).toEqual([200, content]);
});

test("all ranges of a file together are the file", async () => {
  const pieces: Uint8Array[] = [];
  const step = 777_777;
  for (let at = 0; at < bigContent.length; at += step) {
    const answer = await ask(`/${large.url}`, `bytes=${at}-${at + step - 1}`);
    expect(answer.status).toBe(206);
    pieces.push(answer.bytes);
  }
  expect(Buffer.compare(Buffer.concat(pieces), bigContent)).toBe(0);
});

test("HEAD ignores Range: it has the headers of GET for the whole file, and no body", async () => {
  for (const target of [`/${open.url}`, `/${secret.url}`, `/api/files/download/${open.id}`]) {
    for (const range of ["bytes=2-5", "bytes=99-", "bytes=0-1,3-4", "bytes=-3"]) {
      const whole = await ask(target, "none");
      const bare = await ask(target, range, "HEAD");
      const comparable = (answer: typeof whole) =>
        answer.headers.filter(([name]) => name !== "date" && name !== "x-request-id").sort();
      expect([target, range, bare.status]).toEqual([target, range, 200]);
      expect(comparable(bare)).toEqual(comparable(whole));
      expect(bare.excess.length).toBe(0);
    }
  }
});

test("a Range with white space is malformed: the whole file comes with its length", async () => {
  for (const target of [`/${open.url}`, `/${secret.url}`, `/${empty.url}`, `/${large.url}`]) {
    for (const range of ["bytes= 2-5", "bytes =2-5", "bytes=2 -5"]) {
      const whole = await ask(target, "none");
      const answer = await ask(target, range);
      expect([answer.status, answer.header("content-length")]).toEqual([
        200,
        whole.header("content-length"),
      ]);
      expect(Buffer.compare(answer.bytes, whole.bytes)).toBe(0);
    }
  }
});

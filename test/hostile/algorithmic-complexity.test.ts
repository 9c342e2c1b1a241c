import { afterAll, expect, test } from "bun:test";
import type { Operation } from "../../contract/operation.ts";
import { operations } from "../../contract/operations.ts";
import { api, send } from "../client.ts";
import { startServer } from "../harness.ts";
import { serverProcessorTime } from "../processor-time.fixture.ts";
import { administrator, signIn } from "../session.ts";

/*
 * Algorithmic complexity attacks (such as ReDoS): texts for which some parsers and regular
 * expressions take quadratic time. One request of the maximum size would block a process for minutes.
 */

const server = await startServer({ ...administrator, WORKERS: "1" });
afterAll(() => server.discard());

// Wrong passwords in the bodies count as failed attempts, after which nobody could sign in.
const cookie = await signIn(server);

const allOperations = Object.values<Operation>(operations);
const pathOf = ({ path }: Operation): string => path.replace(/\{\w+\*?\}/g, "x");

/** Repeats `text` up to `bytes` bytes. */
const repeat = (text: string, bytes: number): string =>
  text.repeat(Math.floor(bytes / Buffer.byteLength(text)));

const TEXTS: readonly (readonly [string, (bytes: number) => string])[] = [
  [
    "combining marks in the wrong order",
    (bytes) => `a${repeat("\u0300", bytes / 2)}${repeat("\u0316", bytes / 2)}`,
  ],
  ["alternating combining marks", (bytes) => `a${repeat("\u0300\u0316", bytes)}`],
  ["spaces", (bytes) => `${repeat(" ", bytes - 1)}x`],
  ["Unicode white space", (bytes) => `${repeat("\u2003", bytes - 1)}x`],
  ["slashes", (bytes) => repeat("/", bytes)],
  ["at signs", (bytes) => repeat("@", bytes)],
  [
    "a nearly valid email address",
    (bytes) => `${repeat("a", bytes / 2)}@${repeat("a.", bytes / 2)}@`,
  ],
  ["capital sigmas", (bytes) => repeat("\u03a3.", bytes)],
  ["digits", (bytes) => repeat("9", bytes)],
  ["percent signs", (bytes) => repeat("%_", bytes)],
];

/** Processor time of the server: quadratic time takes minutes. */
const MAX_MS = 40_000;

test.each(TEXTS)("%s in any body field is rejected quickly", async (_name, textOf) => {
  const text = textOf(900_000);
  const headers = { Cookie: cookie, Origin: server.url, "Content-Type": "application/json" };
  const start = serverProcessorTime(server);
  for (const operation of allOperations) {
    const { method, body } = operation;
    if (body === undefined || !("json" in body)) continue;
    for (const name of Object.keys(body.json.shape)) {
      // The other fields are short, so that validation reaches this one in any order.
      const fields = Object.keys(body.json.shape).map((each) => [each, each === name ? text : "x"]);
      const json = JSON.stringify(Object.fromEntries(fields));
      const { status } = await send(server, method, pathOf(operation), headers, json);
      expect([operation.id, name, status >= 400 && status < 500]).toEqual([
        operation.id,
        name,
        true,
      ]);
    }
  }
  expect(serverProcessorTime(server) - start).toBeLessThan(MAX_MS);
});

test.each(TEXTS)("%s in any query parameter is handled quickly", async (_name, textOf) => {
  const text = encodeURIComponent(textOf(3_000));
  const start = serverProcessorTime(server);
  for (const operation of allOperations) {
    if (operation.method !== "GET") continue;
    for (const name of [...Object.keys(operation.query?.shape ?? {}), "exp", "sig"]) {
      const { status } = await api(server).get(`${pathOf(operation)}?${name}=${text}`);
      expect([operation.id, name, status < 500]).toEqual([operation.id, name, true]);
    }
  }
  expect(serverProcessorTime(server) - start).toBeLessThan(MAX_MS);
});

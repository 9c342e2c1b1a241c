import { afterAll, expect, test } from "bun:test";
import type { Operation } from "../../contract/operation.ts";
import { operations } from "../../contract/operations.ts";
import { api, send } from "../client.ts";
import { startServer } from "../harness.ts";
import { administrator, signIn } from "../session.ts";

/*
 * Texts that take a naive parser or regular expression quadratic time: one request of the largest
 * size would block the server for minutes.
 */

const server = await startServer({ ...administrator, WORKERS: "1" });
afterAll(() => server.discard());

const every = Object.values<Operation>(operations);
const pathOf = ({ path }: Operation): string => path.replace(/\{\w+\*?\}/g, "x");

/** The length of a repeated part, for `bytes` in total. */
const repeat = (text: string, bytes: number): string =>
  text.repeat(Math.floor(bytes / Buffer.byteLength(text)));

const SHAPES: readonly (readonly [string, (bytes: number) => string])[] = [
  [
    "marks to be sorted",
    (bytes) => `a${repeat("\u0300", bytes / 2)}${repeat("\u0316", bytes / 2)}`,
  ],
  ["marks in turns", (bytes) => `a${repeat("\u0300\u0316", bytes)}`],
  ["spaces", (bytes) => `${repeat(" ", bytes - 1)}x`],
  ["white space beyond ASCII", (bytes) => `${repeat("\u2003", bytes - 1)}x`],
  ["slashes", (bytes) => repeat("/", bytes)],
  ["at signs", (bytes) => repeat("@", bytes)],
  ["an address without an end", (bytes) => `${repeat("a", bytes / 2)}@${repeat("a.", bytes / 2)}@`],
  ["capital sigmas", (bytes) => repeat("\u03a3.", bytes)],
  ["digits", (bytes) => repeat("9", bytes)],
  ["percent signs", (bytes) => repeat("%_", bytes)],
];

/** A limit for a busy machine; quadratic time would take minutes for each. */
const TIMEOUT_MS = 40_000;

test.each(SHAPES)("%s, in every field of every body", async (_what, of) => {
  const text = of(900_000);
  const cookie = await signIn(server);
  const headers = { Cookie: cookie, Origin: server.url, "Content-Type": "application/json" };
  const began = performance.now();
  for (const operation of every) {
    const { method, body } = operation;
    if (body === undefined || !("json" in body)) continue;
    for (const name of Object.keys(body.json.shape)) {
      // The other fields are short, so that this one is parsed whatever their order.
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
  expect(performance.now() - began).toBeLessThan(TIMEOUT_MS);
});

test.each(SHAPES)("%s, in every parameter", async (_what, of) => {
  const text = encodeURIComponent(of(3_000));
  const began = performance.now();
  for (const operation of every) {
    if (operation.method !== "GET") continue;
    for (const name of [...Object.keys(operation.query?.shape ?? {}), "exp", "sig"]) {
      const { status } = await api(server).get(`${pathOf(operation)}?${name}=${text}`);
      expect([operation.id, name, status < 500]).toEqual([operation.id, name, true]);
    }
  }
  expect(performance.now() - began).toBeLessThan(TIMEOUT_MS);
});

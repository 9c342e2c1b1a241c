import { afterAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { api, unique } from "./client.ts";
import { eventually, expectData } from "./expectations.ts";
import { removeFolder, startServer, temporaryFolder } from "./harness.ts";
import { administrator, fromPage, signIn } from "./session.ts";

const server = await startServer({
  ...administrator,
  OUTGOING_ALLOW: "127.0.0.1",
  FETCH_BY_KEYS: "true",
});
const a = api(server);
// API keys do not see what a receiver answers.
const cookie = await signIn(server);
const folder = temporaryFolder();
const closers: (() => void)[] = [];
afterAll(async () => {
  await server.discard();
  for (const close of closers) close();
  removeFolder(folder);
});

const tested = z.object({
  delivery: z.object({
    state: z.string(),
    status: z.int().nullable(),
    error: z.string().nullable(),
    response: z.string().nullable(),
  }),
});

async function listen(receiver: Server): Promise<number> {
  const sockets = new Set<Socket>();
  receiver.on("connection", (socket: Socket) => {
    socket.on("error", () => {});
    sockets.add(socket);
  });
  closers.push(() => {
    receiver.close();
    for (const socket of sockets) socket.destroy();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  receiver.listen(0, "127.0.0.1", resolve);
  await promise;
  return (receiver.address() as AddressInfo).port;
}

/** Sends a test event to this URL. */
async function deliverTo(url: string) {
  const hook = { name: unique("hook"), url, kinds: ["file.created"], active: false };
  const made = JSON.parse((await a.json("POST", "/api/webhooks", hook)).text).data.webhook;
  const answer = await fromPage(server, "POST", "/api/webhooks/test", cookie, { id: made.id });
  return expectData(answer, tested).delivery;
}

function drip(socket: Socket, first: string, text: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(text), 100);
  socket.on("close", () => clearInterval(timer));
}

const bomb = gzipSync(Buffer.alloc(50_000_000));
const withBomb = (status: string) => (socket: Socket) => {
  socket.write(
    `HTTP/1.1 ${status}\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`,
  );
  socket.write(bomb);
};
/** A delivery may take ten seconds; the rest is for a busy machine. */
const ENDS_WITHIN_MS = 25_000;
const TOO_SLOW = "The response took too long.";

const receivers: readonly [string, (socket: Socket) => void, object][] = [
  ["a gzip bomb", withBomb("200 OK"), { state: "delivered", status: 200, response: null }],
  [
    "a failure with a gzip bomb",
    withBomb("500 No"),
    { state: "failed", status: 500, response: null },
  ],
  [
    "a length that it does not keep",
    (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\nshort"),
    { state: "delivered", status: 200, response: "short" },
  ],
  [
    "a body that never ends, byte by byte",
    (socket) => drip(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"),
    { state: "delivered", status: 200, response: expect.stringMatching(/^a+$/) },
  ],
  [
    "headers that never end, line by line",
    (socket) => drip(socket, "HTTP/1.1 200 OK\r\n", "a: b\r\n"),
    { state: "failed", status: null, error: TOO_SLOW },
  ],
  [
    "headers of a megabyte",
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n${`a: ${"b".repeat(1000)}\r\n`.repeat(1000)}\r\n`),
    { state: "failed", status: null, error: expect.stringMatching(/./) },
  ],
  ["silence", () => {}, { state: "failed", status: null, error: TOO_SLOW }],
];

test("a receiver that answers badly ends by itself, and nobody waits for it", async () => {
  const begin = performance.now();
  const delivering = receivers.map(async ([name, answer]) => {
    const port = await listen(createServer((socket) => socket.once("data", () => answer(socket))));
    const delivery = await deliverTo(`http://127.0.0.1:${port}/`);
    expect([name, performance.now() - begin < ENDS_WITHIN_MS]).toEqual([name, true]);
    return [name, delivery];
  });
  const asked = performance.now();
  await a.put(`${unique("meanwhile")}/f`);
  expect(performance.now() - asked).toBeLessThan(8000);
  const delivered = await Promise.all(delivering);
  expect(delivered).toEqual(
    receivers.map(([name, , expected]) => [name, expect.objectContaining(expected)]),
  );
});

test("a certificate that is not for the name, or that nobody trusts, gets nothing", async () => {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const made = spawnSync("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=other.test"],
    ...["-addext", "subjectAltName=DNS:other.test", "-keyout", key, "-out", cert],
  ]);
  if (made.status !== 0) throw new Error(`openssl failed: ${made.stderr}`);
  let requests = 0;
  const secure = createTlsServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (_, response) => {
      requests += 1;
      response.end("a secret");
    },
  );
  const url = `https://127.0.0.1:${await listen(secure)}/f.txt`;
  expect(await deliverTo(url)).toMatchObject({ state: "failed", status: null, response: null });
  const target = unique("certificate");
  const begun = await a.json("POST", "/api/files/fetch", { url, folder: target });
  expect(begun.status).toBe(200);
  const [upload] = JSON.parse(begun.text).data.uploads;
  await eventually("the fetch fails", async () => {
    const shown = await a.get(`/${upload.url}`);
    return JSON.parse(shown.text).data?.fetch?.state === "failed";
  });
  expect((await a.get(`/api/files?key=${target}/f.txt`)).status).toBe(404);
  expect(requests).toBe(0);
});

import { expect, test } from "bun:test";
import { Holdall } from "../sdk/src/holdall.ts";
import { api } from "./client.ts";
import type { TestServer } from "./harness.ts";
import { field, filePart } from "./multipart.ts";
import { withServer } from "./with-server.ts";

const UNLIMITED = { RATE_LIMIT_API: "0", RATE_LIMIT_LINKS: "0", RATE_LIMIT_HOSTING: "0" };
const FILES = 100;
/** Far more requests than one client may have running and waiting. */
const REQUESTS = 1200;

interface Flood {
  /** The heads of the answers so far. */
  readonly heads: readonly string[];
  readonly done: Promise<void>;
}

/** Sends a request on each of many connections at once. */
async function flood({ url, apiKey }: TestServer, path: string): Promise<Flood> {
  const { hostname, port, host } = new URL(url);
  const heads: string[] = [];
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let open = REQUESTS;
  const connect = () => {
    let received = "";
    return Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data(_, bytes) {
          if (received.includes("\r\n\r\n")) return;
          received += bytes.toString("latin1");
          const end = received.indexOf("\r\n\r\n");
          if (end >= 0) heads.push(received.slice(0, end));
        },
        close() {
          open -= 1;
          if (open === 0) resolve();
        },
      },
    });
  };
  const sockets = [];
  for (let count = 0; count < REQUESTS; count += 1) sockets.push(await connect());
  for (const socket of sockets) {
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAPI-Key: ${apiKey}\r\nConnection: close\r\n\r\n`,
    );
  }
  return { heads, done };
}

const statusOf = (head: string): number => Number(head.split(" ")[1]);

test.each([
  ["pages of a shared folder", async (server: TestServer) => `/${await shareFolder(server)}`],
  ["lists", async () => "/api/files"],
  ["searches", async () => "/api/search?q=txt"],
])(
  "of very many %s at once, too many get 429, and others need not wait for them",
  (_name, pathOf) =>
    withServer(UNLIMITED, async (server) => {
      const parts = Array.from({ length: FILES }, (_, index) =>
        filePart(`${index}.txt`, "content"),
      );
      await api(server).upload([field("folder", "shared"), ...parts]);
      await api(server).put("hosted.txt", "hosted");
      const { heads, done } = await flood(server, await pathOf(server));
      const hosted = await fetch(`${server.url}/api/hosting/hosted.txt`);
      expect(await hosted.text()).toBe("hosted");
      const before = heads.filter((head) => statusOf(head) === 200).length;
      await done;
      expect(heads).toHaveLength(REQUESTS);
      const answered = heads.filter((head) => statusOf(head) === 200);
      expect(before).toBeLessThan(answered.length / 2);
      const refused = heads.filter((head) => statusOf(head) !== 200);
      expect(refused.length).toBeGreaterThan(0);
      for (const head of refused) {
        expect(statusOf(head)).toBe(429);
        expect(head.toLowerCase()).toContain("\r\nretry-after: 1");
      }
    }),
);

async function shareFolder(server: TestServer): Promise<string> {
  const holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
  const { folder } = await holdall.folders.browse({ key: "shared" });
  return (await holdall.links.create({ folderId: folder.id })).url ?? "";
}

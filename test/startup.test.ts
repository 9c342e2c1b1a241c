import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { beginDownload } from "./begin-download.ts";
import { api, send } from "./client.ts";
import { eventually } from "./expectations.ts";
import { administrator } from "./session.ts";
import { withServer } from "./with-server.ts";

const setupLink = /http:\/\/127\.0\.0\.1:\d+\/\S*setup\S*/;

describe("the first start", () => {
  test("prints a setup link and a curl command, and creates a private data folder", () =>
    withServer({ INITIAL_API_KEY: undefined }, async (server) => {
      expect(server.output()).toMatch(setupLink);
      expect(server.output()).toMatch(/curl .*\/api\//);
      expect(server.output()).toContain(server.url);
      expect(statSync(server.dataPath).isDirectory()).toBe(true);
    }));

  test("prints no link when the administrator comes from the environment", () =>
    withServer(administrator, async (server) => {
      expect(server.output()).not.toMatch(setupLink);
    }));
});

test("prints the local address beside PUBLIC_URL", () =>
  withServer({ PUBLIC_URL: "https://files.example.com" }, async (server) => {
    const says = (text: string) => eventually(text, () => server.output().includes(text));
    await says("https://files.example.com");
    await says(server.url);
  }));

describe("the second start", () => {
  test("prints a setup link only while there is no account", () =>
    withServer({}, async (server) => {
      const link = () => setupLink.exec(server.output().slice(from))?.[0];
      let from = 0;
      expect(link()).toBeDefined();
      from = server.output().length;
      await server.restart();
      expect(link()).toBeDefined();
      from = server.output().length;
      await server.restart(administrator);
      expect(link()).toBeUndefined();
      from = server.output().length;
      await server.restart({ ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined });
      expect(link()).toBeUndefined();
    }));

  test("accepts the key of the first start without INITIAL_API_KEY", () =>
    withServer({}, async (server) => {
      const file = await api(server).put("kept.txt");
      await server.restart({ INITIAL_API_KEY: undefined });
      expect(await api(server).file(file.id)).toEqual(file);
    }));

  test("accepts another INITIAL_API_KEY", () =>
    withServer({}, async (server) => {
      const key = "another-key-0123456789";
      await server.restart({ INITIAL_API_KEY: key });
      expect((await send(server, "GET", "/api/files", { "API-Key": key })).status).toBe(200);
    }));
});

test("warns about a short AUTH_SECRET with the reason", () =>
  withServer({ AUTH_SECRET: "short-secret" }, async (server) => {
    expect(server.output()).toMatch(/AUTH_SECRET.*32/);
    expect(server.output()).not.toContain("short-secret");
  }));

test("SIGTERM completes pending requests and exits with 0", () =>
  withServer({}, async (server) => {
    const file = await api(server).put("big.bin", Buffer.alloc(5_000_000, 3));
    const download = await beginDownload(server, file.url);
    expect(await server.stop()).toBe(0);
    expect((await download.answer()).bytes.length).toBe(5_000_000);
  }));

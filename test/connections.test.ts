import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectFault } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { openRaw, rawRequest } from "./raw.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.discard();
});

describe("the Host header", () => {
  for (const lines of [
    "Host: a\r\nHost: b",
    "Host: a b",
    "Host: a/b",
    "Host: user@a",
    "Host: a,b",
  ]) {
    test(`${JSON.stringify(lines)} is rejected and the connection closed`, async () => {
      for (const path of ["/api/health", "/api/hosting/x", "/api/files"]) {
        const answer = await rawRequest(server.port, `GET ${path} HTTP/1.1\r\n${lines}\r\n\r\n`);
        expectFault(answer, 400, /Host/);
        expect(answer.all("connection")).toEqual(["close"]);
      }
    });
  }

  for (const host of ["a", "a:80", "files.example.com", "127.0.0.1:1", "[::1]:3000", "my_host"]) {
    test(`${host} is accepted`, async () => {
      const request = `GET /api/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect((await rawRequest(server.port, request)).status).toBe(200);
    });
  }
});

test("a client that disconnects during its body leaves no error in the log", async () => {
  for (const path of ["/auth/sign-in", "/auth/setup"]) {
    const connection = await openRaw(server.port);
    connection.send(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"a`);
    // Nothing shows that the server waits for the rest.
    await Bun.sleep(100);
    connection.destroy();
  }
  // Time for an error to be logged.
  await Bun.sleep(300);
  expect(server.output()).not.toContain("Unexpected server error");
});

import { afterAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { api, unique } from "./client.ts";
import { untilAfter } from "./expectations.ts";
import { peopleOn, startPeopleServer } from "./people.fixture.ts";
import { ALL } from "./people-uses.fixture.ts";
import { openRaw } from "./raw.ts";

const server = await startPeopleServer();
afterAll(() => server.discard());
const a = api(server);
const people = await peopleOn(server);
const { owner, member, folder } = people;

describe("a request that runs", () => {
  test("stores nothing when the grant loses its action meanwhile", async () => {
    const space = await folder();
    const person = await member([{ folderId: space.id, actions: ALL }]);
    const [grant] = await people.spacesOf(person);
    const key = `${space.key}/${unique("late")}.txt`;
    let lost = Promise.resolve();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode("first"));
        await untilAfter(Date.now() + 200);
        const change = { id: grant?.id, actions: ["list", "read"] };
        lost = owner("PUT", "/api/grants", change).then(() => undefined);
        await lost;
        controller.enqueue(new TextEncoder().encode("last"));
        controller.close();
      },
    });
    const answer = await fetch(`${server.url}/api/files/content?key=${encodeURIComponent(key)}`, {
      method: "PUT",
      headers: { Cookie: person.cookie, Origin: server.url },
      body,
    });
    await lost;
    expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining("unauth")]);
    expect((await a.get(`/api/files?key=${encodeURIComponent(key)}`)).status).toBe(404);
  });

  test("of a ZIP is sent to its end when the account is disabled, with nothing that came later", async () => {
    const space = await folder();
    const size = 24_000_000;
    await a.put(`${space.key}/large.bin`, new Uint8Array(size));
    const person = await member([{ folderId: space.id, actions: ALL }]);
    const path = `/api/folders/download?key=${space.key}`;
    const { socket, send: sendText } = await openRaw(server.port);
    const received: Buffer[] = [];
    const hasBegun = new Promise<void>((resolve) => {
      socket.removeAllListeners("data").on("data", (chunk: Buffer) => {
        received.push(chunk);
        resolve();
      });
    });
    const headers = `Host: localhost\r\nCookie: ${person.cookie}\r\nConnection: close\r\n`;
    sendText(`GET ${path} HTTP/1.1\r\n${headers}\r\n`);
    await hasBegun;
    // The server waits: the buffers between hold a part of it.
    socket.pause();
    await owner("PUT", "/api/accounts", { id: person.id, disabled: true });
    expect((await person.as("GET", path)).status).toBe(401);
    await a.put(`${space.key}/zz-later.txt`);
    const closed = once(socket, "close");
    socket.resume();
    await closed;
    const all = Buffer.concat(received);
    expect(all.length).toBeGreaterThan(size);
    const last = all.subarray(-1000).toString("latin1");
    expect(last).toContain("large.bin");
    expect(last).toContain("PK\x05\x06");
    expect(last).not.toContain("zz-later.txt");
  });

  test("of the change feed ends when the account is disabled", async () => {
    const space = await folder();
    const person = await member([{ folderId: space.id, actions: ALL }]);
    const answer = await fetch(`${server.url}/api/changes`, {
      headers: { Cookie: person.cookie, Accept: "text/event-stream" },
    });
    expect(answer.status).toBe(200);
    await owner("PUT", "/api/accounts", { id: person.id, disabled: true });
    await a.put(`${space.key}/after.txt`);
    // It ends, and says nothing of what came after.
    expect(await answer.text()).not.toContain("after.txt");
  });
});

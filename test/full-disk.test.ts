import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { api, send } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { filePart } from "./multipart.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";
import { batchData, deletedData } from "./shapes.ts";
import { mountSmallDisk } from "./small-volume.ts";

const SIZE = 64 * 1024 * 1024;
const disk = mountSmallDisk(SIZE);
const isUnmounted = isMissing("permission to mount", disk !== undefined);
afterAll(() => disk?.unmount());

const mounted = disk ?? { path: "", free: () => 0, fill() {}, clear() {}, unmount() {} };

let server: TestServer;
let counter = 0;
beforeEach(async () => {
  if (disk === undefined) return;
  counter += 1;
  server = await startServer({
    MIN_FREE_SPACE: "0",
    // Several would renew their leases at different times, each of which may use what is set aside.
    WORKERS: "1",
    DATA_PATH: join(mounted.path, `data-${counter}`),
  });
  await eventually("room is set aside", isSetAside);
});
afterEach(async () => {
  await server?.discard();
  mounted.clear();
});

/** Whether an eighth of the disk is reserved. */
function isSetAside(): boolean {
  const found = statSync(join(server.dataPath, "ballast"), { throwIfNoEntry: false });
  return (found?.blocks ?? 0) * 512 === SIZE / 8;
}

/** Waits until the server has renewed its leases, which may use what is set aside: the next time is in ten seconds. */
async function leasesAreRenewed(): Promise<void> {
  const renewedAt = (): unknown => {
    const database = new Database(join(server.dataPath, "catalog.sqlite"), { readonly: true });
    const [[at] = []] = database.query("select max(heartbeat) from blob_leases").values();
    database.close();
    return at;
  };
  const before = renewedAt();
  await eventually("the leases are renewed", () => renewedAt() !== before);
}

async function putMany(folder: string, count: number): Promise<string[]> {
  const a = api(server);
  const made = Array.from({ length: count }, (_, index) => a.put(`${folder}/${index}`, "x"));
  return (await Promise.all(made)).map(({ id }) => id);
}

test.skipIf(isUnmounted)(
  "deletions work on a full disk, and the freed space can be used again",
  async () => {
    const a = api(server);
    const kept = await a.put("kept", "still here");
    const large = await a.put("large", Buffer.alloc(4_000_000));
    const many = await putMany("many", 300);
    await putMany("folder/inside", 50);
    const { folder } = await a.browse("folder");
    await leasesAreRenewed();
    mounted.fill();

    expectFault(await a.upload([filePart("new", "x")]), 507, /space/);
    expectFault(await a.json("POST", "/api/folders", { folder: "new" }), 507, /space/);
    // None of these uses up what is reserved for deletions, however often.
    const changes = Array.from({ length: 30 }, (_, at) => {
      const name = `${at}-${"n".repeat(50)}`;
      return [
        a.json("PUT", "/api/files", { id: kept.id, name }),
        a.json("POST", "/api/keys", { name }),
        a.json("PUT", "/api/settings", { trashDays: 20 + at }),
      ];
    });
    for (const answer of await Promise.all(changes.flat())) {
      expect([200, 201, 507]).toContain(answer.status);
    }
    expect(isSetAside()).toBe(true);
    expectFault(await a.json("POST", "/api/keys", { name: "x" }), 507, /space/);
    const read = await send(server, "GET", `/${kept.url}`);
    expect([read.status, read.text]).toEqual([200, "still here"]);

    const batch = await a.json("DELETE", "/api/files", { ids: many });
    expect(expectData(batch, batchData).deleted).toEqual(many);
    const gone = await a.json("DELETE", "/api/folders", { id: folder.id });
    expect(expectData(gone, deletedData).deleted).toEqual([folder.id]);
    expect((await a.list()).map(({ key }) => key).sort()).toEqual(["kept", "large"]);

    // The free space is reserved for deletions.
    expect(mounted.free()).toBeGreaterThan(0);
    expectFault(await a.upload([filePart("new", "x")]), 507, /space/);
    expectFault(await a.upload([filePart("new", Buffer.alloc(100_000))]), 507, /space/);

    // The space of the large file restores the reserve; uploads use the rest.
    expectData(await a.json("DELETE", "/api/files", { id: large.id }), batchData);
    await eventually("the room is set aside again", isSetAside);
    await eventually("uploads are taken", async () => {
      return (await a.upload([filePart("new", "fits")])).status === 200;
    });
    mounted.clear();
    await a.put("larger", Buffer.alloc(4_000_000));
  },
);

test.skipIf(isUnmounted)(
  "a server started on a full disk serves reads and deletions, and recovers by itself",
  async () => {
    const kept = await api(server).put("kept", "still here");
    const other = await api(server).put("other", "not for long");
    await server.stop();
    mounted.fill();
    await server.restart();

    const read = await send(server, "GET", `/${kept.url}`);
    expect([read.status, read.text]).toEqual([200, "still here"]);
    expectFault(await api(server).upload([filePart("new", "x")]), 507, /space/);
    expectData(await api(server).json("DELETE", "/api/files", { id: other.id }), batchData);

    // Killed now, it starts with the rest of the reserved space that it had released.
    await server.kill();
    await server.restart();
    expect((await api(server).list()).map(({ key }) => key)).toEqual(["kept"]);
    expectFault(await api(server).upload([filePart("new", "x")]), 507, /space/);
    await server.restart();
    expectData(await api(server).json("DELETE", "/api/files", { id: kept.id }), batchData);

    mounted.clear();
    await api(server).put("new", "fits");
    await eventually("the room is set aside again", isSetAside);
  },
);

test.skipIf(isUnmounted)(
  "on a full disk the audit log does not use the space reserved for deletions",
  async () => {
    const a = api(server);
    const small = await a.put("small", "x");
    const other = await a.put("other", "x");
    const large = await a.put("large", Buffer.alloc(12_000_000));
    mounted.fill();
    // This change needs the reserved space, which is released from here on.
    expectData(await a.json("DELETE", "/api/files", { id: small.id }), batchData);
    const key = "k".repeat(4000);
    for (let round = 0; round < 20; round += 1) {
      const asked = Array.from({ length: 200 }, (_, index) =>
        a.json("POST", "/api/files/sign", { key: `${round}-${index}-${key}` }),
      );
      for (const answer of await Promise.all(asked)) expectFault(answer, 400, /bytes/);
    }
    // The audit log is flushed within about a second.
    await Bun.sleep(3000);
    expectData(await a.json("DELETE", "/api/files", { id: other.id }), batchData);
    expectData(await a.json("DELETE", "/api/files", { id: large.id }), batchData);
    await eventually("the room is set aside again", isSetAside);
    mounted.clear();
    await eventually("what was done is noted after all", async () => {
      const page = await a.json("GET", "/api/activity?action=signFile&limit=1");
      return page.text.includes("signFile");
    });
  },
);

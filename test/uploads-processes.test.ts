import { describe, expect, test } from "bun:test";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { send, unique } from "./client.ts";
import { eachWorker } from "./each-worker.ts";
import { eventually, expectFault } from "./expectations.ts";
import { type Environment, startServer } from "./harness.ts";
import { s3Environment } from "./s3-environment.ts";
import { append, beginAppend, createUpload, noise, offsetOf, sha256 } from "./upload-url.ts";

const bytes = noise(20_000_003);

const postgres = async (): Promise<Environment> => ({
  DATABASE_URL: await (await postgresServer()).fresh(),
});

const stores: [string, () => Promise<Environment>][] = [
  ["SQLite and a disk", async () => ({})],
  ["PostgreSQL and a disk", postgres],
];
if (hasS3Server) {
  stores.push([
    "PostgreSQL and S3",
    async () => ({ ...(await postgres()), ...s3Environment(await (await s3Server()).fresh()) }),
  ]);
}

describe.skipIf(process.platform !== "linux").each(stores)(
  "two processes on %s",
  (store, environment) => {
    test("continue each other's uploads, and one writes at a time", async () => {
      const server = await startServer({ WORKERS: "2", ...(await environment()) });
      const endpoints = await eachWorker(server);
      const [one, other] = endpoints;
      if (one === undefined || other === undefined) throw new Error("There are no two workers");
      try {
        const folder = unique("processes");
        const path = await createUpload(one, { folder, size: bytes.length });
        const ends = [9_000_000, 9_000_001, 14_000_000];
        let offset = 0;
        for (const [at, end] of ends.entries()) {
          const endpoint = at % 2 === 0 ? one : other;
          const answer = await append(endpoint, path, offset, bytes.subarray(offset, end));
          expect([answer.status, answer.header("upload-offset")]).toEqual([204, String(end)]);
          expect(await offsetOf(other, path)).toBe(end);
          offset = end;
        }
        // The first process has an open request when the second one comes.
        const port = Number(new URL(one.url).port);
        const rest = bytes.subarray(offset);
        const open = await beginAppend({ port }, path, {
          offset,
          length: rest.length,
          bytes: rest.subarray(0, 1_000_000),
        });
        const isStored = async () => (await offsetOf(other, path)) === 15_000_000;
        // S3 only stores whole parts in the middle of a request.
        if (store.endsWith("S3")) await Bun.sleep(2000);
        else await eventually("the first process writes", isStored);
        const locked = await append(other, path, offset, rest);
        expectFault(locked, 423);
        expect(locked.header("retry-after")).toBe("1");
        expect((await open.answer()).status).toBe(423);
        open.destroy();
        offset = await offsetOf(other, path);
        expect(offset).toBe(15_000_000);
        await eventually("the other process may write", async () => {
          const answer = await append(other, path, offset, bytes.subarray(offset));
          return answer.header("upload-complete") === "?1";
        });
        const whole = await send(one, "GET", `/api/hosting/${folder}/file.bin`);
        expect(sha256(whole.bytes)).toBe(sha256(bytes));
        expect(whole.header("repr-digest")).toContain(
          Buffer.from(sha256(bytes), "hex").toString("base64"),
        );
      } finally {
        for (const endpoint of endpoints) endpoint.close();
        await server.discard();
      }
    });
  },
);

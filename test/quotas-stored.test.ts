import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { z } from "zod";
import { api } from "./client.ts";
import { run, startServer, temporaryFolder } from "./harness.ts";
import { expectExceeded, quotaRequests } from "./quotas.fixture.ts";

const line = z.looseObject({ type: z.string() });
const linesOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((each) => line.parse(JSON.parse(each)));

test("wrong numbers of a quota are found and repaired, and backups keep quotas", async () => {
  const server = await startServer();
  try {
    const { limited, used } = quotaRequests(server);
    const quota = await limited("top", { maxBytes: 100 });
    await api(server).put("top/a", "x".repeat(60));
    expect(await server.stop()).toBe(0);

    const verify = (...options: string[]) => run(["verify", "--json", ...options], server.env);
    expect((await verify()).code).toBe(0);
    const catalog = new Database(join(server.dataPath, "catalog.sqlite"));
    catalog.run("update quotas set used_bytes = 7, used_files = 5");
    catalog.close();
    const found = await verify();
    expect(found.code).toBe(1);
    expect(linesOf(found.stdout)[0]).toMatchObject({
      type: "catalog",
      problem: "quota",
      id: quota?.folder.id,
      detail: expect.stringContaining("there are 60 bytes in 1"),
    });
    const repaired = linesOf((await verify("--repair")).stdout);
    expect(repaired[1]).toEqual({ type: "recounted", id: quota?.folder.id });
    expect(repaired.at(-1)).toMatchObject({ repair: { recounted: 1, quarantine: null } });
    expect((await verify()).code).toBe(0);

    const backup = join(temporaryFolder(), "backup");
    expect((await run(["backup", backup], server.env)).code).toBe(0);
    const restoredPath = join(temporaryFolder(), "data");
    const env = { ...server.env, DATA_PATH: restoredPath };
    expect((await run(["restore", backup], env)).code).toBe(0);
    await server.restart({ DATA_PATH: restoredPath });
    expect(await used("top")).toEqual([60, 1]);
    const { folder } = await api(server).browse("top");
    const copies = { id: (await api(server).list("?name=a"))[0]?.id, folderId: folder.id };
    expectExceeded(
      await api(server).json("POST", "/api/files/copy", { ...copies, onConflict: "keepBoth" }),
    );
  } finally {
    await server.discard();
  }
}, 120_000);

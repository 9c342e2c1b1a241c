import { expect, test } from "bun:test";
import { Client } from "pg";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import { readFeed } from "../suite/feed.suite.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { postgresServer } from "./server.fixture.ts";

const INSERT = `insert into changes (kind, subject_id, key, actor, at, data)
  values ('file.deleted', $1, $1, '{"kind":"command","id":null,"name":null}', 0, null)`;

test("an entry that becomes visible late comes after those that readers have seen", async () => {
  const server = await postgresServer();
  const url = await server.fresh();
  const catalog = await openPostgresCatalog({ url });
  const slow = new Client({ connectionString: url });
  await slow.connect();
  try {
    const start = await catalog.feedEnd();
    await slow.query("begin");
    await slow.query(INSERT, ["late"]);
    await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("early"));
    const seen = await readFeed(catalog, start);
    expect(seen.length).toBe(1);
    await slow.query("commit");
    const all = await readFeed(catalog, start);
    expect(all.map(({ position }) => position.seq)).toEqual([start.seq + 1, start.seq + 2]);
    expect(all.slice(0, 1)).toEqual(seen);
    expect(all[1]?.change).toMatchObject({ kind: "file.deleted", id: "late" });
  } finally {
    await slow.end();
    await catalog.close();
  }
});

test("processes that number at the same time give each entry one number, without gaps", async () => {
  const server = await postgresServer();
  const url = await server.fresh();
  const catalogs = await Promise.all(Array.from({ length: 4 }, () => openPostgresCatalog({ url })));
  try {
    const [first] = catalogs;
    const start = await first?.feedEnd();
    if (first === undefined || start === undefined) throw new Error("There is no catalog.");
    await Promise.all(
      catalogs.map(async (catalog, process) => {
        for (let round = 0; round < 15; round += 1) {
          await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${process} ${round}`));
          await catalog.changesAfter(start, 1);
        }
      }),
    );
    const feeds = await Promise.all(catalogs.map((catalog) => readFeed(catalog, start)));
    expect(feeds[0]?.map(({ position }) => position.seq)).toEqual(
      Array.from({ length: 60 }, (_, index) => start.seq + 1 + index),
    );
    for (const feed of feeds) expect(feed).toEqual(feeds[0] ?? []);
  } finally {
    await Promise.all(catalogs.map((catalog) => catalog.close()));
  }
});

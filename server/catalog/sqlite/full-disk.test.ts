import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMissing } from "../../../test/reason-to-skip.fixture.ts";
import { allKeys, createUploader, expectFault } from "../suite/catalog.fixture.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";

const folder = mkdtempSync(join(tmpdir(), "holdall-full-"));
const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=6m", "none", folder]).success;

afterAll(() => {
  if (mounted) Bun.spawnSync(["umount", "-l", folder]);
  rmSync(folder, { recursive: true, force: true });
});

for (const exclusive of [true, false]) {
  test.skipIf(isMissing("permission to mount", mounted))(
    `a full disk fails changes with no_space until space is free; reads go on (${exclusive ? "server" : "command"})`,
    async () => {
      const path = join(folder, `catalog-${exclusive}.sqlite`);
      const filler = join(folder, "filler");
      writeFileSync(filler, Buffer.alloc(2 * 1024 * 1024));
      const catalog = await openSqliteCatalog({ path, exclusive });
      const uploader = createUploader(catalog);
      const kept: string[] = [];
      let batch = 0;
      for (let full = false; !full; batch += 1) {
        const added = await Promise.allSettled(
          Array.from({ length: 40 }, (_, index) => uploader.addOne(`${batch} ${index}`)),
        );
        for (const outcome of added) {
          if (outcome.status === "fulfilled") kept.push(outcome.value.key);
          else {
            full = true;
            expect(outcome.reason).toMatchObject({ kind: "no_space" });
          }
        }
      }
      expect(kept.length).toBeGreaterThan(0);
      const tooMuch = "x".repeat(8 * 1024 * 1024);
      await expectFault(catalog.putSetting("a", tooMuch), "no_space", "free space");
      expect(await allKeys(catalog)).toEqual(kept.toSorted());
      expect(await catalog.setting("a")).toBeUndefined();
      rmSync(filler);
      await uploader.addOne("after", { folder: "again" });
      expect(await allKeys(catalog)).toEqual([...kept, "again/after"].sort());
      await catalog.close();
      const again = await openSqliteCatalog({ path, exclusive: true });
      expect(await allKeys(again)).toEqual([...kept, "again/after"].sort());
      await again.close();
      rmSync(path);
    },
  );
}

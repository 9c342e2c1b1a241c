import { expect, test } from "bun:test";
import { expectFault } from "../../catalog/suite/catalog.fixture.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { QuotaRecord } from "../../domain/quotas.ts";
import { createQuotaGuard } from "./quota-guard.ts";

/** The quotas of a catalog that counts how often it is read, and a clock. */
function guardOf(quotas: QuotaRecord[], keepVersions: boolean) {
  const state = { reads: 0, now: 0 };
  const catalog = {
    async listQuotas() {
      state.reads += 1;
      return quotas;
    },
    fileByKey: (_caller: unknown, key: string) => (key === "x/old" ? { size: 30 } : undefined),
  };
  const settings = { trashDays: 30, trashDeletions: false, keepVersions };
  const guard = createQuotaGuard(
    catalog,
    () => settings,
    () => state.now,
  );
  return { guard, state };
}

const quota: QuotaRecord = {
  folderId: "x",
  key: parseKey("x"),
  maxBytes: 100,
  maxFiles: 10,
  usedBytes: 90,
  usedFiles: 10,
};

test("uploads into folders without a quota read nothing most of the time", async () => {
  const { guard, state } = guardOf([quota], true);
  for (let upload = 0; upload < 100; upload += 1) {
    state.now += 50;
    await guard.admit({ folder: parseKey("other/sub"), bytes: 1e9 });
  }
  expect(state.reads).toBeLessThanOrEqual(5);
});

test("refuses bytes and files that do not fit", async () => {
  const { guard } = guardOf([quota], true);
  const folder = parseKey("x/sub");
  await expectFault(guard.admit({ folder, bytes: 11 }), "quota_exceeded", "100 bytes");
  await expectFault(guard.admit({ folder, bytes: 0 }), "quota_exceeded", "10 files");
  await guard.admit({ folder, bytes: 10, files: 0 });
});

test("what is replaced makes room only if it leaves no version", async () => {
  const replaced = { folder: parseKey("x"), bytes: 40, replaces: parseName("old") };
  await guardOf([quota], false).guard.admit(replaced);
  await expectFault(guardOf([quota], true).guard.admit(replaced), "quota_exceeded");
});

test("finds a new quota at once where it was set, and elsewhere within seconds", async () => {
  const quotas: QuotaRecord[] = [];
  const { guard, state } = guardOf(quotas, true);
  const folder = parseKey("x");
  await guard.admit({ folder, bytes: 1000 });
  quotas.push(quota);
  await guard.admit({ folder, bytes: 1000 });
  guard.forget();
  await expectFault(guard.admit({ folder, bytes: 1000 }), "quota_exceeded");
  quotas.pop();
  state.now += 5000;
  await guard.admit({ folder, bytes: 1000 });
});

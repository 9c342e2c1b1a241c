import { afterAll, beforeAll, expect, test } from "bun:test";
import { expectFault } from "../../catalog/suite/catalog.fixture.ts";
import { AUTHORIZED_COMMAND, authorize } from "../../domain/callers/authorize.ts";
import { COMMAND_EVERYWHERE, callerWith } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import { type FilesFixture, openFilesFixture } from "../files.fixture.ts";
import { createQuotaGuard } from "./quota-guard.ts";
import { createQuotaService } from "./quota-service.ts";

let fixture: FilesFixture;
beforeAll(async () => {
  fixture = await openFilesFixture();
});
afterAll(() => fixture.end());

test("a caller that is limited to a folder sees its quota, and cannot change it", async () => {
  const { catalog } = fixture;
  const settings = () => ({ trashDays: 30, trashDeletions: false, keepVersions: false });
  const quotas = createQuotaService(catalog, createQuotaGuard(catalog, settings, Date.now));
  const { id } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("team"));
  await quotas.set(AUTHORIZED_COMMAND, id, { maxBytes: 100 });

  const scope = { actions: new Set(["admin" as const]), folderIds: [id] };
  const limited = authorize(callerWith({ kind: "key", id: "k", name: "CI" }, scope), [
    "admin",
    "list",
  ]);
  const change = async () => {
    // @ts-expect-error: changes need a caller that no folder limits.
    await quotas.set(limited, id, {});
    return authorize(limited, "admin", "instance");
  };
  await expectFault(change(), "forbidden", "limited to a folder");
  expect(await quotas.list(limited)).toMatchObject([{ key: "team", maxBytes: 100 }]);
});

import { afterEach, describe, expect, test } from "bun:test";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { createApiKeys } from "./api-keys.ts";
import { createClock, dropCredentials, emptyCredentials, SECOND } from "./credentials.fixture.ts";
import { hashSecret } from "./secrets.ts";

afterEach(dropCredentials);

async function open() {
  const credentials = await emptyCredentials(openSqliteCatalog);
  const clock = createClock();
  return { credentials, clock, keys: createApiKeys(credentials, clock.now) };
}

describe("an API key", () => {
  test("is created and verified; only its hash is stored", async () => {
    const { credentials, keys, clock } = await open();
    const { record, secret } = await keys.create({ name: "backup", expiresIn: null });
    expect(secret).toMatch(/^hd_[0-9A-Za-z]{43}$/);
    expect(record).toMatchObject({
      name: "backup",
      prefix: secret.slice(0, 8),
      createdAt: clock.now(),
      lastUsedAt: null,
      expiresAt: null,
    });
    const { folderKeys: _, ...key } = record;
    expect(await keys.authenticate(secret)).toEqual(key);
    expect(await keys.list()).toEqual([record]);
    expect(await credentials.apiKeyByHash(hashSecret(secret))).toEqual({
      ...key,
      secretEndsAt: null,
    });
    expect(JSON.stringify(await credentials.apiKeys())).not.toContain(secret.slice(8));
  });

  test("must match in every character, and is limited in length", async () => {
    const { keys } = await open();
    const { secret } = await keys.create({ name: "backup", expiresIn: null });
    const wrong = ["", " ", secret.slice(0, -1), `${secret}x`, secret.toLowerCase(), ` ${secret}`];
    for (const text of [...wrong, "x".repeat(513), "x".repeat(1 << 20)]) {
      expect(await keys.authenticate(text)).toBeUndefined();
    }
  });

  test("expires to the millisecond", async () => {
    const { keys, clock } = await open();
    const { record, secret } = await keys.create({ name: "short", expiresIn: 10 });
    expect(record.expiresAt).toBe(clock.now() + 10 * SECOND);
    clock.pass(10 * SECOND - 1);
    expect(await keys.authenticate(secret)).toBeDefined();
    clock.pass(1);
    expect(await keys.authenticate(secret)).toBeUndefined();
  });

  test("is refused once it is revoked", async () => {
    const { keys } = await open();
    const { record, secret } = await keys.create({ name: "backup", expiresIn: null });
    expect(await keys.revoke(record.id)).toEqual([record.id]);
    expect(await keys.authenticate(secret)).toBeUndefined();
    expect(await keys.revoke(record.id)).toEqual([]);
  });

  test("has no old secret after a rotation, even where the clock is behind", async () => {
    const { credentials, clock, keys } = await open();
    const behind = createApiKeys(credentials, () => clock.now() - 5 * SECOND);
    const { record, secret } = await keys.create({ name: "backup", expiresIn: null });
    const rotated = await keys.rotate({ id: record.id, oldSecretExpiresIn: 0 });
    expect(await behind.authenticate(secret)).toBeUndefined();
    expect(await behind.authenticate(rotated.secret)).toMatchObject({ id: record.id });
    await keys.rotate({ id: record.id, oldSecretExpiresIn: 10 });
    clock.pass(14 * SECOND);
    expect(await behind.authenticate(rotated.secret)).toBeDefined();
    clock.pass(1 * SECOND);
    expect(await behind.authenticate(rotated.secret)).toBeUndefined();
  });

  test("can be renamed; an unknown id is not_found", async () => {
    const { keys } = await open();
    const { record } = await keys.create({ name: "backup", expiresIn: null });
    expect(await keys.rename(record.id, "laptop")).toEqual({ ...record, name: "laptop" });
    await expect(keys.rename("unknown", "laptop")).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("an installed API key", () => {
  test("is added once, also by concurrent processes", async () => {
    const { credentials, keys } = await open();
    const other = createApiKeys(credentials);
    const secret = "sixteen-letters!";
    await Promise.all([keys.install(secret, "initial"), other.install(secret, "initial")]);
    await keys.install(secret, "another name");
    expect(await keys.list()).toMatchObject([{ name: "initial", expiresAt: null }]);
    expect(await keys.authenticate(secret)).toMatchObject({ name: "initial" });
  });

  test("shows only three characters, because it may be short", async () => {
    const { keys } = await open();
    await keys.install("sixteen-letters!", "initial");
    expect((await keys.list())[0]?.prefix).toBe("six");
  });
});

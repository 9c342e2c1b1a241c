import { afterAll, expect, test } from "bun:test";
import { eventually } from "../../test/expectations.ts";
import { startServer } from "../../test/harness.ts";
import { administrator } from "../../test/session.ts";
import { adminOf } from "./admin.ts";
import { Holdall } from "./holdall.ts";

const server = await startServer(administrator);
afterAll(() => server.discard());

test("administers a server with one object", async () => {
  const holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
  const admin = adminOf(holdall);
  const { key, secret } = await admin.keys.create("agent", { actions: ["list", "write"] });
  expect(secret).toStartWith("hd_");
  await holdall.folders.create("photos");
  expect(await admin.quotas.set({ key: "photos" }, { maxBytes: 1000 })).toMatchObject({
    maxBytes: 1000,
  });
  const grant = await admin.people.grant({ group: "design", folder: "photos", actions: ["list"] });
  expect((await admin.people.grants()).map(({ id }) => id)).toEqual([grant.id]);
  const { webhook } = await admin.webhooks.create({ name: "hook", url: "http://127.0.0.1:9/" });
  expect((await admin.webhooks.list()).map(({ id }) => id)).toEqual([webhook.id]);
  const preview = await admin.undo.preview({ by: key.id, since: new Date(Date.now() - 60_000) });
  expect(preview).toBeObject();
  expect(await admin.logo.read()).toBeNull();
  expect((await admin.settings.change({ trashDays: 7 })).trashDays).toMatchObject({ value: 7 });
  // The audit log is written a moment later.
  await eventually("the change is in the audit log", async () => {
    const { activity } = await admin.activity.list({ action: "changeSettings" });
    return activity.length === 1;
  });
  expect((await admin.overview()).storage).toBeObject();
  expect(await admin.healthDetails()).toBeObject();
  expect(await admin.startScrub()).toBeObject();
});

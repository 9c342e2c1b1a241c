import { afterAll, expect, test } from "bun:test";
import { api, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { remoteCommands } from "./remote-commands.fixture.ts";
import { newKeyData } from "./shapes.ts";
import { trashApi } from "./trash-requests.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);
const { holdall, lines } = remoteCommands(server);

test("--dry-run says what rm, mv and cp would do, for each key, and does nothing", async () => {
  const folder = unique("dry");
  for (const name of ["a", "b"]) await a.put(`${folder}/${name}`, name);
  const removed = await holdall("rm", `${folder}/a`, `${folder}/b`, "--dry-run");
  expect([removed.code, removed.stderr]).toEqual([0, ""]);
  expect(lines(removed)).toMatchObject([
    { type: "dryRun", subject: `${folder}/a`, total: 1, changes: [{ type: "file.deleted" }] },
    { type: "dryRun", subject: `${folder}/b`, total: 1 },
  ]);
  const moved = await holdall("mv", `${folder}/a`, `${folder}/c`, "--dry-run", "--text");
  expect(moved).toMatchObject({ code: 0, stderr: "" });
  expect(moved.stdout).toContain("Nothing was changed.");
  expect(moved.stdout).toContain(`file.moved ${folder}/a to ${folder}/c`);
  const copied = await holdall("cp", folder, `${folder}-copy`, "--dry-run");
  expect(lines(copied)).toMatchObject([{ type: "dryRun", files: 2, bytes: 2 }]);
  // The failures are those of the change.
  expect((await holdall("mv", `${folder}/a`, `${folder}/b`, "--dry-run")).code).toBe(1);
  const keys = lines(await holdall("ls", folder)).map(({ key }) => key);
  expect(keys).toEqual([`${folder}/a`, `${folder}/b`]);
  expect((await holdall("undo")).stderr).toContain("There is no `rm` to undo");
});

test("undo --by takes back what a key did, and tells what it left", async () => {
  const folder = unique("by");
  const [one, two] = [await a.put(`${folder}/a`, "1"), await a.put(`${folder}/b`, "2")];
  const made = await a.json("POST", "/api/keys", {
    name: "agent",
    actions: ["list", "write", "discard"],
  });
  const { key, secret } = expectData(made, newKeyData);
  const t = trashApi(server, secret);
  await t.json("DELETE", "/api/files", { id: one.id });
  await t.json("PUT", "/api/files", { id: two.id, name: "c" });
  await a.json("PUT", "/api/files", { id: two.id, name: "d" });
  const args = ["undo", "--by", key.id, "--since", "1h", "--folder", folder];
  const tried = await holdall(...args, "--dry-run");
  expect(tried.code).toBe(0);
  expect(lines(tried)).toMatchObject([
    { type: "dryRun", total: 1, conflicts: [{ key: `${folder}/d` }] },
  ]);
  const undone = await holdall(...args);
  expect(undone.code).toBe(1);
  expect(lines(undone)).toMatchObject([
    { type: "undone", change: "file.restored", key: `${folder}/a` },
    { type: "conflict", key: `${folder}/d` },
    { type: "undo", total: 1, conflicts: 1 },
  ]);
  expect((await holdall("undo", "--by", key.id)).code).toBe(2);
  expect((await holdall(...args, "some-id")).code).toBe(2);
  expect((await holdall("undo", "--by", key.id, "--since", "soon")).code).toBe(2);
});

import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examineEnvironmentFile } from "./examine-machine.ts";

const folder = mkdtempSync(join(tmpdir(), "holdall-doctor-"));
afterAll(() => rmSync(folder, { recursive: true }));

function adviceCount(text: string, mode: number): number {
  const path = join(folder, ".env");
  writeFileSync(path, text);
  chmodSync(path, mode);
  return examineEnvironmentFile(folder).length;
}

test("reports nothing without a file", () => {
  expect(examineEnvironmentFile(join(folder, "none"))).toEqual([]);
});

test.each([
  "AUTH_SECRET=x",
  "PORT=1\nexport ADMIN_PASSWORD = x",
  "DATABASE_URL=postgres://x",
  "REDIS_URL=redis://:x@y",
])("reports a file with %j that other users can read", (text) => {
  expect([adviceCount(text, 0o644), adviceCount(text, 0o640), adviceCount(text, 0o600)]).toEqual([
    1, 1, 0,
  ]);
});

test.each(["PORT=3000\nHOST=127.0.0.1", "# AUTH_SECRET=x", "AUTH_SECRET=\nPORT=1"])(
  "reports nothing for %j",
  (text) => expect(adviceCount(text, 0o644)).toBe(0),
);

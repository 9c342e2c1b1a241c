import { afterAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parseSha256 } from "../domain/sha256.ts";
import { createManifest, manifestLine } from "./manifest.ts";

const folder = mkdtempSync(join(tmpdir(), "holdall-manifest-"));
afterAll(() => rmSync(folder, { recursive: true }));

const digestOf = (text: string) => parseSha256(createHash("sha256").update(text).digest("hex"));
const sha256sum = (path: string, ...args: string[]) =>
  spawnSync("sha256sum", args, { cwd: path, encoding: "utf8" });

/** Any name that a disk can store. */
const anyName = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .map((text) => text.toWellFormed().normalize("NFC"))
  .filter(
    (name) => !/[/\0]/.test(name) && name !== "." && name !== ".." && Buffer.byteLength(name) < 256,
  );
const oddName = fc.constantFrom(
  "-",
  "\\",
  "a\\nb",
  "a\nb",
  "a\rb",
  "\r",
  " ",
  "*x",
  "x ",
  "--help",
  "#",
  "\\x",
);

test("sha256sum -c accepts files of any name, and finds a changed one", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.oneof(anyName, oddName), { minLength: 1, maxLength: 8 }),
      async (names) => {
        run += 1;
        const path = join(folder, `${run}`);
        mkdirSync(path);
        const file = join(folder, `${run}.sums`);
        const manifest = await createManifest(file);
        for (const name of names) {
          writeFileSync(join(path, name), `content of ${name}`);
          await manifest.add(digestOf(`content of ${name}`), name);
        }
        await manifest.publish();
        const checked = sha256sum(path, "--strict", "-c", file);
        expect([checked.status, checked.stderr]).toEqual([0, ""]);
        writeFileSync(join(path, names[0] ?? ""), "changed");
        expect(sha256sum(path, "--strict", "-c", file).status).toBe(1);
      },
    ),
    { numRuns: 40 },
  );
});

test("lines are those of sha256sum", () => {
  const path = join(folder, "lines");
  mkdirSync(path);
  fc.assert(
    fc.property(
      fc.oneof(anyName, oddName).filter((name) => name !== "-"),
      (name) => {
        writeFileSync(join(path, name), name);
        expect(manifestLine(digestOf(name), name)).toBe(sha256sum(path, "--", name).stdout);
      },
    ),
    { numRuns: 40 },
  );
});

test("keeps an existing file, and leaves no draft", async () => {
  const file = join(folder, "taken");
  const manifest = await createManifest(file);
  await manifest.add(digestOf("a"), "a".repeat(100_000));
  writeFileSync(file, "not Holdall's");
  await expect(manifest.publish()).rejects.toThrow("EEXIST");
  await manifest.close();
  await manifest.close();
  expect(readFileSync(file, "utf8")).toBe("not Holdall's");
  const unfinished = await createManifest(join(folder, "unfinished"));
  await unfinished.close();
  expect(existsSync(join(folder, "unfinished"))).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith(".new"))).toEqual([]);
});

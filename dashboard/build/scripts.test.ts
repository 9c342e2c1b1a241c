import { expect, test } from "bun:test";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { bundleScripts } from "./scripts.ts";

test("the files page needs one script of less than 150 KB, compressed", async () => {
  const scripts = await bundleScripts(join(import.meta.dir, "../src"), "theme.css");

  expect(scripts.filter(({ preload }) => preload)).toEqual([]);
  const names = scripts.map(({ name }) => name);
  expect(names.filter((name) => name.startsWith("files-page-"))).toEqual([]);
  const entry = scripts.find(({ role }) => role === "main.js");
  expect(brotliCompressSync(entry?.bytes ?? new Uint8Array()).length).toBeWithin(1, 150_000);
});

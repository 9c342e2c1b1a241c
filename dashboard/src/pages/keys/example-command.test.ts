import { expect, test } from "bun:test";
import { exampleCommand } from "./example-command.ts";

const SITE = "https://files.example.com";
const folder = { id: "1", key: "a b/it's" };
const commands = (actions: Parameters<typeof exampleCommand>[0]["actions"], limited = false) =>
  exampleCommand({ actions, folder: limited ? folder : null }, "hd_1", SITE)?.code.split("\n");

test("a key that may write uploads a file to its folder", () => {
  expect(commands(["admin"])).toEqual([
    `curl ${SITE}/api/files \\`,
    '  -H "API-Key: hd_1" \\',
    "  -F files=@photo.jpg",
    "",
    `curl ${SITE}/api/hosting/photo.jpg -o copy.jpg`,
  ]);
  expect(commands(["write"], true)).toEqual([
    `curl ${SITE}/api/files \\`,
    '  -H "API-Key: hd_1" \\',
    "  -F 'folder=a b/it'\\''s' \\",
    "  -F files=@photo.jpg",
    "",
    `curl '${SITE}/api/hosting/a%20b/it'\\''s/photo.jpg' -o copy.jpg`,
  ]);
});

test("a key that may list lists its folder, one that may only read downloads a file", () => {
  expect(commands(["list", "read"], true)?.[0]).toBe(
    `curl '${SITE}/api/folders?key=a%20b%2Fit'\\''s' \\`,
  );
  expect(commands(["read"])?.[0]).toBe(`curl ${SITE}/api/hosting/photo.jpg -o photo.jpg \\`);
  expect(commands(["keys"])).toBeUndefined();
});

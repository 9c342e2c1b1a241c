import { expect, test } from "bun:test";
import { exampleCommand } from "./example-command.ts";

const SITE = "https://files.example.com";
const folder = { id: "1", key: "a b/it's" };
type Actions = Parameters<typeof exampleCommand>[0]["actions"];
const commands = (actions: Actions, limited = false, visibility: "public" | "private" = "public") =>
  exampleCommand(
    { actions, folder: limited ? folder : null },
    "hd_1",
    SITE,
    visibility,
  )?.code.split("\n");

test("a key that may write uploads a file to its folder", () => {
  expect(commands(["admin"])).toEqual([
    `curl -f ${SITE}/api/files \\`,
    '  -H "API-Key: hd_1" \\',
    "  -F files=@photo.jpg",
    "",
    `curl -f ${SITE}/api/hosting/photo.jpg -o copy.jpg`,
  ]);
  expect(commands(["write"], true)).toEqual([
    `curl -f ${SITE}/api/files \\`,
    '  -H "API-Key: hd_1" \\',
    "  --form-string 'folder=a b/it'\\''s' \\",
    "  -F files=@photo.jpg",
    "",
    `curl -f '${SITE}/api/hosting/a%20b/it'\\''s/photo.jpg' -o copy.jpg`,
  ]);
});

test("a key that may list lists its folder, one that may only read downloads a file", () => {
  expect(commands(["list", "read"], true)?.[0]).toBe(
    `curl -f '${SITE}/api/folders?key=a%20b%2Fit'\\''s' \\`,
  );
  expect(commands(["read"])?.[0]).toBe(`curl -f ${SITE}/api/hosting/photo.jpg -o photo.jpg \\`);
  expect(commands(["keys"])).toBeUndefined();
});

test("a private file is downloaded with the key, if the key may read", () => {
  expect(commands(["write", "read"], false, "private")?.slice(-2)).toEqual([
    `curl -f ${SITE}/api/hosting/photo.jpg -o copy.jpg \\`,
    '  -H "API-Key: hd_1"',
  ]);
  expect(commands(["write"], false, "private")).toEqual([
    `curl -f ${SITE}/api/files \\`,
    '  -H "API-Key: hd_1" \\',
    "  -F files=@photo.jpg",
  ]);
});

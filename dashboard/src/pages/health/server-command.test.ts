import { expect, test } from "bun:test";
import { serverCommand } from "./server-command.ts";

test.each([
  [null, "npm run holdall -- verify"],
  ["/srv/holdall", "DATA_PATH=/srv/holdall npm run holdall -- verify"],
  ["/my files", "DATA_PATH='/my files' npm run holdall -- verify"],
])("a command for the data folder %s is %s", (dataPath, expected) => {
  expect(serverCommand({ dataPath }, "verify")).toBe(expected);
});

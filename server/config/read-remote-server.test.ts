import { expect, test } from "bun:test";
import { readStateFolder } from "./read-remote-server.ts";

test.each([
  [{ XDG_STATE_HOME: "/state", HOME: "/home/ada" }, "linux", "/state/holdall"],
  [{ XDG_STATE_HOME: "relative", HOME: "/home/ada" }, "linux", "/home/ada/.local/state/holdall"],
  [{ HOME: "/home/ada" }, "darwin", "/home/ada/.local/state/holdall"],
  [{ LOCALAPPDATA: "/local", USERPROFILE: "/ada" }, "win32", "/local/holdall"],
  [{}, "linux", null],
] as const)("with %p on %s, notes are in %p", (env, platform, folder) => {
  expect(readStateFolder(env, platform)).toBe(folder);
});

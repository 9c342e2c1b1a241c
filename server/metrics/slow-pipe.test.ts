import { expect, test } from "bun:test";
import { join } from "node:path";

test("lines of both logs arrive whole through a pipe that is read slowly", async () => {
  const writer = `"${process.execPath}" "${join(import.meta.dir, "slow-pipe.fixture.ts")}"`;
  // Two processes share the pipe, as workers do. `dd` reads it in small pieces.
  const shell = `(${writer} & ${writer}; wait) 2>&1 | (sleep 1; dd bs=700 status=none)`;
  const { stdout } = Bun.spawn(["sh", "-c", shell], { stdin: "ignore" });
  const lines = (await new Response(stdout).text()).trimEnd().split("\n");
  const isJson = (line: string): boolean => {
    try {
      return typeof JSON.parse(line) === "object";
    } catch {
      return false;
    }
  };
  expect(lines.filter((line) => !isJson(line))).toEqual([]);
  expect(lines).toHaveLength(2 * 40 * (300 + 2));
}, 60_000);

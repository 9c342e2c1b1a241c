import { expect, test } from "bun:test";
import { join } from "node:path";

/** The line that the log writes, in a process of its own, for the fields. */
function lineFor(fields: string): string {
  const script = `import { createLog } from "${join(import.meta.dir, "log.ts")}"; createLog("info").warn(${fields}, "told");`;
  const { stderr } = Bun.spawnSync([process.execPath, "-e", script]);
  return stderr.toString();
}

test.each([
  ["a long text", '{ key: "é".repeat(5000), status: 500 }'],
  ["several long texts", '{ key: "a".repeat(3000), to: "b".repeat(3000), status: 500 }'],
  ["a text of characters that are escaped", '{ key: "\\u2028".repeat(5000), status: 500 }'],
  ["a long list", '{ keys: Array.from({ length: 900 }, (_, at) => "a/" + at), status: 500 }'],
  ["a long text of an error", '{ err: new Error("x".repeat(9000)), status: 500 }'],
])("a line with %s is cut to what a pipe takes as a whole", (_, fields) => {
  const line = lineFor(fields);
  expect(Buffer.byteLength(line)).toBeLessThanOrEqual(4096);
  expect(line.endsWith("}\n")).toBe(true);
  expect(line).toContain("…");
  expect(JSON.parse(line)).toMatchObject({ status: 500, msg: "told" });
});

test("a line that fits is whole", () => {
  expect(JSON.parse(lineFor('{ key: "é".repeat(1900) }')).key).toBe("é".repeat(1900));
});

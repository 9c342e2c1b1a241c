import { writeFileSync } from "node:fs";
import { renderImage } from "../images/render-image.ts";
import type { RenderJob } from "../images/rendering.ts";
import { UsageError } from "../terminal/usage-error.ts";

/** The process that scales images for a server. It exits when the server does. */
export function imageProcessCommand(): void {
  const send = process.send?.bind(process);
  if (send === undefined) throw new UsageError("`image-process` is started by `serve`.");
  try {
    // When memory runs out, the system ends this process first (proc(5)).
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Only Linux has this.
  }
  process.on("message", (job: RenderJob) => void renderImage(job).then((result) => send(result)));
  process.on("disconnect", () => process.exit(0));
  // A terminal sends this to the whole process group; the server ends the child itself.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
}

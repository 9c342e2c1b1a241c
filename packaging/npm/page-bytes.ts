import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The KB that a page may load, compressed, for a module of these lines. */
export const pageLimits = [
  // With the paths of all operations, which are a kilobyte of it.
  { lines: 'export * from "@holdall/sdk"', kilobytes: 16 },
  { lines: 'export * from "@holdall/sdk/upload"', kilobytes: 6 },
  { lines: 'export { uploadTo } from "@holdall/sdk"', kilobytes: 6 },
  { lines: 'export { verifyWebhook } from "@holdall/sdk/webhooks"', kilobytes: 2 },
  { lines: 'export { HoldallError } from "@holdall/sdk"', kilobytes: 1 },
] as const;

/** The same for the hook, in an app that has React. */
export const hookLimit = {
  lines: 'export { useUploads } from "@holdall/react"',
  kilobytes: 8,
} as const;

/** The bytes that a page loads, compressed, for a module of these lines in a project that has the packages. */
export async function pageBytes(project: string, lines: string): Promise<number> {
  const entry = join(project, "page.js");
  writeFileSync(entry, lines);
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    minify: true,
    target: "browser",
    external: ["react"],
  });
  return Bun.gzipSync(new Uint8Array((await outputs[0]?.arrayBuffer()) ?? [])).byteLength;
}

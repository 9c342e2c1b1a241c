import { isAbsolute, join } from "node:path";
import type { Environment } from "./environment-reader.ts";

/**
 * Where the remote commands keep what they need to continue: `holdall` in the user's state folder, by
 * the XDG Base Directory Specification, or on Windows in LOCALAPPDATA. null: the user has no home.
 */
export function readStateFolder(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string | null {
  const state = env.XDG_STATE_HOME ?? "";
  if (isAbsolute(state)) return join(state, "holdall");
  const local = env.LOCALAPPDATA ?? "";
  if (platform === "win32" && isAbsolute(local)) return join(local, "holdall");
  const home = env.HOME ?? env.USERPROFILE ?? "";
  return isAbsolute(home) ? join(home, ".local", "state", "holdall") : null;
}

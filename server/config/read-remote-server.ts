import { isAbsolute, join } from "node:path";
import { ConfigError } from "./config.ts";
import type { Environment } from "./environment-reader.ts";

/** The server that the remote commands talk to, and where they keep notes. */
export interface RemoteServer {
  /** An absolute http or https URL. */
  readonly url: string;
  readonly apiKey: string;
  /** The folder of the notes about unfinished uploads and the last deletions; null: they cannot be kept. */
  readonly stateFolder: string | null;
}

/** Reads `HOLDALL_URL` and `HOLDALL_KEY`. Throws `ConfigError` if one is missing or invalid. */
export function readRemoteServer(env: Environment): RemoteServer {
  const url = env.HOLDALL_URL?.trim() ?? "";
  const apiKey = env.HOLDALL_KEY?.trim() ?? "";
  if (url === "") {
    throw new ConfigError(
      "HOLDALL_URL is not set: set it to the URL of the server, such as https://files.example.com.",
    );
  }
  if (!isHttpUrl(url)) {
    throw new ConfigError(
      `HOLDALL_URL is ${JSON.stringify(url)}, but must be the URL of the server, such as https://files.example.com.`,
    );
  }
  if (apiKey === "") {
    throw new ConfigError(
      "HOLDALL_KEY is not set: set it to an API key of the server, such as `holdall keys create NAME` prints.",
    );
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ConfigError("HOLDALL_KEY has characters that no API key has: copy the key again.");
  }
  return { url, apiKey, stateFolder: readStateFolder(env) };
}

/**
 * The folder in which the remote commands keep what they need to continue: `holdall` in the user's state folder, by
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

const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

import { ConfigError } from "./config.ts";
import type { Environment } from "./environment-reader.ts";
import { readStateFolder } from "./read-state-folder.ts";

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

const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

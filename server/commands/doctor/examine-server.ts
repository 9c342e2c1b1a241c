import { type Advice, warning } from "../../config/advice.ts";
import type { Config } from "../../config/config.ts";
import { localHostOf } from "../local-host-of.ts";
import { examineProxy } from "./examine-proxy.ts";
import { get } from "./get.ts";

/** Examines the running server, locally and at PUBLIC_URL. */
export async function examineServer(config: Config): Promise<Advice[]> {
  const { host, port } = config;
  const found: Advice[] = [];
  const local = `http://${localHostOf(host)}:${port}`;
  const here = port === 0 ? undefined : await get(`${local}/api/health`);
  if (here === undefined || !here.text.includes("Holdall")) {
    found.push(
      warning(
        `No server responds at ${local}, so doctor examined only the configuration and the data folder.`,
        "Run this with the environment, or in the folder with the .env file, of the running server.",
      ),
    );
  } else {
    found.push(...(await examineSetup(local)));
  }
  found.push(...(await examineProxy(config)));
  return found;
}

async function examineSetup(local: string): Promise<Advice[]> {
  const state = await get(`${local}/auth/setup`);
  if (!state?.text.includes('"needed":true')) return [];
  return [
    warning(
      "There is no administrator account yet: anybody who sees the setup link in the log can create it.",
      "Open the link that the server printed when it started.",
    ),
  ];
}

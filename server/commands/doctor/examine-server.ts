import type { Config } from "../../config/config.ts";
import { reachable } from "../reachable.ts";
import { type Advice, careful } from "./advice.ts";
import { ask } from "./ask.ts";
import { examineProxy } from "./examine-proxy.ts";

/** What the running server tells, asked on this machine and by the address that visitors use. */
export async function examineServer(config: Config): Promise<Advice[]> {
  const { host, port } = config;
  const found: Advice[] = [];
  const local = `http://${reachable(host)}:${port}`;
  const here = port === 0 ? undefined : await ask(`${local}/api/health`);
  if (here === undefined || !here.text.includes("Holdall")) {
    found.push(
      careful(
        `No server answers at ${local}, so only the configuration and the data folder were looked at.`,
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
  const state = await ask(`${local}/auth/setup`);
  if (!state?.text.includes('"needed":true')) return [];
  return [
    careful(
      "There is no administrator's account yet: whoever sees the setup link in the log can make it.",
      "Open the link that the server printed at its start.",
    ),
  ];
}

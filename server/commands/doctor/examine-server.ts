import type { Config } from "../../config.ts";
import { reachable } from "../reachable.ts";
import { type Advice, careful, wrong } from "./advice.ts";
import { isLoopback } from "./examine-config.ts";

const PATIENCE_MS = 5_000;

/** What the running server tells, asked on this machine and by the address that visitors use. */
export async function examineServer({ host, port, publicUrl }: Config): Promise<Advice[]> {
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
  if (publicUrl !== null) found.push(...(await examinePublic(publicUrl)));
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

async function examinePublic(publicUrl: string): Promise<Advice[]> {
  const seen = await ask(`${publicUrl}/api/health`);
  if (seen === undefined || !seen.text.includes("Holdall")) {
    return [
      wrong(
        `PUBLIC_URL, ${publicUrl}, does not lead to this server from here${seen === undefined ? "" : `: it answers ${seen.status}`}.`,
        "See to the name, the certificate and the proxy. If only outsiders can use the address, look at it from outside.",
      ),
    ];
  }
  const isLocal = isLoopback(new URL(publicUrl).hostname);
  if (
    !publicUrl.startsWith("https:") ||
    isLocal ||
    seen.header("strict-transport-security") !== null
  ) {
    return [];
  }
  return [
    careful(
      "The proxy sends no Strict-Transport-Security: a visitor's first request may go unencrypted.",
      'Have it send: Strict-Transport-Security: "max-age=31536000"',
    ),
  ];
}

interface Told {
  readonly status: number;
  readonly text: string;
  header(name: string): string | null;
}

/** undefined: there was no answer. */
async function ask(url: string): Promise<Told | undefined> {
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: "manual",
    });
    const text = await answer.text();
    return { status: answer.status, text, header: (name) => answer.headers.get(name) };
  } catch {
    return undefined;
  }
}

import { join } from "node:path";
import { forEachConcurrently } from "../../server/rules/for-each-concurrently.ts";
import { api } from "../../test/client.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { conditions } from "../../test/hostile/requests/conditions.ts";
import { persistentConnections } from "../../test/hostile/requests/persistent-connections.ts";
import { DIGITS, KEY, type RequestCase } from "../../test/hostile/requests/request-case.ts";
import { requestLines } from "../../test/hostile/requests/request-lines.ts";
import { requestSmuggling } from "../../test/hostile/requests/request-smuggling.ts";
import { requestTargets } from "../../test/hostile/requests/request-targets.ts";
import { sendPipelined } from "../../test/hostile/send-pipelined.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import type { Row, Trial } from "../trial.ts";
import { type FrontProxy, startHaproxy, startNginx } from "./front-proxies.ts";
import { runRealClients } from "./run-real-clients.ts";

/** The hostile requests, and real clients, behind nginx and haproxy. */
export const proxies: Trial = {
  name: "proxies",
  async run() {
    const folder = temporaryFolder();
    const server = await startServer(join(folder, "data"), { env: { INITIAL_API_KEY: KEY } });
    const frontProxies: FrontProxy[] = [];
    try {
      await api(server).put("digits.txt", DIGITS);
      await api(server).put("secret.txt", DIGITS, { visibility: "private" });
      await api(server).put("été.txt", "summer");
      const rows: Row[] = [
        ...(await runRealClients(server, { url: server.url, where: "alone", folder, size: SIZE })),
      ];
      for (const start of [startNginx, startHaproxy]) {
        const proxy = await start(server, folder);
        frontProxies.push(proxy);
        rows.push(await sendTable(server, proxy));
        rows.push(
          ...(await runRealClients(server, {
            url: `http://127.0.0.1:${proxy.port}`,
            where: `behind ${proxy.name}`,
            folder,
            size: SIZE,
          })),
        );
      }
      return rows;
    } finally {
      for (const proxy of frontProxies) proxy.stop();
      await server.kill();
      removeFolder(folder);
    }
  },
};

/** All but the preface of HTTP/2, which haproxy supports. */
const TABLE: readonly RequestCase[] = [
  ...requestSmuggling,
  ...requestTargets,
  ...requestLines.filter(({ section }) => section !== "9113 §3.4"),
  ...persistentConnections,
  ...conditions,
];
const SIZE = 20_000_000;

/** Folders that the case with trailers creates if a proxy accepts and strips them. */
const MAY_BE = ["t"];

/**
 * Proxies reject more requests and correct some. What they forward must never become more requests
 * than were sent (request smuggling), leak a secret or store anything.
 */
async function sendTable(server: ServerProcess, proxy: FrontProxy): Promise<Row> {
  const problems: string[] = [];
  let answered = 0;
  await forEachConcurrently(Array(TABLE.length).keys(), 8, async (at) => {
    const each = TABLE[at];
    if (each === undefined) return;
    const what = `${each.section}: ${each.what}`;
    const pieces = typeof each.send === "string" ? [each.send] : each.send;
    try {
      // If the server sends a second response, the proxy closes after the first.
      const expected = each.outcome.connection === "closed" ? 1 : each.outcome.answers.length;
      const { answers } = await sendPipelined(proxy.port, pieces, expected);
      answered += answers.length;
      // A proxy that corrects a length may read what follows as the body, and reject the rest.
      const isNonsense = answers.at(-1)?.status === 400;
      const most = Math.max(each.outcome.answers.length, 1) + (isNonsense ? 1 : 0);
      if (answers.length > most) problems.push(`${what}: ${answers.length} responses`);
      if (answers.some(({ status }) => status === 500)) problems.push(`${what}: 500`);
    } catch (error) {
      problems.push(
        `${what}: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`,
      );
    }
  });
  const { files, folders } = await api(server).browse("");
  const strange = [...files, ...folders]
    .map(({ name }) => name)
    .filter((name) => !KNOWN.includes(name));
  problems.push(...strange.map((name) => `${name} was created.`));
  if (server.output().includes("Unexpected server error")) problems.push("An unexpected error.");
  return {
    fault: `hostile requests behind ${proxy.name}`,
    tries: TABLE.length,
    lost: 0,
    leftovers: 0,
    problems: problems.slice(0, 20),
    note: `${answered} responses`,
  };
}

const KNOWN = ["digits.txt", "secret.txt", "été.txt", "clients", ...MAY_BE];

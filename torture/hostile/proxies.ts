import { join } from "node:path";
import { forEachConcurrently } from "../../server/lib/for-each-concurrently.ts";
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

/** Request smuggling and real clients, behind nginx and HAProxy. */
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
        ...(await runRealClients(server, {
          url: server.url,
          connection: "without a proxy",
          folder,
          size: SIZE,
        })),
      ];
      for (const start of [startNginx, startHaproxy]) {
        const proxy = await start(server, folder);
        frontProxies.push(proxy);
        rows.push(await sendCases(server, proxy));
        rows.push(
          ...(await runRealClients(server, {
            url: `http://127.0.0.1:${proxy.port}`,
            connection: `behind ${proxy.name}`,
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

/** All but the HTTP/2 preface, since HAProxy supports HTTP/2. */
const CASES: readonly RequestCase[] = [
  ...requestSmuggling,
  ...requestTargets,
  ...requestLines.filter(({ section }) => section !== "9113 §3.4"),
  ...persistentConnections,
  ...conditions,
];
const SIZE = 20_000_000;

/** "t" is created by a case with trailers, if a proxy drops the trailers and forwards the rest. */
const ALLOWED_NAMES = ["digits.txt", "secret.txt", "été.txt", "clients", "t"];

/**
 * A proxy rejects or repairs some requests. It must not be possible to smuggle requests past it:
 * the server never answers more requests than were sent, and stores nothing.
 */
async function sendCases(server: ServerProcess, proxy: FrontProxy): Promise<Row> {
  const problems: string[] = [];
  let count = 0;
  await forEachConcurrently(Array(CASES.length).keys(), 8, async (at) => {
    const each = CASES[at];
    if (each === undefined) return;
    const title = `${each.section}: ${each.title}`;
    const pieces = typeof each.send === "string" ? [each.send] : each.send;
    try {
      // Where the server sends a second response with 400, a proxy closes after the first.
      const expected = each.outcome.connection === "closed" ? 1 : each.outcome.statuses.length;
      const { responses } = await sendPipelined(proxy.port, pieces, expected);
      count += responses.length;
      // A proxy that repairs a length may take the next bytes for the body and reject the rest.
      const endsWith400 = responses.at(-1)?.status === 400;
      const max = Math.max(each.outcome.statuses.length, 1) + (endsWith400 ? 1 : 0);
      if (responses.length > max) problems.push(`${title}: ${responses.length} responses`);
      if (responses.some(({ status }) => status === 500)) problems.push(`${title}: 500`);
    } catch (error) {
      problems.push(
        `${title}: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`,
      );
    }
  });
  const { files, folders } = await api(server).browse("");
  const unexpected = [...files, ...folders]
    .map(({ name }) => name)
    .filter((name) => !ALLOWED_NAMES.includes(name));
  problems.push(...unexpected.map((name) => `A request created "${name}".`));
  if (server.output().includes("Unexpected server error"))
    problems.push("The server logged an unexpected error.");
  return {
    fault: `hostile requests behind ${proxy.name}`,
    tries: CASES.length,
    lost: 0,
    leftovers: 0,
    problems: problems.slice(0, 20),
    note: `${count} responses`,
  };
}

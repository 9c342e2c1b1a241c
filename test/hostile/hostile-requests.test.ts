import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { api } from "../client.ts";
import { startServer, type TestServer } from "../harness.ts";
import { conditions } from "./requests/conditions.ts";
import { persistentConnections } from "./requests/persistent-connections.ts";
import { DIGITS, KEY, type RequestCase } from "./requests/request-case.ts";
import { requestLines } from "./requests/request-lines.ts";
import { requestSmuggling } from "./requests/request-smuggling.ts";
import { requestTargets } from "./requests/request-targets.ts";
import { sendPipelined } from "./send-pipelined.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ INITIAL_API_KEY: KEY });
  await api(server).put("digits.txt", DIGITS);
  await api(server).put("secret.txt", DIGITS, { visibility: "private" });
  await api(server).put("été.txt", "summer");
});
afterAll(() => server.discard());

const groups: Readonly<Record<string, readonly RequestCase[]>> = {
  "request smuggling": requestSmuggling,
  "Host headers and request targets": requestTargets,
  "methods, versions and header lines": requestLines,
  "persistent connections and early responses": persistentConnections,
  "conditional requests and ranges": conditions,
};

const titleOf = ({ section, title, outcome }: RequestCase): string =>
  `RFC ${section}: ${title} → ${outcome.statuses.join(", ")}, connection ${outcome.connection}`;

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    test.each(cases.map((each) => [titleOf(each), each] as const))(
      "%s",
      async (_title, { send, outcome }) => {
        const pieces = typeof send === "string" ? [send] : send;
        const seen = await sendPipelined(server.port, pieces, outcome.statuses.length);
        const statuses = seen.responses.map(({ status }) => status);
        // The runtime closes the connection at bytes that are no request, which can be before the 400 of the handler is
        // sent. Either way nothing that follows is answered.
        const isEither = String(outcome.statuses) === "400,400" && outcome.connection === "closed";
        expect({
          statuses: isEither && String(statuses) === "400" ? [400, 400] : statuses,
          connection: seen.isInSync ? "kept" : "closed",
          continues: seen.continues,
          excess: seen.excess,
        }).toEqual({
          statuses: [...outcome.statuses],
          connection: outcome.connection,
          continues: outcome.continues ?? 0,
          excess: "",
        });
        const last = seen.responses.at(-1);
        if (typeof outcome.body === "string") expect(last?.text).toBe(outcome.body);
        if (outcome.body instanceof RegExp) expect(last?.text).toMatch(outcome.body);
        for (const [name, value] of Object.entries(outcome.headers ?? {})) {
          expect({ [name]: last?.header(name) ?? null }).toEqual({ [name]: value });
        }
      },
    );
  });
}

test("hostile requests store nothing and cause no unexpected error", async () => {
  const { folders, files } = await api(server).browse("");
  expect(folders).toEqual([]);
  expect(files.map(({ name }) => name).sort()).toEqual(["digits.txt", "secret.txt", "été.txt"]);
  expect(server.output()).not.toContain("Unexpected server error");
});

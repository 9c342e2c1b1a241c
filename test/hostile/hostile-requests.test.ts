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

const table: Readonly<Record<string, readonly RequestCase[]>> = {
  "where a body ends": requestSmuggling,
  "whom and what a request is for": requestTargets,
  "methods, versions and lines": requestLines,
  "one after another, and before the body": persistentConnections,
  "conditions and ranges": conditions,
};

for (const [what, cases] of Object.entries(table)) {
  describe(what, () => {
    test.each(cases.map((each) => [each.section, each.what, each] as const))(
      "%s: %s",
      async (_section, _what, { send, outcome }) => {
        const pieces = typeof send === "string" ? [send] : send;
        const seen = await sendPipelined(server.port, pieces, outcome.answers.length);
        expect({
          answers: seen.answers.map(({ status }) => status),
          connection: seen.isInSync ? "kept" : "closed",
          interim: seen.interim,
          excess: seen.excess,
        }).toEqual({
          answers: [...outcome.answers],
          connection: outcome.connection,
          interim: outcome.interim ?? 0,
          excess: "",
        });
        const last = seen.answers.at(-1);
        if (typeof outcome.body === "string") expect(last?.text).toBe(outcome.body);
        if (outcome.body instanceof RegExp) expect(last?.text).toMatch(outcome.body);
        for (const [name, value] of Object.entries(outcome.headers ?? {})) {
          expect({ [name]: last?.header(name) ?? null }).toEqual({ [name]: value });
        }
      },
    );
  });
}

test("none of these requests stored anything or caused an unexpected error", async () => {
  const { folders, files } = await api(server).browse("");
  expect(folders).toEqual([]);
  expect(files.map(({ name }) => name).sort()).toEqual(["digits.txt", "secret.txt", "été.txt"]);
  expect(server.output()).not.toContain("Unexpected server error");
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startServer, type TestServer, temporaryFolder } from "./harness.ts";

/*
 * The conformance tests of the Model Context Protocol. They send no key, so a proxy adds one.
 */

const program = fileURLToPath(
  new URL("../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);

const SCENARIOS = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];

const NO_SUCH_TOOL = "calls a tool that only a server made for this test has";
const NO_RESOURCES = "there are no resources: files are read with tools";
const NO_PROMPTS = "there are no prompts";
const NO_STREAMS = "there are no sessions and no streams: each message is answered in one response";

/** The scenarios that do not apply, with the reason. */
const DO_NOT_APPLY: Readonly<Record<string, string>> = {
  "logging-set-level": "sends no log messages to clients",
  "completion-complete": "there are no prompts or resources whose arguments could be completed",
  "tools-call-simple-text": NO_SUCH_TOOL,
  "tools-call-image": NO_SUCH_TOOL,
  "tools-call-audio": NO_SUCH_TOOL,
  "tools-call-embedded-resource": NO_SUCH_TOOL,
  "tools-call-mixed-content": NO_SUCH_TOOL,
  "tools-call-with-logging": NO_SUCH_TOOL,
  "tools-call-error": NO_SUCH_TOOL,
  "tools-call-with-progress": NO_SUCH_TOOL,
  "tools-call-sampling": NO_SUCH_TOOL,
  "tools-call-elicitation": NO_SUCH_TOOL,
  "json-schema-2020-12": NO_SUCH_TOOL,
  "elicitation-sep1034-defaults": NO_SUCH_TOOL,
  "elicitation-sep1330-enums": NO_SUCH_TOOL,
  "server-sse-polling": NO_STREAMS,
  "server-sse-multiple-streams": NO_STREAMS,
  "resources-list": NO_RESOURCES,
  "resources-read-text": NO_RESOURCES,
  "resources-read-binary": NO_RESOURCES,
  "resources-templates-read": NO_RESOURCES,
  "resources-subscribe": NO_RESOURCES,
  "resources-unsubscribe": NO_RESOURCES,
  "prompts-list": NO_PROMPTS,
  "prompts-get-simple": NO_PROMPTS,
  "prompts-get-with-args": NO_PROMPTS,
  "prompts-get-embedded-resource": NO_PROMPTS,
  "prompts-get-with-image": NO_PROMPTS,
};

let server: TestServer;
let proxy: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  server = await startServer();
  proxy = Bun.serve({
    hostname: "localhost",
    port: 0,
    fetch(request) {
      const headers = new Headers(request.headers);
      headers.set("API-Key", server.apiKey);
      const { pathname } = new URL(request.url);
      const { method, body } = request;
      return fetch(`${server.url}${pathname}`, { method, headers, body });
    },
  });
});
afterAll(async () => {
  await proxy.stop(true);
  await server.discard();
});

async function conformance(...args: string[]): Promise<{ code: number | null; printed: string }> {
  // It writes files into the working folder.
  const child = spawn(process.execPath, [program, ...args], { cwd: temporaryFolder() });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      printed += String(chunk);
    });
  }
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("close", resolve);
  return { code: await promise, printed };
}

test("every scenario for servers is run, or has a reason why it does not apply", async () => {
  const { printed } = await conformance("list");
  const [, ofServers = ""] = /^Server scenarios.*?\n(.*?)\n\n/ms.exec(printed) ?? [];
  const names = [...ofServers.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name ?? "");
  expect([...SCENARIOS, ...Object.keys(DO_NOT_APPLY)].toSorted()).toEqual(names.toSorted());
});

test.each(SCENARIOS)("conforms: %s", async (scenario) => {
  const url = `http://localhost:${proxy.port}/mcp`;
  const { code, printed } = await conformance("server", "--url", url, "--scenario", scenario);
  expect(printed).toContain(" 0 failed, 0 warnings");
  expect(code).toBe(0);
});

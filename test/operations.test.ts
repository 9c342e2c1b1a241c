import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { type Operation, successStatus } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";
import { api, type HeaderPairs, send } from "./client.ts";
import { eventually, expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { filePart, multipart } from "./multipart.ts";
import { administrator, cookieOf, fromPage } from "./session.ts";

const server = await startServer(administrator);
afterAll(() => server.discard());
const a = api(server);

const all = Object.values<Operation>(operations);
const each = all.map((operation) => [operation.id, operation] as const);

function pathOf({ path, example: { parameters = {}, query = {} } }: Operation): string {
  const filled = path.replace(/\{(\w+)\*?\}/g, (_, name: string) => parameters[name] ?? "");
  return `${filled}?${new URLSearchParams(query)}`;
}

function bodyOf({ body, example }: Operation): { type?: string; content?: string | Uint8Array } {
  if (body !== undefined && "multipart" in body) {
    const { contentType, bytes } = multipart([filePart("example.txt", "bytes")]);
    return { type: contentType, content: bytes };
  }
  if (example.body === undefined) return {};
  return { type: "application/json", content: JSON.stringify(example.body) };
}

/** Changed by the examples of `changeEmail` and `changePassword`. */
let email: string = administrator.ADMIN_EMAIL;
let password: string = administrator.ADMIN_PASSWORD;

async function credentialsFor({ access }: Operation): Promise<HeaderPairs> {
  if (access === "anyone") return {};
  if (access !== "account") return { "API-Key": server.apiKey };
  const signedIn = await fromPage(server, "POST", "/auth/sign-in", "", { email, password });
  return { Cookie: cookieOf(signedIn), Origin: server.url };
}

test.each(each)("%s: its handler responds to the example request", async (id, operation) => {
  const { type, content } = bodyOf(operation);
  const credentials = await credentialsFor(operation);
  const headers = { ...credentials, ...(type === undefined ? {} : { "Content-Type": type }) };
  const response = await send(server, operation.method, pathOf(operation), headers, content);
  expect(
    [successStatus(operation), ...Object.keys(operation.errors).map(Number)],
    `${response.status}: ${response.text}`,
  ).toContain(response.status);
  expect(response.text).not.toContain("This path does not exist");
  if (id === "changeEmail") email = operations.changeEmail.example.body.email;
  if (id === "changePassword") password = operations.changePassword.example.body.newPassword;
});

describe("the audit log", () => {
  const shape = z.object({ activity: z.array(z.object({ action: z.string() })) });
  const recorded = async (): Promise<Set<string>> => {
    const { activity } = expectData(await a.get("/api/activity?limit=200"), shape);
    return new Set(activity.map(({ action }) => action));
  };
  const audited = all.filter(({ audit }) => audit !== null).map(({ id }) => id);

  test("contains every audited operation and no other", async () => {
    await eventually("every audited operation is recorded", async () =>
      (await recorded()).isSupersetOf(new Set(audited)),
    );
    expect([...(await recorded())].toSorted()).toEqual(audited.toSorted());
  });
});

test("the reference shows every operation with its examples", async () => {
  const page = (await send(server, "GET", "/docs")).text;
  for (const { id, example } of all) {
    const start = page.indexOf(`id="${id}"`);
    expect(start, id).toBeGreaterThan(0);
    const section = page.slice(start, page.indexOf("</section>", start));
    expect(section).toContain("<figcaption>curl</figcaption>");
    expect(section).toContain(Bun.escapeHTML(example.sdk).replaceAll("&#x27;", "&#39;"));
  }
});

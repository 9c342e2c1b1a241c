import { afterAll, expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { operations } from "../contract/operations.ts";
import { api, send } from "./client.ts";
import { eventually, expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { isOnS3 } from "./test-stores.ts";

const server = await startServer();
afterAll(() => server.discard());

const health = z.strictObject({ message: z.string() });

test("responds to anyone with a message that names the service", async () => {
  for (const headers of [{}, { "API-Key": server.apiKey }, { "API-Key": "wrong" }]) {
    const answer = await send(server, "GET", "/api/health", headers);
    expect(expectData(answer, health).message).toMatch(/holdall/i);
  }
});

test.skipIf(isOnS3)("reports readiness to anyone", async () => {
  const answer = await send(server, "GET", "/api/health/ready");
  expect(expectData(answer, z.strictObject({ ready: z.literal(true) })).ready).toBe(true);
  renameSync(join(server.dataPath, "blobs"), join(server.dataPath, "away"));
  try {
    const { status, text, header } = await eventuallyNot(200, () =>
      send(server, "GET", "/api/health/ready"),
    );
    expect(status).toBe(503);
    expect(header("retry-after")).toBe("5");
    expect(JSON.parse(text)).toEqual({
      data: null,
      error: {
        code: "unavailable",
        message: expect.stringContaining("blob store"),
        details: { retryAfter: 5 },
      },
    });
  } finally {
    renameSync(join(server.dataPath, "away"), join(server.dataPath, "blobs"));
  }
  await eventuallyNot(503, () => send(server, "GET", "/api/health/ready"));
});

/** Readiness is cached for a second. */
async function eventuallyNot(
  status: number,
  ask: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  let answer = await ask();
  await eventually(`the status is not ${status}`, async () => {
    if (answer.status === status) answer = await ask();
    return answer.status !== status;
  });
  return answer;
}

test("the OpenAPI document describes every operation, and nothing else", async () => {
  const answer = await api(server).get("/api/openapi.json");
  expect(answer.status).toBe(200);
  expect(answer.header("content-type")).toStartWith("application/json");
  const document = z
    .object({ openapi: z.string(), paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(JSON.parse(answer.text));
  expect(document.openapi).toStartWith("3.1");
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const expected = Object.values(operations).map(
    ({ method, path }) => `${method} ${path.replace("*}", "}")}`,
  );
  expect(described.toSorted()).toEqual(expected.toSorted());
});

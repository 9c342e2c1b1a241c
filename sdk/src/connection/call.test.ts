import { expect, test } from "bun:test";
import type { Operation } from "../../../contract/operation.ts";
import { operations } from "../../../contract/operations.ts";
import { call } from "./call.ts";
import { createTransport } from "./transport.ts";

test("sends each operation with its method to its path", async () => {
  const requests: string[] = [];
  const transport = createTransport({
    url: "https://files.example.com",
    async fetch(url, { method }) {
      requests.push(`${method} ${new URL(url).pathname}`);
      return Response.json({ data: {}, error: null });
    },
  });
  const every = Object.values<Operation>(operations);
  for (const { id } of every) await call(transport, id as "health");
  expect(requests).toEqual(
    every.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\*?\}/g, "")}`),
  );
});

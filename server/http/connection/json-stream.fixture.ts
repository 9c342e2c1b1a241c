import { streamEnvelope } from "./json-stream.ts";

/* Serves a list that fails midway, and prints the URL. */

async function* batches(): AsyncGenerator<string[]> {
  for (let batch = 0; batch < 150; batch += 1) yield ["x".repeat(100 * 1024)];
  throw new Error("Reading failed.");
}

const server = Bun.serve({
  port: 0,
  fetch: async () => new Response(await streamEnvelope({ files: batches() })),
});
console.log(server.url.href);

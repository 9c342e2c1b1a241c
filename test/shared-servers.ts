import { startS3Cluster } from "../server/blobs/s3/s3-server.fixture.ts";
import { startPostgresServer } from "../server/catalog/postgres/server.fixture.ts";

/*
 * The servers that all test processes of a run share. Prints its address; starts a server when a
 * test first asks for its URL; ends with the standard input.
 */

const starts = {
  "/postgres": async () => (await startPostgresServer()).url,
  "/s3": startS3Cluster,
};

const urls = new Map<string, Promise<string>>();

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 120,
  routes: Object.fromEntries(
    Object.entries(starts).map(([path, start]) => [
      path,
      async () => {
        const url = urls.get(path) ?? start();
        urls.set(path, url);
        return url.then(
          (text) => new Response(text),
          (error) => new Response(String(error), { status: 500 }),
        );
      },
    ]),
  ),
  fetch: () => new Response("Not found", { status: 404 }),
});

console.log(`http://127.0.0.1:${server.port}`);
for await (const _ of process.stdin);
process.exit();

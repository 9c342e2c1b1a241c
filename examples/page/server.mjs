// The server of the app: it has the API key, and gives the page an upload URL for each file.
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { join, normalize } from "node:path";
import { Holdall } from "@holdall/sdk";

const { HOLDALL_URL: url, HOLDALL_KEY: apiKey, PORT = "8080" } = process.env;
const holdall = new Holdall({ url, apiKey });
const SDK = "/sdk/";
const modules = join(import.meta.dirname, "node_modules/@holdall/sdk/dist");

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  try {
    if (request.method === "POST" && pathname === "/uploads") {
      // Check here who asks, and what they may upload.
      const upload = await holdall.uploads.create({
        folder: "inbox",
        name: searchParams.get("name"),
        size: Number(searchParams.get("size")),
        onConflict: "keepBoth",
      });
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ url: upload.url }));
    } else if (pathname.startsWith(SDK)) {
      response.setHeader("Content-Type", "text/javascript");
      createReadStream(join(modules, normalize(pathname.slice(SDK.length)))).pipe(response);
    } else {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      createReadStream(join(import.meta.dirname, "index.html")).pipe(response);
    }
  } catch (error) {
    response.statusCode = 502;
    response.end(error.message);
  }
});
server.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});

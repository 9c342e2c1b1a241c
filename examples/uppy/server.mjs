// The server of the app: it has the API key, and gives the page an upload URL for each file.
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Holdall } from "@holdall/sdk";

const { HOLDALL_URL: url, HOLDALL_KEY: apiKey, PORT = "8080" } = process.env;
const holdall = new Holdall({ url, apiKey });
const send = (response, type, path) => {
  response.setHeader("Content-Type", `${type}; charset=utf-8`);
  createReadStream(join(import.meta.dirname, path)).pipe(response);
};

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  if (pathname === "/uploads.js") return send(response, "text/javascript", "dist/uploads.js");
  if (pathname !== "/uploads") return send(response, "text/html", "index.html");
  response.setHeader("Content-Type", "application/json");
  try {
    // Check here who asks, and what they may upload.
    const upload = await holdall.uploads.create({
      folder: "inbox",
      name: searchParams.get("name"),
      size: Number(searchParams.get("size")),
      onConflict: "keepBoth",
    });
    response.end(JSON.stringify({ url: upload.url }));
  } catch (error) {
    response.statusCode = 502;
    response.end(JSON.stringify({ message: error.message }));
  }
});
server.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});

import createClient from "openapi-fetch";
import type { paths } from "./generated/openapi-typescript.ts";

const { HOLDALL_URL: baseUrl = "", HOLDALL_KEY: key = "" } = process.env;
const client = createClient<paths>({ baseUrl, headers: { "API-Key": key } });

const stored = await client.PUT("/api/files/content", {
  params: { query: { key: "openapi-typescript/notes.txt" } },
  body: "Low tide at six.",
  bodySerializer: (body) => body,
});
if (stored.data === undefined) throw new Error(JSON.stringify(stored.error));
const listed = await client.GET("/api/files", { params: { query: { name: "notes.txt" } } });
const { data } = listed.data ?? {};
const files = data !== undefined && "files" in data ? data.files : [];
console.log(files.find(({ id }) => id === stored.data.data.file.id)?.key);

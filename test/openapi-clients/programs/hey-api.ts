import { client } from "./generated/hey-api/client.gen.ts";
import { listFiles, putContent } from "./generated/hey-api/index.ts";

const { HOLDALL_URL: baseUrl = "", HOLDALL_KEY: auth = "" } = process.env;
client.setConfig({ baseUrl, auth });

const stored = await putContent({
  query: { key: "hey-api/notes.txt" },
  body: new Blob(["Low tide at six."]),
});
if (stored.data === undefined) throw new Error(JSON.stringify(stored.error));
const listed = await listFiles({ query: { name: "notes.txt" } });
const { data } = listed.data ?? {};
const files = data !== undefined && "files" in data ? data.files : [];
console.log(files.find(({ id }) => id === stored.data.data.file.id)?.key);

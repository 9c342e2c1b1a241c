import { listFiles, uploadFiles } from "./generated/orval.ts";

const headers = { "API-Key": process.env.HOLDALL_KEY ?? "" };

// Its `fetch` client writes a body of bytes as JSON, so the form is what works.
const stored = await uploadFiles(
  { files: [new File(["Low tide at six."], "notes.txt")], folder: "orval" },
  { headers },
);
if (stored.status !== 200) throw new Error(JSON.stringify(stored.data));
const listed = await listFiles({ name: "notes.txt" }, { headers });
if (listed.status !== 200) throw new Error(JSON.stringify(listed.data));
const { data } = listed.data;
const files = "files" in data ? data.files : [];
console.log(files.find(({ id }) => id === stored.data.data.files[0]?.id)?.key);

import { sampleBlock } from "./docs-operation.ts";
import { html, type Markup, prose } from "./html.ts";

export interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly told: Markup;
  readonly shown?: Markup;
}

const STATUSES: readonly (readonly [number, string])[] = [
  [
    400,
    "The request breaks a rule: a missing field, an invalid name, an unknown visibility, an empty or oversized batch, the root renamed or deleted.",
  ],
  [401, "No valid API key and no session."],
  [
    404,
    "No such file or folder, or nothing at the path. Also a private file at its hosting URL, for who may not read it.",
  ],
  [405, "The path has no such method. `Allow` names those that it has."],
  [409, "The name is taken in the folder, by a file or a folder."],
  [412, "The content is not the one that `If-Match` or `If-Unmodified-Since` names."],
  [
    413,
    "A file is too large, there are too many in one request, or a JSON body is over 1 MiB (16 KiB where anyone may call).",
  ],
  [416, "The range starts past the end of the file. `Content-Range` tells the size."],
  [429, "Too many requests. Try again after the seconds in `Retry-After`."],
  [500, "Unexpected server error."],
  [503, "The service cannot answer just now; nothing was changed. Try again later."],
  [507, "Not enough free space on the volume."],
];

const LIMITS: readonly (readonly [string, string, string])[] = [
  ["Requests to the API", "300 a minute for each client", "RATE_LIMIT_API"],
  ["Requests to hosting URLs", "600 a minute for each client", "RATE_LIMIT_HOSTING"],
  ["Size of one file", "5 GB, and the free space", "MAX_UPLOAD_SIZE"],
  ["Files in one upload", "100", "MAX_FILES_PER_REQUEST"],
  ["Ids in one batch delete", "500", "MAX_DELETE_BATCH"],
  [
    "Validity of a signed URL",
    "1 hour when none is asked for, 7 days at most",
    "DEFAULT_PRESIGN_TTL_SECONDS, MAX_PRESIGN_TTL_SECONDS",
  ],
  ["A name", "1 to 255 bytes of UTF-8", ""],
  ["A key", "4,096 bytes and 128 segments", ""],
];

/** What holds for every operation. */
export const introduction: readonly Chapter[] = [
  {
    id: "start",
    title: "Start",
    told: html`<p>Paths are relative to the address of your instance. The examples take it, and an API key, from the environment. Keys are made on the <a href="sign-in">sign-in page</a>, or on the server with <code>holdall keys create NAME</code>.</p>
<p>This reference, as <a href="openapi.json">OpenAPI 3.1</a>.</p>`,
    shown: html`${sampleBlock("Shell", "export HOLDALL_URL=https://files.example.com\nexport HOLDALL_KEY=hd_…")}
${sampleBlock("TypeScript", 'import { Holdall } from "@holdall/sdk";\n\nconst holdall = new Holdall({\n  url: "https://files.example.com",\n  apiKey: process.env.HOLDALL_KEY,\n});')}`,
  },
  {
    id: "authentication",
    title: "Authentication",
    told: html`<p>${prose("Requests carry an API key in the header `API-Key`. In a browser, the session cookie of the signed-in administrator opens the same API; methods other than `GET` are then accepted from the instance's own pages only.")}</p>
<p>The health check, this reference and the hosting URLs of public files need neither.</p>`,
    shown: sampleBlock("curl", 'curl "$HOLDALL_URL/api/files" \\\n  -H "API-Key: $HOLDALL_KEY"'),
  },
  {
    id: "envelope",
    title: "Answers",
    told: html`<p>${prose("Every JSON answer is an object of exactly `data` and `error`. When all is well, `data` is an object and `error` is null, with status 200. Else `data` is null and `error` holds a `message` for people.")}</p>
<p>${prose("Times are UTC, written `YYYY-MM-DD HH:MM:SS`. `HEAD` works wherever `GET` does.")}</p>`,
    shown: sampleBlock(
      "A failure",
      JSON.stringify({ data: null, error: { message: "Unauthorized" } }, null, 2),
    ),
  },
  {
    id: "errors",
    title: "Errors",
    told: html`<table class="failures"><caption>What each status means</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>${STATUSES.map(
      ([status, meaning]) => html`
<tr><th scope="row">${status}</th><td>${prose(meaning)}</td></tr>`,
    )}
</tbody></table>
<p>Each operation below lists the failures that are its own.</p>`,
  },
  {
    id: "limits",
    title: "Limits",
    told: html`<table><caption>As configured unless the instance says otherwise</caption>
<thead><tr><th scope="col">Limit</th><th scope="col">Value</th><th scope="col">Setting</th></tr></thead>
<tbody>${LIMITS.map(
      ([limit, value, setting]) => html`
<tr><th scope="row">${limit}</th><td>${value}</td><td>${setting === "" ? "fixed" : setting.split(", ").map((name) => html`<code>${name}</code> `)}</td></tr>`,
    )}
</tbody></table>`,
  },
  {
    id: "signed-urls",
    title: "Signed URLs",
    told: html`<p>${prose("A signed URL reads one private file without credentials until it expires. It is the file's hosting URL with `exp`, the end in Unix seconds, and `sig`. `download=1` may be added to it.")}</p>
<p>${prose("A link cannot be withdrawn by itself. It ends when it expires, when the file is renamed or deleted, or with all others when `AUTH_SECRET` changes.")}</p>`,
    shown: sampleBlock(
      "A signed URL",
      "api/hosting/report.pdf\n  ?exp=1790000000\n  &sig=3q2-7wQv…",
    ),
  },
  {
    id: "ranges",
    title: "Ranges and conditions",
    told: html`<p>${prose("Both ways to read a file answer one `Range` with 206. An end past the last byte is clamped, a start past it is 416, and several ranges get the complete file.")}</p>
<p>${prose("Public files carry `ETag` and `Last-Modified`, and answer `If-None-Match` or else `If-Modified-Since` with 304 when nothing has changed. `If-Range` compares strongly: a stale validator gets the complete file. Private files are never to be cached and carry no validators; their ranges work all the same.")}</p>`,
    shown: sampleBlock(
      "curl",
      'curl -i "$HOLDALL_URL/api/hosting/film.mp4" \\\n  -H "Range: bytes=0-1023"',
    ),
  },
];

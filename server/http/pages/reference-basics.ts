import { html, type Markup, prose } from "./html.ts";
import { sampleBlock } from "./reference-operation.ts";

export interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly text: Markup;
  readonly samples?: Markup;
}

const STATUSES: readonly (readonly [number, string])[] = [
  [
    400,
    "The request is invalid: a field is missing, a name or visibility is not valid, a batch is empty or too large, a change has a condition, or the root would be renamed or deleted.",
  ],
  [401, "The API key is missing or invalid, and there is no session."],
  [403, "The API key lacks the action that the operation needs, or is limited to a folder."],
  [
    404,
    "The file, the folder or the path does not exist. Also for a private file at its hosting URL, when the request may not read it, and for everything outside the folder of an API key.",
  ],
  [405, "The path does not support this method. `Allow` lists the methods that it supports."],
  [409, "The name is already taken in the folder, by a file or a folder."],
  [412, "The file has changed: it does not match `If-Match` or `If-Unmodified-Since`."],
  [
    413,
    "A file is too large, there are too many files in one request, or a JSON body is larger than 1 MiB (16 KiB without credentials).",
  ],
  [416, "The range starts past the end of the file. `Content-Range` contains the file's size."],
  [429, "Too many requests. Try again after the number of seconds in `Retry-After`."],
  [500, "Unexpected server error."],
  [503, "The service is temporarily unavailable. Nothing was changed. Try again later."],
  [507, "There is not enough free space on the volume."],
];

const LIMITS: readonly (readonly [string, string, string])[] = [
  ["Requests to the API", "300 per minute and client", "RATE_LIMIT_API"],
  ["Requests to hosting URLs", "600 per minute and client", "RATE_LIMIT_HOSTING"],
  ["Requests of a session", "6,000 per minute", "RATE_LIMIT_SESSION"],
  ["Requests to shared links", "3,000 per minute and client", "RATE_LIMIT_LINKS"],
  ["Size of one file", "5 GB, and the free space", "MAX_UPLOAD_SIZE"],
  ["Files in one upload", "100", "MAX_FILES_PER_REQUEST"],
  ["Ids in one batch delete", "500", "MAX_DELETE_BATCH"],
  [
    "Validity of a signed URL",
    "1 hour by default, 7 days at most",
    "DEFAULT_PRESIGN_TTL_SECONDS, MAX_PRESIGN_TTL_SECONDS",
  ],
  ["Length of a name", "1 to 255 bytes of UTF-8", ""],
  ["Length of a key", "4,096 bytes and 128 segments", ""],
];

const SDK_INSTALL = `# in a checkout of Holdall
npm install
npm --prefix sdk run build
# in your project
npm install /path/to/holdall/sdk`;

const ENVIRONMENT = "export HOLDALL_URL=https://files.example.com\nexport HOLDALL_KEY=hd_…";
const LIST_FILES = 'curl "$HOLDALL_URL/api/files" \\\n  -H "API-Key: $HOLDALL_KEY"';

/** Everything that a first request needs. */
export const firstRequest: Markup = sampleBlock("First request", `${ENVIRONMENT}\n\n${LIST_FILES}`);

/** The chapters about what all operations have in common. */
export const basics: readonly Chapter[] = [
  {
    id: "start",
    title: "Getting started",
    text: html`<p>All paths are relative to the URL of your instance. The examples read the URL and an API key from the environment. Create API keys in the <a href="../../sign-in">dashboard</a>, or on the server with <code>holdall keys create NAME</code>.</p>
<p>The TypeScript examples use the SDK, which is not on the npm registry yet: build it from the source of Holdall, and install the folder. Everything also works with <code>fetch</code> and without the SDK, as the curl examples show.</p>
<p>This reference is also available as <a href="../../openapi.json">OpenAPI 3.1</a>.</p>`,
    samples: html`${sampleBlock("Install the SDK", SDK_INSTALL)}
${sampleBlock("Shell", ENVIRONMENT)}
${sampleBlock("TypeScript", 'import { Holdall } from "@holdall/sdk";\n\nconst holdall = new Holdall({\n  url: "https://files.example.com",\n  apiKey: process.env.HOLDALL_KEY,\n});')}`,
  },
  {
    id: "authentication",
    title: "Authentication",
    text: html`<p>${prose("Send an API key in the `API-Key` header. In a browser, the session cookie of the signed-in account gives access to the same API; methods other than `GET` are then accepted only from the instance's own pages. A member of several spaces names one in the header `Holdall-Space`, or in the query as `space`.")}</p>
<p>${prose("An API key can be limited to some actions and to a folder. Each operation shows the actions that a key needs. Everything outside the key's folder looks missing (404); an operation for which a key lacks the action gets 403. Sessions have every right.")}</p>
<p>The health check, this reference and the hosting URLs of public files need no credentials.</p>`,
    samples: sampleBlock("curl", LIST_FILES),
  },
  {
    id: "envelope",
    title: "Responses",
    text: html`<p>${prose("Every JSON response is an object with exactly the fields `data` and `error`. On success, the status is 200, `data` is an object and `error` is null. On failure, `data` is null and `error` contains a human-readable `message`.")}</p>
<p>${prose("Times are UTC in the format `YYYY-MM-DD HH:MM:SS`. Every path that supports `GET` also supports `HEAD`.")}</p>`,
    samples: sampleBlock(
      "A failure",
      JSON.stringify({ data: null, error: { message: "Unauthorized" } }, null, 2),
    ),
  },
  {
    id: "errors",
    title: "Errors",
    text: html`<table class="failures"><caption>Status codes</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>${STATUSES.map(
      ([status, meaning]) => html`
<tr><th scope="row">${status}</th><td>${prose(meaning)}</td></tr>`,
    )}
</tbody></table>
<p>Each operation lists the errors that are specific to it.</p>`,
  },
  {
    id: "limits",
    title: "Limits",
    text: html`<table><caption>Default limits</caption>
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
    text: html`<p>${prose("A signed URL gives anyone access to one private file, without credentials, until it expires. It is the file's hosting URL with two parameters: `exp`, the expiry in Unix seconds, and `sig`, the signature. You can append `download=1`.")}</p>
<p>${prose("You cannot revoke a single signed URL. It stops working when it expires or when the file is renamed, moved or deleted; changing `AUTH_SECRET` invalidates all signed URLs.")}</p>`,
    samples: sampleBlock(
      "A signed URL",
      "api/hosting/report.pdf\n  ?exp=1790000000\n  &sig=3q2-7wQv…",
    ),
  },
  {
    id: "ranges",
    title: "Range and conditional requests",
    text: html`<p>${prose("Hosting URLs and downloads support a single `Range` and respond with 206. An end past the last byte is clamped, a start past it gets 416, and a request for several ranges gets the complete file.")}</p>
<p>${prose("Public files have an `ETag` and `Last-Modified`. If the file has not changed, `If-None-Match` or else `If-Modified-Since` gets 304. `If-Range` uses strong comparison: an outdated validator gets the complete file. Private files must not be cached and have no validators, but support ranges.")}</p>
<p>${prose("Of the operations that change something, only `PUT /api/files/content` takes conditions. Any other request with `If-Match`, `If-None-Match` or `If-Unmodified-Since` gets 400 and changes nothing. Only the requests of tus ignore these headers; an upload that is created with JSON refuses them.")}</p>`,
    samples: sampleBlock(
      "curl",
      'curl -i "$HOLDALL_URL/api/hosting/film.mp4" \\\n  -H "Range: bytes=0-1023"',
    ),
  },
];

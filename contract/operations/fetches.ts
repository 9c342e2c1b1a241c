import { z } from "zod";
import { fetchFilesBody } from "../bodies/fetches.ts";
import { defineOperation } from "../define-operation.ts";
import { uploadObject } from "../objects/uploads.ts";

/** Files that the server fetches from URLs. */
export const fetchOperations = {
  fetchFiles: defineOperation({
    id: "fetchFiles",
    method: "POST",
    path: "/api/files/fetch",
    tag: "Files",
    summary: "Fetch files from URLs",
    description:
      "The server fetches each file into an upload, in the background, and follows up to 5 redirects. `GET` of the upload's URL says how far it is in `fetch`. For API keys only if `fetchByKeys` is on.",
    access: "caller",
    permission: { actions: ["write"], places: ["destination"] },
    budget: "api",
    body: { json: fetchFilesBody },
    response: {
      data: z.object({
        uploads: z.array(uploadObject).meta({ description: "In the order of the request." }),
      }),
    },
    errors: {
      400: "Not exactly one of `url` and `files` is given, or a URL, a key, a name or the folder is invalid.",
      403: "The API key lacks the action `write`, or `fetchByKeys` is off.",
      404: "The target is outside the folder of the API key.",
      429: "The caller has too many open uploads (`MAX_OPEN_UPLOADS`), or sent too many requests. Try again later.",
      503: "Too many files are being fetched, or the service is temporarily unavailable. Try again later.",
    },
    audit: {
      before: ({ folder = "", files }) => ({
        subject: { kind: "folder", id: null, name: folder },
        detail: { files: files?.length ?? 1 },
      }),
    },
    example: {
      body: { url: "https://example.com/harbour.mov", folder: "photos/2026" },
      sdk: `const { uploads } = await holdall.call("fetchFiles", {
  body: {
    url: "https://example.com/harbour.mov",
    folder: "photos/2026",
  },
});`,
    },
  }),
};

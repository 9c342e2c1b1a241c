/* OpenAPI components that the operations with an archive response share. */

/** Response headers, by their names in `components.headers`. */
export const archiveHeaders = {
  "X-Archive-Size": {
    description:
      "Exact size of the archive in bytes, known before the first byte is sent. Large archives are sent in chunks, without `Content-Length`. Also sent in response to `HEAD`.",
    schema: { type: "integer", minimum: 0 },
  },
};

/** The failures that every operation with an archive response shares. */
export const archiveErrors = {
  413: "The zip would have too many files and folders. It can have one to two million, fewer if their names are very long. A folder that is selected together with its parent counts twice.",
  503: "The zips that are being downloaded use all memory for zips (64 MiB). Try again after `Retry-After`. Also when the service is unavailable for another reason; the message says which.",
};

/** The successful response. */
export const archiveResponses = (type: string): object => ({
  200: {
    description:
      "The archive, generated while it is sent. If a file is deleted meanwhile, the server closes the connection, so an archive that arrives completely is intact. Names that Windows cannot have get `_`, and names that it takes for one get a number. The response to `HEAD` has the same headers and no body.",
    headers: {
      "Content-Disposition": { $ref: "#/components/headers/Content-Disposition" },
      "X-Archive-Size": { $ref: "#/components/headers/X-Archive-Size" },
    },
    content: { [type]: { schema: { type: "string", format: "binary" } } },
  },
});

/* What the operations that answer an archive have in common, as OpenAPI components. */

/** Response headers, by their names in `components.headers`. */
export const archiveHeaders = {
  "X-Archive-Size": {
    description:
      "Bytes of the whole archive, exact, known before the first is sent. The body of a large one comes in chunks, without `Content-Length`; to `HEAD` it is told as well.",
    schema: { type: "integer", minimum: 0 },
  },
};

/** The successful answer. */
export const archiveResponses = (type: string): object => ({
  200: {
    description:
      "The archive, made while it is sent. When a file is deleted meanwhile, the connection breaks: an archive that arrives whole is complete. Asked as `HEAD`: these headers, no body.",
    headers: {
      "Content-Disposition": { $ref: "#/components/headers/Content-Disposition" },
      "X-Archive-Size": { $ref: "#/components/headers/X-Archive-Size" },
    },
    content: { [type]: { schema: { type: "string", format: "binary" } } },
  },
});

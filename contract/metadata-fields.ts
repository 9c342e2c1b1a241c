import type { JsonSchema } from "./json-schema.ts";

/** The fields of metadata, for the documentation and for TypeScript: the server reads it as any record. */
export const metadataFields = (value: JsonSchema): JsonSchema => ({
  properties: {
    cacheControl: value,
    contentDisposition: value,
    contentLanguage: value,
    contentEncoding: value,
    expires: value,
  },
  patternProperties: { "^x-": value },
});

import { allVariables } from "./variables.ts";

/** The names of all variables. */
export const KNOWN = allVariables.map(({ name }) => name);

/** Blobs on S3, together with the keys. */
export const S3 = { BLOBS: "s3", S3_BUCKET: "files" };

export const S3_KEYS = { S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };

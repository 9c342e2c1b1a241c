import { z } from "zod";
import {
  createKeyBody,
  deleteKeyBody,
  renameKeyBody,
  rotateKeyBody,
  s3CredentialsBody,
} from "../bodies/keys.ts";
import { defineOperation } from "../define-operation.ts";
import { EXAMPLE_ID } from "../example.ts";
import { timestamp } from "../objects/common.ts";
import { apiKeyObject, keyTraffic, s3Credentials } from "../objects/keys.ts";

/** API keys, for programs. */
export const keyOperations = {
  listKeys: defineOperation({
    id: "listKeys",
    method: "GET",
    path: "/api/keys",
    tag: "API keys",
    summary: "List API keys",
    description: "Lists all keys, or the descendants of a key with limits, newest first.",
    access: "caller",
    permission: { actions: ["keys"], places: ["descendants"] },
    budget: "api",
    response: { data: z.object({ keys: z.array(apiKeyObject) }) },
    errors: {},
    audit: null,
    example: { sdk: `const keys = await holdall.keys.list();` },
  }),
  keyTraffic: defineOperation({
    id: "keyTraffic",
    method: "GET",
    path: "/api/keys/traffic",
    tag: "API keys",
    summary: "Count the requests of API keys",
    description:
      "Counts the requests that each key has authenticated in the last 30 days (UTC), today included: to the API, to hosting URLs of private files, and to the S3 API. Keys without requests are left out, and so are revoked ones. Most requests first.",
    access: "caller",
    permission: { actions: ["keys"], places: ["descendants"] },
    budget: "api",
    response: {
      data: z.object({
        since: timestamp.meta({ description: "The start of the first day, in UTC." }),
        keys: z.array(keyTraffic),
      }),
    },
    errors: {},
    audit: null,
    example: { sdk: `const { since, keys } = await holdall.keys.traffic();` },
  }),
  createKey: defineOperation({
    id: "createKey",
    method: "POST",
    path: "/api/keys",
    tag: "API keys",
    summary: "Create an API key",
    description:
      "`secret` is the API key. It is shown only once and cannot be read again. Sessions and keys with `admin` for all folders create keys with any rights; a key that expires creates none that is valid longer. Every other key creates children: they have a subset of its actions, its folder or one inside, end no later, and are revoked with it. A key without a parent has descendants of at most 4 generations. A child whose folder is moved out of its parent's folder reaches nothing until the folder is moved back.",
    access: "caller",
    permission: { actions: ["keys"], places: ["descendants"] },
    budget: "api",
    body: { json: createKeyBody },
    response: {
      data: z.object({
        key: apiKeyObject,
        secret: z
          .string()
          .meta({ description: "The API key to send as `API-Key`.", example: "hd_4fTqV0Zc…" }),
      }),
    },
    errors: {
      400: "The name is missing, an action or a field is unknown, two fields for the same thing are given, or the expiry is out of range.",
      403: "The API key lacks the action `keys`, the new key would have more rights than it, or there would be more than 4 generations.",
      404: "The folder does not exist.",
    },
    audit: {
      before: ({ name }) => ({ subject: { kind: "key", id: null, name } }),
      after: ({ key: { id, name, expiresAt, actions, folder } }) => ({
        subject: { kind: "key", id, name },
        detail: {
          expiresAt,
          actions: actions.join(", "),
          ...(folder === null ? {} : { folder: folder.key }),
        },
      }),
    },
    example: {
      body: { name: "gallery", actions: ["list", "read"], expiresIn: 2592000 },
      sdk: `const { key, secret } = await holdall.keys.create(
  "gallery",
  {
    actions: ["list", "read"],
    folder: "photos",
    expiresIn: 2_592_000,
  },
);`,
    },
  }),
  revealS3Credentials: defineOperation({
    id: "revealS3Credentials",
    method: "POST",
    path: "/api/keys/s3",
    tag: "API keys",
    summary: "Show the S3 credentials of an API key",
    description:
      "The access key id and the secret access key with which S3 clients act as this API key: with its actions, in its folder, until it expires or is revoked. They stay the same until the key is rotated or `AUTH_SECRET` changes. S3 clients take the origin of this server as their endpoint. A key that expires sees those of no key that is valid longer.",
    access: "caller",
    permission: { actions: ["keys"], places: ["descendants"] },
    budget: "api",
    body: { json: s3CredentialsBody },
    response: { data: s3Credentials },
    errors: {
      400: "The id is missing.",
      403: "The API key of the request lacks the action `keys`, or expires before the other key.",
      404: "The API key does not exist.",
    },
    audit: { before: ({ id }) => ({ subject: { kind: "key", id } }) },
    example: {
      body: { id: EXAMPLE_ID },
      sdk: `const { accessKeyId, secretAccessKey } =
  await holdall.keys.s3(key.id);`,
    },
  }),
  renameKey: defineOperation({
    id: "renameKey",
    method: "PUT",
    path: "/api/keys",
    tag: "API keys",
    summary: "Rename an API key",
    access: "caller",
    permission: { actions: ["keys"], places: ["descendants"] },
    budget: "api",
    body: { json: renameKeyBody },
    response: { data: z.object({ key: apiKeyObject }) },
    errors: { 400: "The name is missing.", 404: "The API key does not exist." },
    audit: { before: ({ id, name }) => ({ subject: { kind: "key", id }, detail: { name } }) },
    example: {
      body: { id: EXAMPLE_ID, name: "old backend" },
      sdk: `await holdall.keys.rename(key.id, "old backend");`,
    },
  }),
  rotateKey: defineOperation({
    id: "rotateKey",
    method: "POST",
    path: "/api/keys/rotate",
    tag: "API keys",
    summary: "Rotate an API key",
    description:
      "Gives the key a new secret and new S3 credentials. Everything else stays: its id, name, rights, expiry and children, its open uploads and upload URLs, and the signed URLs and links made with it. Revoking a key ends its children and open uploads, too. The old secret, with its S3 credentials, stops working at once, or after `oldSecretExpiresIn`; rotating again ends it at once. A key that expires rotates none that is valid longer.",
    access: "caller",
    permission: { actions: ["keys"], places: ["descendants"] },
    budget: "api",
    body: { json: rotateKeyBody },
    response: {
      data: z.object({
        key: apiKeyObject,
        secret: z.string().meta({
          description: "The new API key to send as `API-Key`. It is shown only once.",
          example: "hd_4fTqV0Zc…",
        }),
      }),
    },
    errors: {
      400: "The id is missing, or `oldSecretExpiresIn` is out of range.",
      403: "The API key of the request lacks the action `keys`, or expires before the other key.",
      404: "The API key does not exist.",
      409: "The API key has expired.",
    },
    audit: {
      before: ({ id }) => ({ subject: { kind: "key", id } }),
      after: ({ key: { id, name, oldSecretExpiresAt } }) => ({
        subject: { kind: "key", id, name },
        detail: oldSecretExpiresAt === null ? {} : { oldSecretExpiresAt },
      }),
    },
    example: {
      body: { id: EXAMPLE_ID, oldSecretExpiresIn: 86_400 },
      sdk: `const { secret } = await holdall.keys.rotate(key.id, {
  oldSecretExpiresIn: 86_400,
});`,
    },
  }),
  revokeKey: defineOperation({
    id: "revokeKey",
    method: "DELETE",
    path: "/api/keys",
    tag: "API keys",
    summary: "Revoke an API key",
    description:
      "The key stops working immediately, and so do its children and all their descendants.",
    access: "caller",
    permission: { actions: ["keys"], places: ["descendants"] },
    budget: "api",
    body: { json: deleteKeyBody },
    response: {
      data: z.object({
        deleted: z.array(z.string()).meta({
          description: "The ids of the revoked keys, beginning with the key itself.",
          example: [EXAMPLE_ID],
        }),
      }),
    },
    errors: { 404: "The API key does not exist." },
    audit: {
      before: ({ id }) => ({ subject: { kind: "key", id } }),
      after: ({ deleted }) => (deleted.length > 1 ? { detail: { keys: deleted.length } } : {}),
    },
    example: {
      body: { id: EXAMPLE_ID },
      sdk: `await holdall.keys.revoke(key.id);`,
    },
  }),
};

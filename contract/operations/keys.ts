import { z } from "zod";
import * as bodies from "../bodies.ts";
import { defineOperation } from "../define-operation.ts";
import { EXAMPLE_ID } from "../example.ts";
import * as objects from "../objects.ts";
import { deletedIds } from "./common.ts";

/** API keys, for programs. */
export const keyOperations = {
  listKeys: defineOperation({
    id: "listKeys",
    method: "GET",
    path: "/api/keys",
    tag: "API keys",
    summary: "List API keys",
    access: "caller",
    permission: "keys",
    budget: "api",
    response: { data: z.object({ keys: z.array(objects.apiKeyObject) }) },
    errors: {},
    audit: null,
    example: { sdk: `const keys = await holdall.keys.list();` },
  }),
  createKey: defineOperation({
    id: "createKey",
    method: "POST",
    path: "/api/keys",
    tag: "API keys",
    summary: "Create an API key",
    description: "`secret` is the API key. It is shown only once and cannot be read again.",
    access: "caller",
    permission: "keys",
    budget: "api",
    body: { json: bodies.createKeyBody },
    response: {
      data: z.object({
        key: objects.apiKeyObject,
        secret: z
          .string()
          .meta({ description: "The API key to send as `API-Key`.", example: "hd_4fTqV0Zc…" }),
      }),
    },
    errors: { 400: "The name is missing, or the expiry is out of range." },
    audit: {
      before: ({ name }) => ({ subject: { kind: "key", id: null, name } }),
      after: ({ key: { id, name, expiresAt } }) => ({
        subject: { kind: "key", id, name },
        detail: { expiresAt },
      }),
    },
    example: {
      body: { name: "backend", expiresIn: 2592000 },
      sdk: `const { key, secret } = await holdall.keys.create(
  "backend",
  { expiresIn: 2_592_000 },
);`,
    },
  }),
  renameKey: defineOperation({
    id: "renameKey",
    method: "PUT",
    path: "/api/keys",
    tag: "API keys",
    summary: "Rename an API key",
    access: "caller",
    permission: "keys",
    budget: "api",
    body: { json: bodies.renameKeyBody },
    response: { data: z.object({ key: objects.apiKeyObject }) },
    errors: { 400: "The name is missing.", 404: "The API key does not exist." },
    audit: { before: ({ id, name }) => ({ subject: { kind: "key", id }, detail: { name } }) },
    example: {
      body: { id: EXAMPLE_ID, name: "old backend" },
      sdk: `await holdall.keys.rename(key.id, "old backend");`,
    },
  }),
  revokeKey: defineOperation({
    id: "revokeKey",
    method: "DELETE",
    path: "/api/keys",
    tag: "API keys",
    summary: "Revoke an API key",
    description: "The key stops working immediately.",
    access: "caller",
    permission: "keys",
    budget: "api",
    body: { json: bodies.deleteKeyBody },
    response: { data: deletedIds },
    errors: { 404: "The API key does not exist." },
    audit: { before: ({ id }) => ({ subject: { kind: "key", id } }) },
    example: {
      body: { id: EXAMPLE_ID },
      sdk: `await holdall.keys.revoke(key.id);`,
    },
  }),
};

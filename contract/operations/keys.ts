import { z } from "zod";
import * as bodies from "../bodies.ts";
import * as objects from "../objects.ts";
import type { Operation } from "../operation.ts";
import { deletedIds } from "./shared.ts";

/** The keys that programs call with. */
export const keyOperations = {
  listKeys: {
    id: "listKeys",
    method: "GET",
    path: "/api/keys",
    tag: "API keys",
    summary: "List API keys",
    access: "caller",
    budget: "api",
    answer: { data: z.object({ keys: z.array(objects.apiKeyObject) }) },
    errors: {},
  },
  createKey: {
    id: "createKey",
    method: "POST",
    path: "/api/keys",
    tag: "API keys",
    summary: "Create an API key",
    description: "`secret` is the key itself. It is shown this once and cannot be read again.",
    access: "caller",
    budget: "api",
    body: { json: bodies.createKeyBody },
    answer: {
      data: z.object({
        key: objects.apiKeyObject,
        secret: z.string().meta({ description: "The API key itself.", example: "hd_4fTqV0Zc…" }),
      }),
    },
    errors: { 400: "No name, or an expiry out of its range." },
  },
  renameKey: {
    id: "renameKey",
    method: "PUT",
    path: "/api/keys",
    tag: "API keys",
    summary: "Rename an API key",
    access: "caller",
    budget: "api",
    body: { json: bodies.renameKeyBody },
    answer: { data: z.object({ key: objects.apiKeyObject }) },
    errors: { 400: "No name.", 404: "No such key." },
  },
  revokeKey: {
    id: "revokeKey",
    method: "DELETE",
    path: "/api/keys",
    tag: "API keys",
    summary: "Revoke an API key",
    description: "It ends at once.",
    access: "caller",
    budget: "api",
    body: { json: bodies.deleteKeyBody },
    answer: { data: deletedIds },
    errors: { 404: "No such key." },
  },
} as const satisfies Record<string, Operation>;

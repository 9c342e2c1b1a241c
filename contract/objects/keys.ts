import { z } from "zod";
import { EXAMPLE_FOLDER_ID, EXAMPLE_ID } from "../example.ts";
import { keyActions } from "../key-actions.ts";
import { count, timestamp } from "./common.ts";

export const apiKeyObject = z
  .object({
    id: z.string().meta({ example: EXAMPLE_ID }),
    name: z
      .string()
      .meta({ description: "A label that identifies the key in lists.", example: "backend" }),
    prefix: z
      .string()
      .meta({ description: "The first characters of the key.", example: "hd_4fTq" }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: "`null` if the key has not been used." }),
    expiresAt: timestamp
      .nullable()
      .meta({ description: "`null` if the key does not expire.", example: null }),
    actions: z
      .array(z.enum(keyActions).meta({ typeName: "KeyAction" }))
      .meta({ description: "What the key may do.", example: ["list", "read"] }),
    folder: z
      .object({
        id: z.string().meta({ example: EXAMPLE_FOLDER_ID }),
        key: z.string().nullable().meta({
          description:
            "The folder's current key; `null` if it was deleted, so that the key reaches nothing.",
          example: "photos/2026",
        }),
      })
      .nullable()
      .meta({
        description: "The folder that the key is limited to; `null` if it is not limited.",
      }),
    parentId: z.string().nullable().meta({
      description:
        "The API key that created it. Revoking that key revokes this one too. `null` if there is none.",
      example: null,
    }),
    accountId: z.string().nullable().meta({
      description:
        "The account that made it, or that made the key that it descends from: the key may do no more than that account. `null` if there is none.",
      example: null,
    }),
    oldSecretExpiresAt: timestamp.nullable().meta({
      description:
        "Until when the secret from before the last rotation works, too. `null` if it does not.",
      example: null,
    }),
  })
  .meta({ id: "ApiKey", typeName: "ApiKeyObject" });

export const s3Credentials = z
  .object({
    accessKeyId: z.string().meta({
      description: "The id of the API key, without dashes.",
      example: EXAMPLE_ID.replaceAll("-", ""),
    }),
    secretAccessKey: z.string().meta({
      description:
        "Derived from the id of the API key, the number of its rotations, and `AUTH_SECRET`.",
      example: "hV3kq0Jc1yXw8mTn5bZr2sQe7dLf4uPg9aKi6oYtRxM",
    }),
  })
  .meta({ id: "S3Credentials" });

export const keyTraffic = z
  .object({
    id: z.string().meta({ description: "Identifier of the key.", example: EXAMPLE_ID }),
    name: z.string().meta({ example: "backend" }),
    requests: count("Number of requests.", 340),
    bytes: count("Bytes of file content in the responses.", 9437184),
    errors: count("Number of responses with a status of 400 or above.", 2),
  })
  .meta({ id: "KeyTraffic", typeName: "KeyTrafficObject", readonlyFields: true });

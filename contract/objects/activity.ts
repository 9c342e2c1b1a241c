import { z } from "zod";
import { actions } from "../activity.ts";
import { nullableText, timestamp } from "./common.ts";

export const activityObject = z
  .object({
    id: z.string().meta({ example: "019c12a4-f5d0-722f-9d3c-1e5b7a90c4e8" }),
    at: timestamp,
    action: z.enum(actions).meta({
      description: "The id of an operation of this API, or of a command-line action.",
      example: "changeFile",
      typeName: "Action",
    }),
    outcome: z.enum(["done", "failed"]),
    status: z.int().meta({ description: "HTTP status of the response.", example: 200 }),
    actor: z
      .object({
        kind: z.enum(["key", "account", "link", "none", "command", "expiry"]),
        id: nullableText(
          "Id of the API key, the account or the link.",
          "019c12a4-e3b4-722f-9d3c-1e5b7a90c4e8",
        ),
        name: nullableText("Name at the time of the request.", "backend"),
      })
      .meta({
        description:
          "Who made the request. `link`: a visitor of a link. `none`: an unauthenticated client. `command`: the command line on the server.",
        typeName: "Actor",
      }),
    address: nullableText(
      "The client's IP address; `null` for the command line, or if the entry covers several clients.",
      "203.0.113.7",
    ),
    subject: z
      .object({
        kind: z.enum(["file", "folder", "key", "account", "session", "link", "webhook"]),
        id: nullableText("", "019c12a4-f5d0-722f-9d3c-1e5b7a90c4e8"),
        key: nullableText(
          "Key of the file or folder before the request.",
          "photos/2026/harbour.jpg",
        ),
        name: nullableText(
          "Name of the API key, email address of the account, or title of the link.",
          null,
        ),
      })
      .nullable()
      .meta({ description: "The object of the request." }),
    detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).meta({
      description:
        "The requested changes, counts and sizes, and the `code` and `message` of a failure (of the S3 API, S3's code). `times`: the number of identical requests within a second, or within ten minutes for failures of unauthenticated clients without an address.",
      example: { name: "quay.jpg" },
    }),
  })
  .meta({ id: "Activity", typeName: "ActivityObject" });

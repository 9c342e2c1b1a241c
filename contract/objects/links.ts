import { z } from "zod";
import { EXAMPLE_FOLDER_ID, EXAMPLE_ID } from "../example.ts";
import { activityObject } from "./activity.ts";
import { nullableText, timestamp } from "./common.ts";

const limit = (description: string, example: number | null) =>
  z.int().min(0).nullable().meta({ description, example });

export const linkObject = z
  .object({
    id: z.string().meta({ description: "Identifier of the link.", example: EXAMPLE_ID }),
    url: nullableText(
      "The link, relative to the base URL. Anyone who has it may use it. `null`: `AUTH_SECRET` has changed since, so the URL is not known any more; it still works.",
      "s/Yy0wS3b2p9lQmF4xTnVt6A",
    ),
    kind: z.enum(["read", "drop"]).meta({
      description:
        "`read`: visitors see the file, or everything in the folder. `drop`: visitors send files into the folder, and see nothing.",
    }),
    title: nullableText(
      "Shown to visitors. `null`: they see the name of the file or folder.",
      "Summer at the harbour",
    ),
    subject: z
      .object({
        kind: z.enum(["file", "folder"]).meta({ example: "folder" }),
        id: z.string().meta({ example: EXAMPLE_FOLDER_ID }),
        key: nullableText(
          "`null` while it is in the trash, and once it is deleted.",
          "photos/2026",
        ),
        name: nullableText(
          "The name, also while it is in the trash. `null`: it is gone, or the key is limited to a folder. That of the root is empty.",
          "2026",
        ),
      })
      .meta({ description: "What is shared." }),
    hasPassword: z.boolean().meta({ example: true }),
    expiresAt: timestamp.nullable().meta({
      description: "UTC. `null`: never.",
      example: "2026-03-31 00:00:00",
    }),
    usesLeft: limit("Visits that are left; `null`: any number.", 10),
    visits: z.int().min(0).meta({
      description:
        "Visits until now. All requests of a browser within 24 hours are one visit; link previews and `HEAD` are none.",
      example: 2,
    }),
    downloadOnly: z.boolean().meta({
      description: "Whether visitors get files as downloads only, without previews.",
      example: false,
    }),
    maxBytes: limit(
      "Of a drop link: the most bytes of each set of files that a visitor sends.",
      null,
    ),
    maxFiles: limit("Of a drop link: the most files of each set that a visitor sends.", null),
    deleteAtEnd: z.boolean().meta({
      description: "Whether the file or folder moves to the trash when the link expires.",
      example: false,
    }),
    fileExpiresIn: limit("Seconds until received files end; `null`: not set.", null),
    fileExpiresAt: timestamp.nullable().meta({
      description: "When received files end. `null`: not set.",
      example: null,
    }),
    state: z.enum(["active", "expired", "used_up", "revoked", "unavailable"]).meta({
      description:
        "`unavailable`: the file or folder is deleted or in the trash, or the key or account that made the link may not share it any more.",
      example: "active",
    }),
    createdAt: timestamp,
    revokedAt: timestamp.nullable().meta({ description: "`null`: not revoked.", example: null }),
    createdBy: activityObject.shape.actor.meta({ description: "Who made the link." }),
  })
  .meta({ id: "Link", typeName: "LinkObject" });

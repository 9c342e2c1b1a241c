import { z } from "zod";
import { EXAMPLE_ID } from "../example.ts";
import { visibility } from "../text.ts";
import { activityObject } from "./activity.ts";
import { nullableText, timestamp } from "./common.ts";
import { fileObject } from "./files.ts";
import { folderObject } from "./folders.ts";

export const changeObject = z
  .object({
    cursor: z.string().meta({
      description: "The position after this change, for `since`.",
      example: "WyIxeDRrcGYiLDQyLCJrNXR3MTMiXQ",
    }),
    kind: z
      .enum([
        "file.created",
        "file.replaced",
        "file.updated",
        "file.moved",
        "file.deleted",
        "file.restored",
        "folder.created",
        "folder.updated",
        "folder.moved",
        "folder.deleted",
        "folder.restored",
      ])
      .meta({
        description:
          "`replaced`: new content. `updated`: other properties; of a folder, the visibility of the files inside. `moved`: renamed or moved. A moved or deleted folder takes everything inside with it. `restored`: back from the trash; of a folder, with everything that was inside.",
        example: "file.moved",
        typeName: "ChangeKind",
      }),
    at: timestamp,
    actor: activityObject.shape.actor.meta({
      description:
        "Who made the change. `id` and `name` are `null` for the command line. API keys without `admin`, or limited to a folder, see only their own.",
    }),
    id: z.string().meta({ description: "Id of the file or folder.", example: EXAMPLE_ID }),
    key: z.string().meta({
      description: "Key after the change; of something deleted, before it.",
      example: "photos/2026/quay.jpg",
    }),
    fromKey: nullableText(
      "Key before the change, if it was moved or renamed.",
      "photos/2026/harbour.jpg",
    ),
    file: fileObject.nullable().meta({
      description: "The file after the change. `null` for folders and deleted files.",
    }),
    folder: folderObject.nullable().meta({
      description:
        "The folder after the change. `null` for files, for deleted folders, and if only the key or the content of the folder changed.",
      example: null,
    }),
    visibility: visibility.nullable().meta({
      description:
        "All files in the folder, at any depth, have this visibility from then on; those that had another one also have `updatedAt` = `at`. `null`: they keep theirs.",
      example: null,
    }),
    hasContent: z.boolean().meta({
      description:
        "True if the folder was moved into view or restored with its content, which has no entries of its own: list the folder.",
      example: false,
    }),
  })
  .meta({ id: "Change", typeName: "ChangeObject" });

import { z } from "zod";
import { EXAMPLE_ID } from "../example.ts";
import type { Operation } from "../operation.ts";
import { nullableText, timestamp } from "./common.ts";

const count = (description: string, example: number) =>
  z.int().min(0).meta({ description, example });

const changes = z
  .array(
    z.object({
      type: z.string().meta({
        description:
          "As in `GET /api/changes`. `file.deleted` is also what goes to the trash, and what is replaced by a move.",
        example: "file.moved",
      }),
      id: z.string().meta({ example: EXAMPLE_ID }),
      key: z.string().meta({ example: "archive/harbour.jpg" }),
      fromKey: nullableText("The key before it is moved or restored.", "photos/harbour.jpg"),
    }),
  )
  .meta({ description: "The first 1,000 changes. What is in a folder is not listed." });

const conflicts = z
  .array(
    z.object({
      id: z.string(),
      kind: z.enum(["file", "folder"]),
      key: z.string().nullable(),
      reason: z.string(),
    }),
  )
  .meta({
    description:
      "An undo lists the first 1,000 files and folders here that it leaves as they are, or gives another name. `key`: where they are, or were when they were deleted; `null`: they are gone.",
  });

/** The result of an undo. */
export const undone = z
  .object({
    at: timestamp.meta({
      description:
        "UTC. The time of all its changes: an undo with `since` and `until` at this time takes back this one alone.",
    }),
    total: count("The number of changes.", 2),
    changes,
    conflicts,
  })
  .meta({ id: "Undone", typeName: "Undone" });

export const dryRunReport = z
  .object({
    total: count("The number of changes.", 2),
    files: count("The files that they are about, also those inside of folders.", 1204),
    bytes: count("The total size of these files.", 580542139),
    freedBytes: count("The size of what would be deleted permanently, also of versions.", 0),
    changes,
    conflicts,
    links: z
      .array(z.object({ id: z.string(), title: z.string().nullable(), key: z.string() }))
      .meta({
        description:
          "The first 1,000 working links whose file or folder would be deleted. `key`: of that file or folder.",
      }),
  })
  .meta({ id: "DryRun", typeName: "DryRun" });

/** The data of the response to a request with `dryRun`. */
export const dryRunData = z.object({ dryRun: dryRunReport });

/** Whether requests of the operation can only try the change. */
export const takesDryRun = ({ query }: Pick<Operation, "query">): boolean =>
  query !== undefined && Object.hasOwn(query.shape, "dryRun");

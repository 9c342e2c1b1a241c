import { z } from "zod";
import { count, timestamp } from "./common.ts";
import { fileObject } from "./files.ts";

export const overviewObject = z
  .object({
    storage: z.object({
      used: count("Total size of all files, in bytes.", 73400320),
      free: z.int().min(0).nullable().meta({
        description: "Free bytes on the volume; `null` if unknown.",
        example: 52428800000,
      }),
      files: count("Number of files.", 1520),
      folders: count("Number of folders, without the root.", 48),
      trash: count("Total size of the files in the trash, which `used` does not include.", 482113),
      versions: count(
        "Total size of replaced content, which `used` does not include. `null` for API keys that are limited to a folder.",
        0,
      ).nullable(),
    }),
    types: z
      .array(
        z.object({
          type: z
            .enum(["image", "video", "audio", "document", "text", "archive", "other"])
            .meta({ typeName: "MediaKind" }),
          files: count("", 1200),
          bytes: count("", 62914560),
        }),
      )
      .meta({ description: "Every type of file, including types without files." }),
    largest: z.array(fileObject).meta({ description: "The ten largest files." }),
    newest: z.array(fileObject).meta({ description: "The ten newest files." }),
    traffic: z
      .array(
        z.object({
          at: timestamp,
          requests: count("Number of requests for files.", 340),
          bytes: count("Bytes of file content in the responses.", 9437184),
          errors: count("Number of responses with a status of 400 or above.", 2),
          errorsByStatus: z
            .array(
              z.object({
                status: z.int().min(400).max(599).meta({ example: 404 }),
                requests: count("Number of responses with this status.", 2),
              }),
            )
            .meta({
              description:
                "These errors by status, in the order of the statuses. Errors from before this was counted are missing.",
            }),
        }),
      )
      .meta({ description: "By hour, or by day for a month (UTC), from the oldest to now." }),
    previous: z
      .object({
        requests: count("", 290),
        bytes: count("", 8388608),
        errors: count("", 0),
      })
      .meta({ description: "Totals of as many hours right before those of `traffic`." }),
    mostRequested: z
      .object({
        since: timestamp,
        files: z.array(
          z.object({
            file: fileObject,
            requests: count("Number of requests that were answered without an error.", 120),
            bytes: count("Bytes of the file in the responses.", 3145728),
          }),
        ),
      })
      .meta({
        description:
          "The ten files with the most requests, on the days (UTC) that the period touches; `since` is the start of the first one. Without deleted files and those in the trash. Counts are kept of the 250 most requested files of each day: on a day with requests for more files, they may be too low, by at most a 251st of the requests of that day.",
      }),
  })
  .meta({ id: "Overview", typeName: "OverviewObject" });

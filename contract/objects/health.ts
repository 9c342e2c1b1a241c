import { z } from "zod";
import { EXAMPLE_ID } from "../example.ts";
import { nullableText, timestamp } from "./common.ts";

const named = (typeName: string) => ({ typeName, readonlyFields: true });

const count = (description: string, example: number) =>
  z.int().min(0).meta({ description, example });

const nullableTime = (description: string) =>
  timestamp.nullable().meta({ description, example: "2026-01-31 09:30:00" });

const part = z
  .object({
    part: z.enum(["catalog", "blobs", "redis"]).meta({ example: "catalog" }),
    kind: z.enum(["sqlite", "postgres", "disk", "s3", "redis"]).meta({ example: "sqlite" }),
    problem: nullableText("Why it cannot be used. `null`: it responds.", null),
  })
  .meta(named("HealthPart"));

const job = z
  .object({
    name: z.string().meta({ example: "expired uploads" }),
    succeededAt: nullableTime(
      "The end of the last run that succeeded. `null`: none since the start.",
    ),
    lastError: nullableText(
      "The message of the last failure since the start, even if the job has succeeded since. `null`: none failed.",
      null,
    ),
    failures: count("Failures since the last success. More than 1: the job keeps failing.", 0),
  })
  .meta(named("HealthJob"));

const storage = z
  .object({
    files: count("Number of files.", 1204),
    bytes: count("Total size of the files.", 73400320),
    trash: z.object({ files: count("Files in the trash.", 3), bytes: count("", 482113) }),
    versions: z.object({ count: count("Earlier versions.", 12), bytes: count("", 964226) }),
    volume: z
      .object({
        free: count("Bytes.", 52428800000),
        size: count("Bytes.", 107374182400),
      })
      .nullable()
      .meta({ description: "The volume of the data folder. `null`: it does not respond." }),
    reserved: count("Bytes that uploads leave free on the volume.", 268435456),
  })
  .meta(named("HealthStorage"));

export const healthScrub = z
  .object({
    state: z.enum(["never", "running", "paused", "finished"]).meta({
      description:
        "`paused`: it was interrupted and continues on request only, because `SCRUB_EVERY` is 0.",
      example: "finished",
    }),
    every: z.int().min(1).nullable().meta({
      description: "`SCRUB_EVERY` in seconds; `null`: only on request.",
      example: 2592000,
    }),
    rate: count("`SCRUB_RATE`: bytes per second.", 20971520),
    startedAt: nullableTime("`null`: no check has run."),
    finishedAt: nullableTime("`null`: not finished."),
    files: count(
      "Files read so far, those in the trash and earlier versions included. Up to half a minute old.",
      1219,
    ),
    bytes: count("Bytes read so far.", 74846659),
    found: count("Number of missing and damaged files.", 0),
    earlier: count(
      "Missing and damaged files of the previous check that this one has not reached yet.",
      0,
    ),
    findings: z
      .array(
        z
          .object({
            type: z.enum(["missing", "damaged"]).meta({ example: "damaged" }),
            fileId: z.string().meta({ example: EXAMPLE_ID }),
            key: nullableText(
              "The file's key when the damage was found; `null`: unknown.",
              "photos/2026/harbour.jpg",
            ),
            place: z.string().meta({
              description: "Where the content is, or was, in the file storage.",
              example: "9e3c00/05",
            }),
          })
          .meta(named("HealthFinding")),
      )
      .meta({ description: "The first 100 of them." }),
  })
  .meta({ id: "HealthScrub", readonlyFields: true });

const verification = z
  .object({
    finishedAt: timestamp,
    quick: z.boolean().meta({ description: "Only sizes were compared.", example: false }),
    files: count("Files compared.", 1219),
    bytes: count("Bytes read.", 74846659),
    missing: count("Files without content.", 0),
    damaged: count("Damaged files.", 0),
    foreign: count("Stored contents without a file.", 0),
    catalog: count(
      "Contradictions in the catalog, without lost records that `--repair` has dealt with.",
      0,
    ),
    repaired: z.boolean().meta({ description: "`--repair` was given.", example: false }),
  })
  .meta(named("HealthVerification"));

const backup = z
  .object({
    finishedAt: timestamp,
    asOf: timestamp.meta({ description: "The moment that the backup shows, in UTC." }),
    path: z.string().meta({ example: "/backups/holdall" }),
    files: count("Files in the backup, earlier versions included.", 1219),
    bytes: count("Their total size.", 74846659),
    damaged: count("Damaged files, which it leaves out.", 0),
  })
  .meta(named("HealthBackup"));

export const healthDetails = z
  .object({
    version: z.string().meta({ example: "0.2.0" }),
    startedAt: timestamp.meta({ description: "When the responding process was started, in UTC." }),
    dataPath: nullableText(
      "The data folder, which commands on the server need as `DATA_PATH`. `null`: the default, `data` in the folder of the program.",
      "/srv/holdall",
    ),
    workers: z.object({
      configured: count("`WORKERS`: the processes that this server should have.", 4),
      running: count("Worker processes that are running.", 4),
    }),
    jobs: z.array(job).meta({
      description:
        "The background jobs of this server, which run every 20 seconds. Empty until one has run after the start.",
    }),
    parts: z.array(part).meta({ description: "What the server depends on." }),
    storage,
    catalog: z.object({
      bytes: count("Size of the database; `null`: unknown.", 4194304).nullable(),
    }),
    uploads: z.object({ open: count("Resumable uploads that are not finished.", 2) }),
    scrub: healthScrub,
    verification: verification
      .nullable()
      .meta({ description: "The last `holdall verify`; `null`: none is recorded." }),
    backup: backup.nullable().meta({
      description:
        "The last `holdall backup`; `null`: none is recorded. Backups by other tools are not recorded.",
    }),
    quarantine: z
      .object({
        count: count("Folders in the quarantine of the data folder.", 0),
        latest: nullableText("The name of the newest; `null`: there is none.", null),
      })
      .nullable()
      .meta({
        description:
          "With files on S3, what was moved within the store is not counted. `null`: the volume does not respond.",
      }),
    lostRecords: z
      .object({
        since: z.string().meta({ description: "ISO 8601, UTC.", example: "2026-01-31T09:30:00Z" }),
        reason: z.string().meta({ example: "The log of the catalog is damaged." }),
      })
      .nullable()
      .meta({
        description:
          "The server found that acknowledged changes are lost. `null`: it did not, or the volume does not respond.",
      }),
  })
  .meta({ id: "HealthDetails", readonlyFields: true });

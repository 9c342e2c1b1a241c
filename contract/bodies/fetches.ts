import { z } from "zod";
import { text, visibility } from "../text.ts";
import { exactlyOne, onConflict } from "./common.ts";

/** Files in one request. */
const MAX_FETCHED_FILES = 100;

const source = text("the URL of a file").meta({
  description: "Where the file is, with http:// or https://.",
  example: "https://example.com/harbour.mov",
});

export const fetchFilesBody = z
  .object({
    url: source.optional(),
    folder: text("the path of a folder").optional().meta({
      description:
        "Target folder. Missing folders are created. Default: the root, or the folder of the API key.",
      example: "photos/2026",
    }),
    name: text("a file name").optional().meta({
      description: "Name of the file. Default: as the source names it, or the end of the URL.",
    }),
    sha256: text("a SHA-256 digest").optional().meta({
      description: "The expected SHA-256 of the file. A file with another one is not stored.",
    }),
    files: z
      .array(
        z.object(
          {
            key: text("the key of a file").meta({ example: "photos/2026/harbour.mov" }),
            url: source,
          },
          { error: "must be an object with `key` and `url`" },
        ),
        { error: "must be a list of objects with `key` and `url`" },
      )
      .min(1, { error: "must be a list of at least one file" })
      .max(MAX_FETCHED_FILES, { error: `must be a list of at most ${MAX_FETCHED_FILES} files` })
      .optional()
      .meta({
        description: `Up to ${MAX_FETCHED_FILES} files with their keys, instead of \`url\`, \`folder\`, \`name\` and \`sha256\`.`,
      }),
    onConflict: onConflict.optional().meta({
      description: "What the server does if, once a file is complete, its name is already taken.",
    }),
    visibility: visibility.optional(),
  })
  .meta(exactlyOne("url", "files"));

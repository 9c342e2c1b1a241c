import { z } from "zod";
import * as objects from "../objects.ts";
import type { Operation } from "../operation.ts";
import * as queries from "../queries.ts";
import { nextCursor } from "./shared.ts";

/** Files and folders by a part of their names. */
export const searchOperations = {
  search: {
    id: "search",
    method: "GET",
    path: "/api/search",
    tag: "Files",
    summary: "Search files and folders by name",
    description:
      "Whatever has the text in its name, in upper or lower case: in all folders, or in one and below it. First the folders in the order of their keys, then the files in that of their folders' keys and their names.",
    access: "caller",
    budget: "api",
    query: queries.searchQuery,
    answer: {
      data: z.object({
        files: z.array(objects.fileObject),
        folders: z.array(objects.folderObject),
        nextCursor,
      }),
    },
    errors: {
      400: "No text, a text or a limit out of its range, or a cursor of another search.",
      404: "No such folder.",
    },
  },
} as const satisfies Record<string, Operation>;

import { z } from "zod";
import { defineOperation } from "../define-operation.ts";
import { fileObject } from "../objects/files.ts";
import { folderObject } from "../objects/folders.ts";
import * as queries from "../queries.ts";
import { nextCursor } from "./common.ts";

/** Search by name. */
export const searchOperations = {
  search: defineOperation({
    id: "search",
    method: "GET",
    path: "/api/search",
    tag: "Files",
    summary: "Search files and folders by name",
    description:
      "Finds names that contain the text, in upper or lower case, with or without accents, in all folders or in one folder and its subfolders. `type`, `visibility`, `minSize`, `maxSize`, `updatedSince` and `updatedUntil` find only files that have all these properties, and no folders. Folders come first, ordered by key; then files, ordered by `orderBy`, or by their folder's key and their name. A page can have fewer results than `limit`, when files are deleted during the search: only `nextCursor` shows whether there are more.",
    access: "caller",
    permission: { actions: ["list"], places: ["subject", "results"] },
    budget: "api",
    query: queries.searchQuery,
    response: {
      data: z.object({
        files: z.array(fileObject),
        folders: z.array(folderObject),
        nextCursor,
        total: z.int().min(0).nullable().meta({
          description:
            "With `includeTotal`, the number of files and folders on all pages, otherwise null. 10000 stands for 10,000 or more.",
        }),
      }),
    },
    codes: ["unknown_field"],
    errors: {
      400: "`include` has an unknown name. Or: The text is missing, the text or the limit is out of range, `orderDirection` is given without `orderBy`, or the cursor belongs to another search.",
      404: "The folder does not exist.",
    },
    audit: null,
    example: {
      query: { q: "harbour" },
      sdk: `const { files, folders, nextCursor } =
  await holdall.search("harbour");

const videos = await holdall.search("*", {
  type: "video/*",
  minSize: 100_000_000,
  orderBy: "size",
});`,
    },
  }),
};

import { z } from "zod";
import { defineOperation } from "../define-operation.ts";
import { changeObject } from "../objects/changes.ts";
import * as queries from "../queries.ts";

/** The change feed. */
export const changeOperations = {
  listChanges: defineOperation({
    id: "listChanges",
    method: "GET",
    path: "/api/changes",
    tag: "Files",
    summary: "Follow changes of files and folders",
    description:
      "Lists every change after a cursor, oldest first. Without `since` the list is empty, and `cursor` is the current end of the feed. To keep a copy of the tree: take that cursor, list the files and folders, then request the changes since the cursor, again and again with the last `cursor`. Changes from during the listing may come once more, so apply each as the new state of its object. A change of a folder is one entry, however much is inside: apply it to the content too. With `Accept: text/event-stream` the response does not end: it sends each change as a server-sent event as soon as it happens. The `id` of an event is its cursor, and a browser's `EventSource` resumes from there by itself. Changes are kept for 7 days, at most a million.",
    access: "caller",
    permission: { actions: ["list"], places: ["subject", "results"] },
    budget: "api",
    query: queries.changesQuery,
    response: {
      data: z.object({
        changes: z.array(changeObject),
        cursor: z.string().meta({
          description: "The `since` of the next request.",
          example: "WyIxeDRrcGYiLDQyLCJrNXR3MTMiXQ",
        }),
        more: z.boolean().meta({
          description: "True if there are more changes already.",
          example: false,
        }),
      }),
      events: changeObject,
    },
    errors: {
      400: "The limit is out of range, or the cursor is malformed.",
      404: "The folder does not exist.",
      410: "The feed no longer reaches back to the cursor, or was restarted because the instance was moved or restored. List the files and folders again, and continue with a new cursor.",
      503: "There are too many open streams, or the service is temporarily unavailable. Try again later.",
    },
    audit: null,
    example: {
      query: { limit: "50" },
      curl: [
        { title: "The current end of the feed", options: [] },
        {
          title: "A stream of changes",
          options: ["--no-buffer", "-H 'Accept: text/event-stream'"],
        },
      ],
      sdk: `const { cursor } = await holdall.changes.list();
for await (const change of holdall.changes.follow({ since: cursor })) {
  console.log(change.kind, change.key);
}`,
    },
  }),
};

import { z } from "zod";
import { required, text } from "../../../contract/text.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { folderKeyOf, moment, path, placeOf } from "./arguments.ts";
import { defineTool, findFileAt, type Tool } from "./tool.ts";

/** As many as `MAX_DELETE_BATCH` allows by default. */
const MAX_PATHS = 1000;

const from = path("a file or folder").meta({ description: "Path of the file or folder." });

const to = (what: string) =>
  path(what).meta({ description: `New path of ${what}. Its folder must exist.` });

const ifTaken = z
  .enum(["refuse", "keepBoth"], { error: required("`refuse` or `keepBoth`") })
  .default("refuse")
  .meta({
    description:
      "What to do if the path is taken. `refuse` (default): fail. `keepBoth`: use a free name.",
  });

const dryRun = z
  .boolean({ error: "must be true or false" })
  .optional()
  .meta({ description: "`true`: changes nothing, and returns what would be changed as `dryRun`." });

/** Tools that change the tree. */
export const changeTools: readonly Tool[] = [
  defineTool({
    name: "make_folder",
    title: "Make a folder",
    description: "Makes a folder, with the folders above it that are missing.",
    input: z.object({
      path: path("the new folder").meta({ description: "Path of the new folder." }),
      dryRun,
    }),
    needs: ["createFolder"],
    run: ({ path: folder, dryRun }, { call }) => call("createFolder", { body: { folder, dryRun } }),
  }),
  defineTool({
    name: "move",
    title: "Move or rename",
    description:
      "Moves or renames a file, or a folder with everything in it. URLs that contain the old path end.",
    input: z.object({ from, to: to("the file or folder"), onConflict: ifTaken, dryRun }),
    needs: ["changeFile"],
    annotations: { destructiveHint: true },
    async run({ from: key, to: given, ...options }, context) {
      const { folder, name } = placeOf("to", given);
      const file = await findFileAt(context, key);
      return file === undefined
        ? context.call("changeFolder", { body: { key, parent: folder, name, ...options } })
        : context.call("changeFile", { body: { id: file.id, folder, name, ...options } });
    },
  }),
  defineTool({
    name: "copy",
    title: "Copy",
    description:
      "Copies a file, or a folder with everything in it, of at most 10,000 files, without sending the bytes.",
    input: z.object({ from, to: to("the copy"), onConflict: ifTaken, dryRun }),
    needs: ["copyFiles"],
    async run({ from: key, to: given, ...options }, context) {
      const { folder, name } = placeOf("to", given);
      const file = await findFileAt(context, key);
      return file === undefined
        ? context.call("copyFolder", { body: { key, parent: folder, name, ...options } })
        : context.call("copyFiles", { body: { id: file.id, folder, name, ...options } });
    },
  }),
  defineTool({
    name: "delete",
    title: "Move to the trash",
    description:
      "Moves files, or a folder with everything in it, to the trash. `undo` with the returned `undoId` brings them back until the trash is emptied. Give `path` for one file or folder, or `files` for many files.",
    input: z.object({
      path: path("a file or folder").optional().meta({ description: "Path of a file or folder." }),
      files: z
        .array(text("the path of a file"), { error: required("a list of paths") })
        .min(1, { error: "must be a list of at least one path" })
        .max(MAX_PATHS, { error: `must be a list of at most ${MAX_PATHS} paths` })
        .optional()
        .meta({ description: "Paths of files, instead of `path`." }),
      dryRun,
    }),
    needs: ["deleteFiles"],
    annotations: { destructiveHint: true },
    async run({ path: key, files, dryRun }, context) {
      if ((key === undefined) === (files === undefined)) {
        throw new Fault("invalid", "Give exactly one of `path` and `files`.");
      }
      if (key === undefined) {
        return context.call("deleteFiles", { body: { keys: files, trash: true, dryRun } });
      }
      const file = await findFileAt(context, key);
      return file === undefined
        ? context.call("deleteFolder", { body: { key, trash: true, dryRun } })
        : context.call("deleteFiles", { body: { id: file.id, trash: true, dryRun } });
    },
  }),
  defineTool({
    name: "undo",
    title: "Undo changes",
    description:
      "With `undoId`: brings back what one `delete` moved to the trash. With `since`: takes back everything that this API key, or the keys that it has made, deleted, replaced, moved, renamed or otherwise changed since that time. Nothing is overwritten: what others have changed since is left as it is and is in `conflicts`. Uploads of new files stay. Try it with `dryRun` first.",
    input: z.object({
      undoId: text("the `undoId` of a deletion")
        .optional()
        .meta({ description: "The `undoId` that `delete` returned." }),
      since: moment("With this: from this time on.").optional(),
      until: moment("With `since`: until this time. Default: now.").optional(),
      folder: path("a folder").optional().meta({
        description: "With `since`: only in this folder, at any depth. Default: everywhere.",
      }),
      dryRun,
    }),
    needs: ["restoreTrash", "undoChanges"],
    annotations: { destructiveHint: true },
    async run({ undoId, since, until, folder, dryRun }, { call, caller }) {
      if ((undoId === undefined) === (since === undefined)) {
        throw new Fault("invalid", "Give exactly one of `undoId` and `since`.");
      }
      if (undoId === undefined) {
        const by = caller.actor.id ?? "";
        const body = { by, since, until, folder: folderKeyOf(folder), dryRun };
        return call("undoChanges", { body });
      }
      if (until !== undefined || folder !== undefined) {
        throw new Fault("invalid", "`until` and `folder` go with `since`.");
      }
      return call("restoreTrash", { body: { undoId, dryRun } });
    },
  }),
];

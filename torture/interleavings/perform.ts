import { z } from "zod";
import { api, type Reachable } from "../../test/client.ts";
import { field, filePart } from "../../test/multipart.ts";
import { contentOf, type Operation, type Outcome } from "./operation.ts";

const success = z.object({
  data: z.union([
    z.object({ files: z.array(z.object({ key: z.string() })) }),
    z.object({ file: z.object({ key: z.string() }) }),
    z.object({ folder: z.object({ key: z.string() }) }),
    z.object({ deleted: z.array(z.string()) }),
  ]),
});

/** Sends the operation to a server. */
export async function perform(server: Reachable, operation: Operation): Promise<Outcome> {
  const { status, text } = await request(server, operation);
  if (status !== 200) return { status, result: "" };
  const { data } = success.parse(JSON.parse(text));
  if ("files" in data) return { status, result: data.files.map(({ key }) => key).join() };
  if ("file" in data) return { status, result: data.file.key };
  return { status, result: "folder" in data ? data.folder.key : data.deleted.join() };
}

function request(server: Reachable, operation: Operation) {
  const { json, upload } = api(server);
  if (operation.do === "upload") {
    const folder = field("folder", operation.folder);
    const files = operation.names.map((name) => filePart(name, contentOf(operation.content, name)));
    const parts = operation.folderFirst ? [folder, ...files] : [...files, folder];
    return upload([field("visibility", operation.visibility), ...parts]);
  }
  if (operation.do === "create") return json("POST", "/api/folders", { folder: operation.path });
  if (operation.do === "delete files") return json("DELETE", "/api/files", { ids: operation.ids });
  if (operation.do === "delete folder") return json("DELETE", "/api/folders", { id: operation.id });
  const { id, name, visibility, to } = operation;
  return operation.kind === "file"
    ? json("PUT", "/api/files", { id, name, visibility, folderId: to })
    : json("PUT", "/api/folders", { id, name, visibility, parentId: to });
}

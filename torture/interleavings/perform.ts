import { z } from "zod";
import { api, type Reachable } from "../../test/client.ts";
import { field, filePart } from "../../test/multipart.ts";
import { type Act, type AuditDetails, contentOf } from "./act.ts";

const success = z.object({
  data: z.union([
    z.object({ files: z.array(z.object({ key: z.string() })) }),
    z.object({ file: z.object({ key: z.string() }) }),
    z.object({ folder: z.object({ key: z.string() }) }),
    z.object({ deleted: z.array(z.string()) }),
  ]),
});

/** Sends the act to a server. */
export async function perform(server: Reachable, act: Act): Promise<AuditDetails> {
  const { status, text } = await request(server, act);
  if (status !== 200) return { status, told: "" };
  const { data } = success.parse(JSON.parse(text));
  if ("files" in data) return { status, told: data.files.map(({ key }) => key).join() };
  if ("file" in data) return { status, told: data.file.key };
  return { status, told: "folder" in data ? data.folder.key : data.deleted.join() };
}

function request(server: Reachable, act: Act) {
  const { json, upload } = api(server);
  if (act.do === "upload") {
    const folder = field("folder", act.folder);
    const files = act.names.map((name) => filePart(name, contentOf(act.content, name)));
    const parts = act.folderFirst ? [folder, ...files] : [...files, folder];
    return upload([field("visibility", act.visibility), ...parts]);
  }
  if (act.do === "create") return json("POST", "/api/folders", { folder: act.path });
  if (act.do === "delete files") return json("DELETE", "/api/files", { ids: act.ids });
  if (act.do === "delete folder") return json("DELETE", "/api/folders", { id: act.id });
  const { id, name, visibility, to } = act;
  return act.kind === "file"
    ? json("PUT", "/api/files", { id, name, visibility, folderId: to })
    : json("PUT", "/api/folders", { id, name, visibility, parentId: to });
}

import { quote, quoteIfNeeded } from "../../../../contract/text/quote-shell.ts";
import type { ApiKeyObject, Visibility } from "../../../../sdk/src/holdall.ts";

export interface ExampleCommand {
  readonly label: string;
  readonly code: string;
}

/**
 * Commands that show the use of a new key within its rights; undefined if curl is of little help. `visibility`: of new files in
 * its folder; private ones are downloaded with the key.
 */
export function exampleCommand(
  { actions, folder }: Pick<ApiKeyObject, "actions" | "folder">,
  secret: string,
  siteUrl: string,
  visibility: Visibility,
): ExampleCommand | undefined {
  const can = (action: (typeof actions)[number]) =>
    actions.includes(action) || actions.includes("admin");
  const key = folder?.key ?? "";
  const path = key === "" ? "" : `${key.split("/").map(encodeURIComponent).join("/")}/`;
  const header = `  -H "API-Key: ${secret}"`;
  const url = quoteIfNeeded(`${siteUrl}/api/hosting/${path}photo.jpg`);
  if (can("write")) {
    const upload = [
      `curl -f ${siteUrl}/api/files \\`,
      `${header} \\`,
      // With -F, curl would read the file that a name such as `@notes` leads to.
      ...(key === "" ? [] : [`  --form-string ${quote(`folder=${key}`)} \\`]),
      "  -F files=@photo.jpg",
    ];
    const isPrivate = visibility === "private";
    if (isPrivate && !can("read")) return { label: "Upload a file", code: upload.join("\n") };
    const download = [`curl -f ${url} -o copy.jpg${isPrivate ? " \\" : ""}`];
    if (isPrivate) download.push(header);
    return {
      label: "Upload a file and download it",
      code: [...upload, "", ...download].join("\n"),
    };
  }
  if (can("list")) {
    return {
      label: "List the files",
      code: [
        `curl -f ${quote(`${siteUrl}/api/folders?key=${encodeURIComponent(key)}`)} \\`,
        header,
      ].join("\n"),
    };
  }
  if (can("read")) {
    return {
      label: "Download a private file",
      code: [`curl -f ${url} -o photo.jpg \\`, header].join("\n"),
    };
  }
  return undefined;
}

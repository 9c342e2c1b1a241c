import { quote, quoteIfNeeded } from "../../../../contract/text/quote-shell.ts";
import type { ApiKeyObject } from "../../../../sdk/src/holdall.ts";

export interface ExampleCommand {
  readonly label: string;
  readonly code: string;
}

/** Commands that show the use of a new key within its rights; undefined if curl is of little help. */
export function exampleCommand(
  { actions, folder }: Pick<ApiKeyObject, "actions" | "folder">,
  secret: string,
  siteUrl: string,
): ExampleCommand | undefined {
  const can = (action: (typeof actions)[number]) =>
    actions.includes(action) || actions.includes("admin");
  const key = folder?.key ?? "";
  const path = key === "" ? "" : `${key.split("/").map(encodeURIComponent).join("/")}/`;
  if (can("write")) {
    return {
      label: "Upload a file and download it",
      code: [
        `curl ${siteUrl}/api/files \\`,
        `  -H "API-Key: ${secret}" \\`,
        ...(key === "" ? [] : [`  -F ${quote(`folder=${key}`)} \\`]),
        "  -F files=@photo.jpg",
        "",
        `curl ${quoteIfNeeded(`${siteUrl}/api/hosting/${path}photo.jpg`)} -o copy.jpg`,
      ].join("\n"),
    };
  }
  if (can("list")) {
    return {
      label: "List the files",
      code: [
        `curl ${quote(`${siteUrl}/api/folders?key=${encodeURIComponent(key)}`)} \\`,
        `  -H "API-Key: ${secret}"`,
      ].join("\n"),
    };
  }
  if (can("read")) {
    return {
      label: "Download a private file",
      code: [
        `curl ${quoteIfNeeded(`${siteUrl}/api/hosting/${path}photo.jpg`)} -o photo.jpg \\`,
        `  -H "API-Key: ${secret}"`,
      ].join("\n"),
    };
  }
  return undefined;
}

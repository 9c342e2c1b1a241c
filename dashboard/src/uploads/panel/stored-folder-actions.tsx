import { FolderOpen, Link } from "lucide-react";
import { folderPath } from "../../app/file-paths.ts";
import { navigateTo } from "../../app/location.ts";
import { IconButton } from "../../components/icon-button.tsx";
import type { Group } from "../group.ts";
import { joinKey } from "../item.ts";
import { copyFolderLink } from "./copy-folder-link.ts";

/** What can be done with a folder that has just been uploaded. */
export function StoredFolderActions({ group: { folder, name } }: { readonly group: Group }) {
  const key = joinKey(folder, name).normalize("NFC");
  return (
    <>
      <IconButton
        label={`Open ${name}`}
        Icon={FolderOpen}
        onClick={() => navigateTo(folderPath(key))}
      />
      <IconButton
        label={`Copy link to ${name}`}
        Icon={Link}
        onClick={() => void copyFolderLink(key)}
      />
    </>
  );
}

import { FolderOpen, Link, Undo2 } from "lucide-react";
import { holdall } from "../../app/connection/client.ts";
import { folderPath } from "../../app/navigation/file-paths.ts";
import { navigateTo } from "../../app/navigation/location.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { copyLinkTo } from "../../pages/files/actions/copy-url.ts";
import type { ShareSubject } from "../../sharing/share-subject.ts";
import { useVersionDays } from "../../trash/use-version-days.ts";
import type { Group } from "../group.ts";
import { joinKey } from "../item.ts";
import { undoGroupReplacements } from "../sending/undo-replacement.ts";

/** Actions for a folder that has just been uploaded. */
export function StoredFolderActions({ group }: { readonly group: Group }) {
  const { folder, name, replaced } = group;
  const days = useVersionDays() ?? 0;
  const key = joinKey(folder, name).normalize("NFC");
  return (
    <>
      {replaced > 0 && days > 0 && (
        <IconButton
          label={`Undo replacing files of ${name}`}
          Icon={Undo2}
          onClick={() => void undoGroupReplacements(group)}
        />
      )}
      <IconButton
        label={`Open ${name}`}
        Icon={FolderOpen}
        onClick={() => navigateTo(folderPath(key))}
      />
      <IconButton
        label={`Copy link to ${name}`}
        Icon={Link}
        onClick={() => void copyLinkTo(folderAt(key))}
      />
    </>
  );
}

async function folderAt(key: string): Promise<ShareSubject> {
  const { folder } = await holdall.folders.browse({ key }, { limit: 0 });
  return { kind: "folder", folder };
}

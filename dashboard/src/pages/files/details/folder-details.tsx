import { formatBytes } from "../../../../../contract/text/format-bytes.ts";
import type { FolderObject } from "../../../../../sdk/src/holdall.ts";
import { Skeleton } from "../../../components/skeleton.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { canAll } from "../../../rights/rights.ts";
import { formatCount } from "../../../text/format-count.ts";
import type { FilesActions } from "../actions/files-actions.ts";
import { NEEDS } from "../actions/needs.ts";
import { useFolderSize } from "../data/use-content-size.ts";
import { DetailList } from "./detail-list.tsx";
import { FolderQuota } from "./folder-quota.tsx";
import { readFolderActivity } from "./read-subject-activity.ts";
import { SubjectActivity } from "./subject-activity.tsx";
import { SubjectLinks } from "./subject-links.tsx";

export interface FolderDetailsProps {
  readonly folder: FolderObject;
  readonly actions: FilesActions;
}

/** The content of a folder, its links and its activity. */
export function FolderDetails({ folder, actions }: FolderDetailsProps) {
  const { data: size, error } = useFolderSize(folder.id);
  return (
    <div className="flex flex-col gap-6 p-4">
      <p className="break-words font-semibold">
        <bdi>{folder.name || "Files"}</bdi>
      </p>
      {size === undefined && !error ? (
        <Skeleton className="h-24" />
      ) : (
        <DetailList
          items={[
            [
              "Contains",
              size && `${formatCount(size.files, "file")}, ${formatCount(size.folders, "folder")}`,
            ],
            ["Size", size ? formatBytes(size.bytes) : error?.message],
            ["Path", <bdi key="path">{folder.key || "/"}</bdi>],
            ["Added", <Timestamp key="added" at={folder.createdAt} length="long" />],
            ["Modified", <Timestamp key="modified" at={folder.updatedAt} length="long" />],
          ]}
        />
      )}
      <FolderQuota folder={folder} />
      {canAll(NEEDS.share) && (
        <SubjectLinks
          subject={{ kind: "folder", folder }}
          onShare={() => actions.share({ kind: "folder", id: folder.id, folder })}
        />
      )}
      <SubjectActivity subject={folder} read={readFolderActivity} />
    </div>
  );
}

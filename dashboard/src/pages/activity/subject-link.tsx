import type { MouseEvent } from "react";
import { holdall, isStatus } from "../../app/connection/client.ts";
import { filePath, folderPath, parentFolderPath } from "../../app/navigation/file-paths.ts";
import { Link } from "../../app/navigation/link.tsx";
import { navigateTo } from "../../app/navigation/location.ts";
import { hasModifier } from "../../app/shortcuts/has-modifier.ts";
import { showErrorToast } from "../../components/toast-store.ts";
import { parentKey } from "../../text/key-parts.ts";
import type { Target } from "./sentence-parts.ts";

export interface SubjectLinkProps {
  readonly name: string;
  readonly target: Target;
}

/**
 * Links to the current location of a file or folder. It may have been moved, renamed or deleted
 * since, so the click asks the server first. For a deleted file, opens the folder that it was in.
 */
export function SubjectLink({ name, target }: SubjectLinkProps) {
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    if (hasModifier(event)) return;
    event.preventDefault();
    resolvePath(target)
      .catch(async (error: unknown) => {
        if (!isStatus(error, 404)) throw error;
        showErrorToast(new Error(`“${name}” no longer exists.`));
        return resolveParentPath(target);
      })
      .then((path) => path !== undefined && navigateTo(path), showErrorToast);
  };
  return (
    <Link
      to={loggedPath(target)}
      title={target.key || undefined}
      onClick={handleClick}
      className="break-words font-medium underline decoration-edge underline-offset-4 hover:decoration-current"
    >
      <bdi>{name}</bdi>
    </Link>
  );
}

const loggedPath = ({ kind, id, key }: Target): string => {
  if (kind === "folder") return folderPath(key ?? "");
  return id === null ? parentFolderPath(key ?? "") : filePath({ id, key: key ?? "" });
};

async function resolvePath({ kind, id, key }: Target): Promise<string> {
  if (kind === "file") {
    return filePath(
      await (id === null ? holdall.files.getByKey(key ?? "") : holdall.files.get(id)),
    );
  }
  const wanted = id === null ? { key: key ?? "" } : { id };
  return folderPath((await holdall.folders.browse(wanted, { limit: 0 })).folder.key);
}

/** The folder that the file was in; undefined if that is gone too. */
async function resolveParentPath({ kind, key }: Target): Promise<string | undefined> {
  if (kind === "folder" || key === null) return undefined;
  try {
    const { folder } = await holdall.folders.browse({ key: parentKey(key) ?? "" }, { limit: 0 });
    return folderPath(folder.key);
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

import type { ApiKeyObject } from "../../../../sdk/src/holdall.ts";
import { folderPath } from "../../app/navigation/file-paths.ts";
import { Link } from "../../app/navigation/link.tsx";
import { accessLabel } from "./key-access.ts";

export interface KeyScopeProps {
  readonly apiKey: ApiKeyObject;
  /** The key that created it. */
  readonly parent: ApiKeyObject | undefined;
}

/** The rights of a key, their folder, and the key that it belongs to. */
export function KeyScope({ apiKey: { actions, folder, parentId }, parent }: KeyScopeProps) {
  return (
    <p className="flex min-w-0 flex-wrap gap-x-3 text-sm">
      <span className="min-w-0">
        {accessLabel(actions)}
        {folder === null ? (
          !actions.includes("admin") && " in all folders"
        ) : folder.key === null ? (
          <span className="text-bad">, but its folder was deleted</span>
        ) : (
          <>
            {" in "}
            <Link
              to={folderPath(folder.key)}
              className="break-words rounded-sm text-accent underline-offset-4 hover:underline"
            >
              <bdi>{folder.key}</bdi>
            </Link>
          </>
        )}
      </span>
      {parentId !== null && (
        <span className="min-w-0 text-muted">
          Created by {parent === undefined ? "another key" : <bdi>{parent.name}</bdi>}
        </span>
      )}
    </p>
  );
}

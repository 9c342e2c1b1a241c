import type { GrantObject } from "../../../../sdk/src/people.ts";
import { folderPath } from "../../app/navigation/file-paths.ts";
import { Link } from "../../app/navigation/link.tsx";
import { grantText } from "./grant-access.ts";

export interface GrantSummaryProps {
  readonly grants: readonly GrantObject[];
  /** Groups of the account may have more. */
  readonly hasGroups: boolean;
}

/** More folders are counted. */
const SHOWN = 4;

/** A grant in words: "photos: read and write". */
export function GrantSummary({ grants, hasGroups }: GrantSummaryProps) {
  const shown = grants.slice(0, SHOWN);
  if (grants.length === 0) {
    return (
      <p className="text-muted text-sm">{hasGroups ? "As its groups may" : "No folder yet"}</p>
    );
  }
  return (
    <ul className="flex min-w-0 flex-col gap-y-0.5 text-sm">
      {shown.map(({ id, folder, actions }) => (
        <li key={id} className="wrap-anywhere min-w-0">
          <FolderLink folder={folder} />: {grantText(actions)}
        </li>
      ))}
      {grants.length > SHOWN && (
        <li className="text-muted">and {(grants.length - SHOWN).toLocaleString()} more</li>
      )}
    </ul>
  );
}

/** The folder of a grant. */
export function FolderLink({ folder: { key } }: { readonly folder: GrantObject["folder"] }) {
  if (key === null) return <span className="text-bad">A folder in the trash</span>;
  return (
    <Link
      to={folderPath(key)}
      className="rounded-sm text-accent underline-offset-4 hover:underline"
    >
      <bdi>{key === "" ? "All folders" : key}</bdi>
    </Link>
  );
}

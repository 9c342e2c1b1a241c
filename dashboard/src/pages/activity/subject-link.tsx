import type { MouseEvent } from "react";
import { holdall, isStatus } from "../../app/client.ts";
import { folderAddress, placeAddress } from "../../app/files-address.ts";
import { Link } from "../../app/link.tsx";
import { go } from "../../app/location.ts";
import { sayFailure } from "../../components/toast-store.ts";
import type { Target } from "./sentence.ts";

export interface SubjectLinkProps {
  readonly name: string;
  readonly target: Target;
}

/**
 * Leads to where a file or folder is now: since then it may have been moved, renamed or deleted, so
 * the server is asked when the link is pressed.
 */
export function SubjectLink({ name, target }: SubjectLinkProps) {
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (elsewhere) return;
    event.preventDefault();
    addressNow(target).then(go, (error: unknown) =>
      sayFailure(isStatus(error, 404) ? new Error(`“${name}” is no longer there.`) : error),
    );
  };
  return (
    <Link
      to={addressThen(target)}
      title={target.key || undefined}
      onClick={press}
      className="break-words font-medium underline decoration-edge underline-offset-4 hover:decoration-current"
    >
      <bdi>{name}</bdi>
    </Link>
  );
}

const addressThen = ({ kind, key }: Target): string =>
  kind === "file" ? placeAddress(key ?? "") : folderAddress(key ?? "");

async function addressNow({ kind, id, key }: Target): Promise<string> {
  if (kind === "file") {
    const file = await (id === null ? holdall.files.getByKey(key ?? "") : holdall.files.get(id));
    return placeAddress(file.key);
  }
  const wanted = id === null ? { key: key ?? "" } : { id };
  return folderAddress((await holdall.folders.browse(wanted, { limit: 0 })).folder.key);
}

import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { filePath, folderPath } from "../app/navigation/file-paths.ts";
import { Link } from "../app/navigation/link.tsx";

/** Shows where the file or folder of a link is now. */
export function LinkSubject({ link: { subject } }: { readonly link: LinkObject }) {
  const { kind, id, key } = subject;
  if (key === null) {
    return <p className="text-muted text-sm">The {kind} was deleted.</p>;
  }
  return (
    <p className="min-w-0 text-sm">
      <span className="text-muted">{kind === "file" ? "File " : "Folder "}</span>
      <Link
        to={kind === "file" ? filePath({ id, key }) : folderPath(key)}
        className="break-words rounded-sm text-accent underline-offset-4 hover:underline"
      >
        <bdi>{key || "Files"}</bdi>
      </Link>
    </p>
  );
}

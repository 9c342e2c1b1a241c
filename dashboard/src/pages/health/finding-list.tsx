import type { HealthFinding } from "../../../../sdk/src/holdall.ts";
import { filePath } from "../../app/navigation/file-paths.ts";
import { Link } from "../../app/navigation/link.tsx";
import { Badge } from "../../components/badge.tsx";
import { FocusArea } from "../../components/focus-area.tsx";

/** Damaged and missing files, with links to them. */
export function FindingList({ findings }: { readonly findings: readonly HealthFinding[] }) {
  return (
    <FocusArea label="Damaged and missing files" className="max-h-48 overflow-y-auto">
      <ul className="flex flex-col divide-y divide-line">
        {findings.map(({ type, fileId, key, place }) => (
          <li key={`${fileId} ${place}`} className="flex items-center gap-3 py-1.5">
            <Badge tone="bad">{type === "damaged" ? "Damaged" : "Missing"}</Badge>
            {key === null ? (
              <span className="text-muted">A file in no folder</span>
            ) : (
              <Link
                to={filePath({ id: fileId, key })}
                className="min-w-0 truncate underline underline-offset-4"
                title={key}
              >
                <bdi>{key}</bdi>
              </Link>
            )}
          </li>
        ))}
      </ul>
    </FocusArea>
  );
}

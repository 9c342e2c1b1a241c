import { useId } from "react";
import type { FileObject, FileVersion } from "../../../../../sdk/src/holdall.ts";
import { Link } from "../../../app/navigation/link.tsx";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { LoadError } from "../../../components/load-error.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { can } from "../../../rights/rights.ts";
import { formatCount } from "../../../text/format-count.ts";
import { useVersionDays } from "../../../trash/use-version-days.ts";
import { useRestoreVersion, useVersions } from "./use-versions.ts";
import { VersionRow } from "./version-row.tsx";

export interface VersionsSectionProps {
  readonly file: FileObject;
  readonly onRestored: (file: FileObject) => void;
  readonly onPreview: (version: FileVersion) => void;
  readonly onDelete: (version: FileVersion) => void;
}

/** The earlier contents of the file, if replaced content is kept. */
export function VersionsSection({ file, onRestored, onPreview, onDelete }: VersionsSectionProps) {
  const { versions, error, refetch, ...list } = useVersions(file.id);
  const restore = useRestoreVersion(onRestored);
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="flex flex-col gap-3">
      <h3 id={heading} className="font-semibold">
        Earlier versions
      </h3>
      {versions === undefined && !error && <Skeleton className="h-10" />}
      {versions?.length === 0 && <NoVersions />}
      {versions !== undefined && versions.length > 0 && (
        <Card>
          <ul aria-label="Earlier versions, latest first">
            {versions.map((version) => (
              <VersionRow
                key={version.id}
                version={version}
                isRestoring={restore.isPending && restore.variables?.id === version.id}
                onPreview={() => onPreview(version)}
                onRestore={() => restore.mutate(version)}
                onDelete={() => onDelete(version)}
              />
            ))}
          </ul>
        </Card>
      )}
      {error && (versions === undefined || list.isFetchNextPageError) && (
        <LoadError
          title={
            versions === undefined ? "Couldn't load the versions" : "Couldn't load more versions"
          }
          error={error}
          onRetry={() => void (versions === undefined ? refetch() : list.fetchNextPage())}
        />
      )}
      {list.hasNextPage && !list.isFetchNextPageError && (
        <Button
          className="self-center"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
      {restore.error && <Notice tone="bad">{restore.error.message}</Notice>}
    </section>
  );
}

function NoVersions() {
  const days = useVersionDays();
  const isOn = days !== undefined && days > 0;
  if (!can("admin")) return <p className="text-muted text-sm">None.</p>;
  return (
    <p className="text-muted text-sm">
      {isOn ? (
        `None. Replaced content stays here for ${formatCount(days, "day")}.`
      ) : (
        <>
          None. Replaced content is not kept.{" "}
          <Link to="/settings/trash" className="rounded-sm text-ink underline underline-offset-4">
            Change
          </Link>
        </>
      )}
    </p>
  );
}

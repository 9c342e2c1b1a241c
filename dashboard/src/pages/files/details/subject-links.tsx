import { Link2 } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import type { ShareSubject } from "../../../sharing/share-subject.ts";
import { useLinkList } from "../../../sharing/use-link-list.tsx";
import { useLinks } from "../../../sharing/use-links.ts";
import { DetailSection } from "./detail-list.tsx";

export interface SubjectLinksProps {
  readonly subject: ShareSubject;
  readonly onShare: () => void;
}

/** The links to a file or folder, to copy, edit and revoke. */
export function SubjectLinks({ subject, onShare }: SubjectLinksProps) {
  const { links, error, hasNextPage, fetchNextPage } = useLinks({ subject });
  const list = useLinkList(false);
  return (
    <DetailSection title="Links">
      {links === undefined && !error && <Skeleton className="h-10" />}
      {error && <p className="text-bad text-sm">{error.message}</p>}
      {links?.length === 0 && <p className="text-muted text-sm">No links.</p>}
      {links && links.length > 0 && (
        <div className="rounded-lg border border-line">{list.rows(links)}</div>
      )}
      <div className="flex gap-2">
        <Button size="sm" Icon={Link2} onClick={onShare}>
          Share…
        </Button>
        {hasNextPage && (
          <Button size="sm" onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
      {list.dialogs}
    </DetailSection>
  );
}

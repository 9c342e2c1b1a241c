import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import type { TrashItem } from "../../../../sdk/src/holdall.ts";
import { Link } from "../../app/navigation/link.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { LoadError } from "../../components/load-error.tsx";
import { Page } from "../../components/page.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { showErrorToast } from "../../components/toast-store.ts";
import { formatCount } from "../../text/format-count.ts";
import type { Doomed } from "../../trash/delete-permanently.ts";
import { useTrashDays } from "../../trash/use-trash-days.ts";
import { NEEDS } from "../files/actions/needs.ts";
import { DeletePermanentlyDialog } from "./delete-permanently-dialog.tsx";
import { TrashList } from "./trash-list.tsx";
import { TrashToolbar } from "./trash-toolbar.tsx";
import { useBusyItems } from "./use-busy-items.ts";
import { useLiveTrash, useTrash } from "./use-trash.ts";
import { useTrashSelection } from "./use-trash-selection.ts";

/** Deleted files and folders, until they are deleted permanently. */
export function TrashPage() {
  const client = useQueryClient();
  const scroller = useRef<HTMLElement>(null);
  const trash = useTrash();
  const { items, totals, error, hasNextPage, isFetchingNextPage, fetchNextPage } = trash;
  useLiveTrash();
  const selection = useTrashSelection(items);
  const { busy, run } = useBusyItems();
  const [doomed, setDoomed] = useState<Doomed>();
  const onNearEnd = useCallback(() => {
    // After a failure the user retries.
    if (!isFetchingNextPage && error === null) void fetchNextPage();
  }, [isFetchingNextPage, error, fetchNextPage]);

  const handleRestore = (chosen: readonly TrashItem[]) => {
    const ids = chosen.map(({ id }) => id);
    run(ids, "restoring", ({ restoreItems }) => restoreItems(client, ids));
  };
  const handleDelete = (chosen: Doomed) => {
    const ids = ("all" in chosen ? items : chosen.items).map(({ id }) => id);
    run(ids, "deleting", ({ deletePermanently }) => deletePermanently(client, chosen));
  };
  const handleSelectAll = async () => {
    let result = await fetchNextPage({ cancelRefetch: false });
    while (result.hasNextPage && !result.isError) result = await fetchNextPage();
    if (result.error) throw result.error;
    selection.select(result.data?.pages.flatMap((page) => page.items) ?? []);
  };

  return (
    <Page
      ref={scroller}
      title="Trash"
      description={<RetentionText />}
      actions={
        totals !== undefined &&
        totals.items > 0 && (
          <Button needs={NEEDS.destroy} Icon={Trash2} onClick={() => setDoomed({ all: totals })}>
            Empty trash…
          </Button>
        )
      }
    >
      {trash.data === undefined && error === null && <TrashSkeleton />}
      {trash.data === undefined && error !== null && (
        <LoadError
          title="Couldn't load the trash"
          error={error}
          onRetry={() => void trash.refetch()}
        />
      )}
      {trash.data !== undefined && items.length === 0 && <EmptyTrash />}
      {items.length > 0 && (
        <Card>
          <TrashToolbar
            totals={totals}
            selected={selection.selected}
            isAll={!hasNextPage && selection.selected.length === items.length}
            onSelectAll={() => {
              if (hasNextPage) handleSelectAll().catch(showErrorToast);
              else selection.select(items);
            }}
            onClear={selection.clear}
            onRestore={handleRestore}
            onDelete={(chosen) => setDoomed({ items: chosen })}
          />
          <TrashList
            items={items}
            isSelected={selection.isSelected}
            busy={busy}
            scroller={scroller}
            hasMore={hasNextPage && error === null}
            onNearEnd={onNearEnd}
            onToggle={selection.toggle}
            onRestore={handleRestore}
            onDelete={(chosen) => setDoomed({ items: chosen })}
          />
        </Card>
      )}
      {items.length > 0 && error !== null && (
        <LoadError
          title="Couldn't load more of the trash"
          error={error}
          onRetry={() => void fetchNextPage()}
        />
      )}
      {doomed && (
        <DeletePermanentlyDialog
          doomed={doomed}
          onConfirm={() => handleDelete(doomed)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </Page>
  );
}

/** How long deleted files are kept, with a link to the setting. */
function RetentionText() {
  const days = useTrashDays();
  if (days === undefined) return "Deleted files and folders, which you can restore.";
  return (
    <>
      {days === 0
        ? "The trash is off: files are deleted permanently at once. What is here keeps its time. "
        : `Deleted files are kept for ${formatCount(days, "day")}, then deleted permanently. `}
      <Link to="/settings/trash" className="rounded-sm text-ink underline underline-offset-4">
        Change
      </Link>
    </>
  );
}

function EmptyTrash() {
  return (
    <EmptyState title="The trash is empty" Icon={Trash2}>
      <p>
        Files and folders that you delete stay here for a while. You can restore them with their
        URLs, links and visibility.
      </p>
    </EmptyState>
  );
}

const TrashSkeleton = () => (
  <div className="flex flex-col gap-2" aria-busy="true">
    {[1, 2, 3, 4, 5].map((line) => (
      <Skeleton key={line} className="h-15" />
    ))}
  </div>
);

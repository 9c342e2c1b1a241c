import { Skeleton } from "../../components/skeleton.tsx";
import type { Layout } from "./state/view.ts";

const LINES = Array.from({ length: 8 }, (_, line) => `line-${line}`);

/** Loading placeholder of a folder. */
export function FolderSkeleton({ layout }: { readonly layout: Layout }) {
  if (layout === "grid") {
    return (
      <div
        aria-busy="true"
        className="grid grid-cols-2 gap-4 p-4 sm:grid-cols-[repeat(auto-fill,minmax(11.5rem,1fr))] md:px-6"
      >
        {LINES.map((line) => (
          <Skeleton key={line} className="h-48 rounded-lg" />
        ))}
      </div>
    );
  }
  return (
    <div aria-busy="true" className="flex-1 pt-9">
      {LINES.map((line) => (
        <div
          key={line}
          className="flex h-13 items-center gap-3 border-line/55 border-b px-4 sm:h-9 pointer-coarse:h-15 pointer-coarse:sm:h-11 md:px-6"
        >
          <Skeleton className="size-4 rounded-sm" />
          <Skeleton className="size-5" />
          <Skeleton className="h-3.5 w-48 max-w-[40%]" />
        </div>
      ))}
    </div>
  );
}

import { useLayoutEffect } from "react";
import { Skeleton } from "./skeleton.tsx";

/** Shown while a page's script loads. Hands its focus to the page, unless the page takes it itself. */
export function PageSkeleton() {
  useLayoutEffect(
    () => () => {
      if (document.activeElement?.id !== "content") return;
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        document.getElementById("content")?.focus({ preventScroll: true });
      });
    },
    [],
  );
  return (
    <main id="content" tabIndex={-1} aria-busy="true" className="flex-1 outline-none">
      <h1 className="sr-only">Loading</h1>
      <div className="flex h-14 items-center border-line border-b px-4 md:px-6">
        <Skeleton className="h-5 w-40" />
      </div>
    </main>
  );
}

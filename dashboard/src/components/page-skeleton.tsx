import { Skeleton } from "./skeleton.tsx";

/** While a page's script comes. */
export function PageSkeleton() {
  return (
    <main id="content" tabIndex={-1} aria-busy="true" className="flex-1 outline-none">
      <h1 className="sr-only">Loading</h1>
      <div className="flex h-14 items-center border-line border-b px-4 md:px-6">
        <Skeleton className="h-5 w-40" />
      </div>
    </main>
  );
}

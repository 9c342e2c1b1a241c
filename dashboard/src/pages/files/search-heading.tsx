import { displayName } from "../../text/key-parts.ts";
import type { FilesView } from "./state/view.ts";

/** The heading of the results of a search: where they are from. */
export function SearchHeading({ view: { key, scope } }: { readonly view: FilesView }) {
  return (
    <div className="flex min-w-0 flex-1 items-baseline gap-1.5 sm:gap-2">
      <h1 className="flex-none font-semibold text-base sm:text-lg">Search results</h1>
      <p className="min-w-0 truncate text-muted text-sm">
        {scope === "folder" && key !== "" ? (
          <>
            in “<bdi>{displayName(key)}</bdi>” and below
          </>
        ) : (
          "in all folders"
        )}
      </p>
    </div>
  );
}

import { SearchX } from "lucide-react";
import { EmptyState } from "../../components/empty-state.tsx";
import { displayName } from "../../text/key-parts.ts";
import { isFiltering } from "./state/search-filters.ts";
import type { FilesView } from "./state/view.ts";

/** Says what a search was for, and where. */
export function NoSearchResults({ view }: { readonly view: FilesView }) {
  const { key, query, filters, scope } = view;
  const filtered = isFiltering(filters);
  return (
    <EmptyState title="Nothing found" Icon={SearchX}>
      <p role="status" className="max-w-full break-words">
        {filtered ? "No file" : "No name"}{" "}
        {scope === "folder" && key !== "" && (
          <>
            in “<bdi>{displayName(key)}</bdi>”{" "}
          </>
        )}
        matches{" "}
        {query !== "" && (
          <>
            “<bdi>{query}</bdi>”{filtered && " and "}
          </>
        )}
        {filtered && "the filters"}.
        {query !== "" && !query.includes("*") && " Use * for any text, such as *.pdf."}
      </p>
    </EmptyState>
  );
}

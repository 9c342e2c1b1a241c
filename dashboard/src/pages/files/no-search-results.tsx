import { SearchX } from "lucide-react";
import { EmptyState } from "../../components/empty-state.tsx";

export function NoSearchResults({ text }: { readonly text: string }) {
  return (
    <EmptyState title="Nothing found" Icon={SearchX}>
      <p role="status" className="max-w-full break-words">
        No file or folder has “<bdi>{text}</bdi>” in its name. Search ignores case.
      </p>
    </EmptyState>
  );
}

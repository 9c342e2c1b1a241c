import { SearchX } from "lucide-react";
import { EmptyState } from "../../components/empty-state.tsx";

export function NoSearchResults({ text }: { readonly text: string }) {
  return (
    <EmptyState title="Nothing found" Icon={SearchX}>
      <p role="status" className="max-w-full break-words">
        No name has “<bdi>{text}</bdi>” in it, or the filters leave nothing. Use * for any text,
        such as *.pdf.
      </p>
    </EmptyState>
  );
}

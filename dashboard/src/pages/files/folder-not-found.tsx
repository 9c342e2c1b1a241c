import { FolderX } from "lucide-react";
import { useEffect } from "react";
import { queryClient } from "../../app/connection/client.ts";
import { Link } from "../../app/navigation/link.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { can } from "../../rights/rights.ts";

export function FolderNotFound({ path }: { readonly path: string }) {
  // The folder of a member's space may have another name.
  useEffect(() => {
    if (!can("admin")) void queryClient.invalidateQueries({ queryKey: ["session"] });
  }, []);
  return (
    <EmptyState
      title="Folder not found"
      Icon={FolderX}
      action={
        <Link to={path} className="font-medium text-accent underline underline-offset-4">
          Go to all files
        </Link>
      }
    >
      <p role="alert">It may have been renamed, moved or deleted.</p>
    </EmptyState>
  );
}

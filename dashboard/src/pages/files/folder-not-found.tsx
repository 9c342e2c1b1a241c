import { FolderX } from "lucide-react";
import { Link } from "../../app/link.tsx";
import { EmptyState } from "../../components/empty-state.tsx";

export function FolderNotFound({ path }: { readonly path: string }) {
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

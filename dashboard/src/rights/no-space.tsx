import { useIsFetching } from "@tanstack/react-query";
import { FolderClosed, RotateCw, Trash2 } from "lucide-react";
import { instanceName } from "../app/brand.ts";
import { queryClient } from "../app/connection/client.ts";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/empty-state.tsx";

/** Takes the place of a member's pages if it has no grant, or the folder of its space is in the trash. */
export function NoSpace({ isInTrash }: { readonly isInTrash: boolean }) {
  const isChecking = useIsFetching({ queryKey: ["session"] }) > 0;
  return (
    <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 overflow-y-auto outline-none">
      <div className="m-auto w-full">
        <h1 className="sr-only">Files</h1>
        <EmptyState
          title={isInTrash ? "Your folder is in the trash" : "No folder is shared with you yet"}
          Icon={isInTrash ? Trash2 : FolderClosed}
          action={
            <Button
              Icon={RotateCw}
              busy={isChecking}
              onClick={() => void queryClient.invalidateQueries({ queryKey: ["session"] })}
            >
              Check again
            </Button>
          }
        >
          <p>
            {isInTrash ? (
              "Ask an owner to restore it. Its files are kept until then."
            ) : (
              <>
                Ask an owner of {instanceName === "Holdall" ? "this instance" : instanceName} to
                give you access to a folder. It then appears here.
              </>
            )}
          </p>
        </EmptyState>
      </div>
    </main>
  );
}

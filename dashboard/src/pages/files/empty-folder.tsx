import { FolderOpen, FolderPlus, KeyRound } from "lucide-react";
import { basePath, navigateTo } from "../../app/navigation/location.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { can } from "../../rights/rights.ts";
import { shellQuote } from "../../sharing/link-snippets.ts";
import { UploadButton } from "../../uploads/choosing/upload-button.tsx";
import { NEEDS } from "./actions/needs.ts";

export interface EmptyFolderProps {
  readonly folderKey: string;
  readonly onNewFolder: () => void;
}

/** Shown in an empty folder: how to upload. */
export function EmptyFolder({ folderKey, onNewFolder }: EmptyFolderProps) {
  const siteUrl = location.origin + basePath;
  // With -F, curl would read the file that a name such as `@notes` leads to.
  const folder =
    folderKey === "" ? "" : ` \\\n  --form-string ${shellQuote(`folder=${folderKey}`)}`;
  return (
    <div className="flex min-h-0 flex-1 overflow-y-auto">
      <div className="m-auto w-full">
        <EmptyState
          title={titleOf(folderKey)}
          Icon={FolderOpen}
          action={
            <>
              {can("write") && <UploadButton folderKey={folderKey} />}
              <Button size="sm" needs={NEEDS.write} Icon={FolderPlus} onClick={onNewFolder}>
                New folder
              </Button>
              <Button
                size="sm"
                needs={NEEDS.write}
                Icon={KeyRound}
                onClick={() => navigateTo("/keys")}
              >
                Create API key
              </Button>
            </>
          }
        >
          {can("write") ? (
            <>
              <p className="pointer-coarse:hidden">
                Drop files or folders anywhere on this page, or paste an image.
              </p>
              <p>Apps upload over the API with their own key:</p>
              <CodeBlock
                label="curl"
                code={`curl -f ${siteUrl}/api/files \\\n  -H "API-Key: hd_…" \\\n  -F files=@photo.jpg${folder}`}
              />
            </>
          ) : (
            <p>What others put here appears by itself.</p>
          )}
        </EmptyState>
      </div>
    </div>
  );
}

function titleOf(folderKey: string): string {
  if (!can("list")) return "You can upload here, but not see what is here";
  return folderKey === "" ? "No files yet" : "This folder is empty";
}

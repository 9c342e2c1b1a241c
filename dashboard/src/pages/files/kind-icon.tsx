import { Folder } from "lucide-react";
import { mediaKind } from "../../../../server/rules/media-kind.ts";
import { MEDIA_KINDS } from "../../components/media-kinds.ts";
import type { Entry } from "./data/entry.ts";

export interface KindIconProps {
  readonly entry: Entry;
  readonly className?: string;
}

/** The icon of an entry's kind. */
export function KindIcon({ entry, className = "size-5" }: KindIconProps) {
  return entry.kind === "folder" ? (
    <FolderIcon className={className} />
  ) : (
    <FileKindIcon mimeType={entry.file.mimeType} className={className} />
  );
}

export const FolderIcon = ({ className }: { readonly className: string }) => (
  <Folder
    aria-hidden
    strokeWidth={1.5}
    className={`flex-none fill-current/15 text-kind-folder ${className}`}
  />
);

export interface FileKindIconProps {
  readonly mimeType: string;
  readonly className: string;
}

/** The icon of a media type. */
export function FileKindIcon({ mimeType, className }: FileKindIconProps) {
  const { Icon, text } = MEDIA_KINDS[mediaKind(mimeType)];
  return <Icon aria-hidden strokeWidth={1.5} className={`flex-none ${text} ${className}`} />;
}

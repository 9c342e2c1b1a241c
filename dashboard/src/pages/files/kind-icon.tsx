import {
  File,
  FileArchive,
  FileAudio,
  FileCode,
  FileImage,
  FilePlay,
  FileText,
  Folder,
  type LucideIcon,
} from "lucide-react";
import type { Entry } from "./data/entry.ts";
import { type Kind, kindOf } from "./data/kind.ts";

const ICONS: Record<Kind, { readonly Icon: LucideIcon; readonly color: string }> = {
  image: { Icon: FileImage, color: "text-kind-image" },
  video: { Icon: FilePlay, color: "text-kind-video" },
  audio: { Icon: FileAudio, color: "text-kind-audio" },
  document: { Icon: FileText, color: "text-kind-document" },
  archive: { Icon: FileArchive, color: "text-kind-archive" },
  code: { Icon: FileCode, color: "text-kind-code" },
  other: { Icon: File, color: "text-kind-other" },
};

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
  const { Icon, color } = ICONS[kindOf(mimeType)];
  return <Icon aria-hidden strokeWidth={1.5} className={`flex-none ${color} ${className}`} />;
}

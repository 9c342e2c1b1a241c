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

const ICONS: Record<Kind, { readonly Icon: LucideIcon; readonly colour: string }> = {
  image: { Icon: FileImage, colour: "text-kind-image" },
  video: { Icon: FilePlay, colour: "text-kind-video" },
  audio: { Icon: FileAudio, colour: "text-kind-audio" },
  document: { Icon: FileText, colour: "text-kind-document" },
  archive: { Icon: FileArchive, colour: "text-kind-archive" },
  code: { Icon: FileCode, colour: "text-kind-code" },
  other: { Icon: File, colour: "text-kind-other" },
};

export interface KindIconProps {
  readonly entry: Entry;
  readonly className?: string;
}

/** The icon of an entry's kind. */
export function KindIcon({ entry, className = "size-5" }: KindIconProps) {
  if (entry.kind === "folder") {
    return (
      <Folder
        aria-hidden
        strokeWidth={1.5}
        className={`flex-none fill-current/15 text-kind-folder ${className}`}
      />
    );
  }
  const { Icon, colour } = ICONS[kindOf(entry.file.mimeType)];
  return <Icon aria-hidden strokeWidth={1.5} className={`flex-none ${colour} ${className}`} />;
}

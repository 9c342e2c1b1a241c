import {
  File,
  FileArchive,
  FileAudio,
  FileCode,
  FileImage,
  FilePlay,
  FileText,
  type LucideIcon,
} from "lucide-react";
import type { MediaKind } from "../../../sdk/src/holdall.ts";

export interface MediaKindStyle {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly text: string;
  readonly fill: string;
}

/** Labels, icons and colors of the media kinds. */
export const MEDIA_KINDS: Record<MediaKind, MediaKindStyle> = {
  image: { label: "Images", Icon: FileImage, text: "text-kind-image", fill: "bg-kind-image" },
  video: { label: "Videos", Icon: FilePlay, text: "text-kind-video", fill: "bg-kind-video" },
  audio: { label: "Audio", Icon: FileAudio, text: "text-kind-audio", fill: "bg-kind-audio" },
  document: {
    label: "Documents",
    Icon: FileText,
    text: "text-kind-document",
    fill: "bg-kind-document",
  },
  text: { label: "Text and code", Icon: FileCode, text: "text-kind-code", fill: "bg-kind-code" },
  archive: {
    label: "Archives",
    Icon: FileArchive,
    text: "text-kind-archive",
    fill: "bg-kind-archive",
  },
  other: { label: "Other", Icon: File, text: "text-kind-other", fill: "bg-kind-other" },
};

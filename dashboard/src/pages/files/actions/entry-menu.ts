import {
  CodeXml,
  Copy,
  CopyPlus,
  Download,
  ExternalLink,
  FilePenLine,
  Files,
  FolderInput,
  FolderOpen,
  Info,
  Link2,
  type LucideIcon,
  Maximize2,
  Pencil,
  Trash2,
} from "lucide-react";
import { holdall } from "../../../app/client.ts";
import type { MenuItem } from "../../../components/menus/menu-item.ts";
import type { Entry } from "../data/entry.ts";
import { isText } from "../preview/preview-kind.ts";
import { VISIBILITIES } from "../visibility-mark.tsx";
import { copyLabel, copyLinkTo, copyUrl } from "./copy-url.ts";
import type { FilesActions } from "./files-actions.ts";

/** The menu of one entry. */
export function entryMenu(entry: Entry, actions: FilesActions): MenuItem[] {
  const common: MenuItem[] = [
    { label: "Rename", Icon: Pencil, shortcut: "F2", onSelect: () => actions.rename(entry) },
    { label: "Move to…", Icon: FolderInput, onSelect: () => actions.move([entry]) },
    { label: "Copy to…", Icon: Files, onSelect: () => actions.copy([entry]) },
    { label: "Duplicate", Icon: CopyPlus, onSelect: () => actions.duplicate([entry]) },
  ];
  const share: MenuItem = {
    label: "Share…",
    Icon: Link2,
    onSelect: () => actions.share(entry),
  };
  const remove: MenuItem = {
    label: "Delete",
    Icon: Trash2,
    shortcut: "Del",
    tone: "danger",
    separated: true,
    onSelect: () => actions.remove([entry]),
  };
  const openAs = (Icon: LucideIcon): MenuItem => ({
    label: "Open",
    Icon,
    shortcut: "Enter",
    isForMenus: true,
    onSelect: () => actions.open(entry),
  });
  if (entry.kind === "folder") {
    return [
      openAs(FolderOpen),
      {
        label: "Download as zip",
        Icon: Download,
        onSelect: () => actions.download([entry]),
      },
      {
        label: "Copy link",
        Icon: Copy,
        separated: true,
        onSelect: () => void copyLinkTo(Promise.resolve({ kind: "folder", folder: entry.folder })),
      },
      share,
      ...common,
      {
        label: "Visibility…",
        Icon: VISIBILITIES.public.Icon,
        onSelect: () => actions.visibility([entry]),
      },
      remove,
    ];
  }
  const { file } = entry;
  const opposite = file.visibility === "public" ? "private" : "public";
  return [
    openAs(Maximize2),
    {
      label: "Open in a new tab",
      Icon: ExternalLink,
      onSelect: () => window.open(holdall.url(file), "_blank", "noopener"),
    },
    ...(isText(file)
      ? [{ label: "Edit", Icon: FilePenLine, onSelect: () => actions.edit(file) }]
      : []),
    { label: "Download", Icon: Download, onSelect: () => actions.download([entry]) },
    {
      label: copyLabel(file),
      Icon: Copy,
      separated: true,
      onSelect: () => void copyUrl(file),
    },
    share,
    { label: "Embed…", Icon: CodeXml, onSelect: () => actions.embed(file) },
    ...common,
    {
      label: opposite === "private" ? "Make private" : "Make public",
      Icon: VISIBILITIES[opposite].Icon,
      onSelect: () => actions.setVisibility([entry], opposite),
    },
    { label: "Details", shortcut: "I", Icon: Info, onSelect: () => actions.details(file) },
    remove,
  ];
}

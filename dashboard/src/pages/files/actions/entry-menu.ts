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
import { holdall } from "../../../app/connection/client.ts";
import type { MenuItem } from "../../../components/menus/menu-item.ts";
import type { Entry } from "../data/entry.ts";
import { isText } from "../preview/preview-kind.ts";
import { VISIBILITIES } from "../visibility-mark.tsx";
import { copyLabel, copyLinkTo, copyUrl } from "./copy-url.ts";
import type { FilesActions } from "./files-actions.ts";
import { NEEDS, needsOfCopying } from "./needs.ts";

/** The menu of one entry. */
export function entryMenu(entry: Entry, actions: FilesActions): MenuItem[] {
  const copies = entry.kind === "folder" ? NEEDS.copyFolder : NEEDS.copy;
  const common: MenuItem[] = [
    {
      label: "Rename",
      needs: NEEDS.write,
      Icon: Pencil,
      shortcut: "F2",
      onSelect: () => actions.rename(entry),
    },
    {
      label: "Move to…",
      needs: NEEDS.write,
      Icon: FolderInput,
      onSelect: () => actions.move([entry]),
    },
    { label: "Copy to…", needs: copies, Icon: Files, onSelect: () => actions.copy([entry]) },
    {
      label: "Duplicate",
      needs: copies,
      Icon: CopyPlus,
      onSelect: () => actions.duplicate([entry]),
    },
  ];
  const share: MenuItem = {
    label: "Share…",
    needs: NEEDS.share,
    Icon: Link2,
    onSelect: () => actions.share(entry),
  };
  const remove: MenuItem = {
    label: "Delete",
    needs: NEEDS.remove,
    Icon: Trash2,
    shortcut: "Del",
    tone: "danger",
    separated: true,
    onSelect: () => actions.remove([entry]),
  };
  const details: MenuItem = {
    label: "Details",
    shortcut: "I",
    Icon: Info,
    onSelect: () => actions.details(entry),
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
        needs: NEEDS.zip,
        Icon: Download,
        onSelect: () => actions.download([entry]),
      },
      {
        label: "Copy link",
        needs: NEEDS.share,
        Icon: Copy,
        separated: true,
        onSelect: () => void copyLinkTo(Promise.resolve({ kind: "folder", folder: entry.folder })),
      },
      share,
      ...common,
      {
        label: "Visibility…",
        needs: NEEDS.write,
        Icon: VISIBILITIES.public.Icon,
        onSelect: () => actions.visibility([entry]),
      },
      details,
      remove,
    ];
  }
  const { file } = entry;
  const downloads = file.visibility === "public" ? undefined : NEEDS.read;
  const opposite = file.visibility === "public" ? "private" : "public";
  return [
    openAs(Maximize2),
    {
      label: "Open in a new tab",
      Icon: ExternalLink,
      onSelect: () => window.open(holdall.url(file), "_blank", "noopener"),
    },
    ...(isText(file)
      ? [
          {
            label: "Edit",
            needs: NEEDS.edit,
            Icon: FilePenLine,
            onSelect: () => actions.edit(file),
          },
        ]
      : []),
    {
      label: "Download",
      needs: downloads,
      Icon: Download,
      onSelect: () => actions.download([entry]),
    },
    {
      label: copyLabel(file),
      needs: needsOfCopying(file),
      Icon: Copy,
      separated: true,
      onSelect: () => void copyUrl(file),
    },
    share,
    { label: "Embed…", needs: downloads, Icon: CodeXml, onSelect: () => actions.embed(file) },
    ...common,
    {
      needs: NEEDS.write,
      label: opposite === "private" ? "Make private" : "Make public",
      Icon: VISIBILITIES[opposite].Icon,
      onSelect: () => actions.setVisibility([entry], opposite),
    },
    details,
    remove,
  ];
}

import { type ReactNode, useState } from "react";
import type { FileObject, FileVersion } from "../../../../../sdk/src/holdall.ts";
import { DeleteVersionDialog } from "./delete-version-dialog.tsx";
import { VersionPreviewDialog } from "./version-preview-dialog.tsx";

interface VersionDialogs {
  readonly onPreview: (version: FileVersion) => void;
  readonly onDelete: (version: FileVersion) => void;
}

/** The dialogs of a file's versions, one at a time: to be rendered outside of forms. */
export function useVersionDialogs(file: FileObject): [VersionDialogs, ReactNode] {
  const [opened, setOpened] = useState<{ version: FileVersion; dialog: "preview" | "delete" }>();
  const onClose = () => setOpened(undefined);
  const VersionDialog = opened?.dialog === "delete" ? DeleteVersionDialog : VersionPreviewDialog;
  return [
    {
      onPreview: (version) => setOpened({ version, dialog: "preview" }),
      onDelete: (version) => setOpened({ version, dialog: "delete" }),
    },
    opened && <VersionDialog file={file} version={opened.version} onClose={onClose} />,
  ];
}

import type { ReactNode } from "react";
import { formatBytes } from "../../../../../contract/text/format-bytes.ts";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { Timestamp } from "../../../components/timestamp.tsx";
import { VisibilityMark } from "../visibility-mark.tsx";
import { DetailList } from "./detail-list.tsx";

export interface FileFactsProps {
  readonly file: FileObject;
  /** Facts of its content, after the size. */
  readonly more?: readonly (readonly [name: string, value: ReactNode])[];
}

/** The facts about a file that the list knows. */
export const FileFacts = ({ file, more = [] }: FileFactsProps) => (
  <DetailList
    items={[
      ["Type", file.mimeType],
      ["Size", `${formatBytes(file.size)}${exactBytes(file.size)}`],
      ...more,
      [
        "Visibility",
        <VisibilityMark key="visibility" visibility={file.visibility} className="text-sm!" />,
      ],
      ["Folder", <bdi key="folder">{file.key.slice(0, -file.name.length - 1) || "Files"}</bdi>],
      ["Added", <Timestamp key="added" at={file.createdAt} length="long" />],
      ["Modified", <Timestamp key="modified" at={file.updatedAt} length="long" />],
      [
        "ID",
        <code key="id" className="break-all text-xs">
          {file.id}
        </code>,
      ],
    ]}
  />
);

const exactBytes = (size: number): string =>
  size > 999 ? ` (${size.toLocaleString()} bytes)` : "";

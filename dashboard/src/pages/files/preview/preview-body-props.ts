import type { FileObject } from "@holdall/sdk";

export interface PreviewBodyProps {
  readonly file: FileObject;
}

import type { FileObject } from "../../../../../sdk/src/holdall.ts";

export interface PreviewBodyProps {
  readonly file: FileObject;
}

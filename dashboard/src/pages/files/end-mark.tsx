import { Hourglass } from "lucide-react";
import type { FileObject } from "../../../../sdk/src/holdall.ts";
import { formatEnd } from "../../text/format-end.ts";
import { formatFullTimestamp } from "../../text/timestamp.ts";

/** Says of a file that ends when it does. */
export function EndMark({ file: { expiresAt } }: { readonly file: FileObject }) {
  if (!expiresAt) return null;
  return (
    <span
      data-tooltip={`It moves to the trash ${formatFullTimestamp(expiresAt)}`}
      className="ml-auto inline-flex flex-none items-center gap-1 whitespace-nowrap text-muted text-xs [&+*]:ml-3!"
    >
      <Hourglass aria-hidden className="size-3.5 flex-none" />
      {formatEnd(expiresAt)}
    </span>
  );
}

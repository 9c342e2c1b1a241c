import { Copy, WrapText } from "lucide-react";
import { useState } from "react";
import { formatBytes } from "../../../../../../contract/text/format-bytes.ts";
import type { FileObject } from "../../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../../app/connection/client.ts";
import { Button } from "../../../../components/button.tsx";
import { Segmented } from "../../../../components/fields/segmented.tsx";
import { IconButton } from "../../../../components/icon-button.tsx";
import { showErrorToast, showToast } from "../../../../components/toast-store.ts";
import { copyText } from "../../../../text/copy-text.ts";
import { decodeText } from "./decode-text.ts";
import { EncodingSelect } from "./encoding-select.tsx";
import type { FileText } from "./use-text.ts";

const MAX_COPY_BYTES = 20_000_000;

export interface TextToolbarProps<Mode extends string> {
  readonly file: FileObject;
  readonly content: FileText;
  /** The ways to show the text; undefined: there is only one. */
  readonly modes: readonly { readonly value: Mode; readonly label: string }[] | undefined;
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  /** Undefined if there are no long lines to break. */
  readonly wrap: boolean | undefined;
  readonly onWrap: (wrap: boolean) => void;
}

/** Above a text: how it is shown, and a button to copy all of it. */
export function TextToolbar<Mode extends string>(props: TextToolbarProps<Mode>) {
  const { file, content, modes, mode, onMode, wrap, onWrap } = props;
  const { copy, isCopying } = useCopyAll(file, content);
  return (
    <div className="flex min-h-12 flex-none items-center gap-2 border-line border-b px-2 py-1.5 sm:px-4">
      {modes && <Segmented label="View as" options={modes} value={mode} onChange={onMode} />}
      <span className="min-w-0 flex-1 truncate text-muted text-xs">
        {content.encoding !== "UTF-8" && content.chosenEncoding === undefined && content.encoding}
      </span>
      {(content.encoding !== "UTF-8" || content.chosenEncoding !== undefined) && (
        <EncodingSelect content={content} />
      )}
      {wrap !== undefined && (
        <IconButton
          label="Wrap long lines"
          Icon={WrapText}
          aria-pressed={wrap}
          onClick={() => onWrap(!wrap)}
          className="aria-pressed:bg-press aria-pressed:text-ink"
        />
      )}
      <Button size="sm" Icon={Copy} busy={isCopying} disabled={file.size === 0} onClick={copy}>
        Copy all
      </Button>
    </div>
  );
}

/** Copies the whole text, also what has not been loaded. */
function useCopyAll(file: FileObject, { text, hasMore, chosenEncoding }: FileText) {
  const [isCopying, setCopying] = useState(false);
  const read = async () => {
    if (text !== undefined && !hasMore) return text;
    if (file.size > MAX_COPY_BYTES) {
      throw new Error(
        `This text is larger than ${formatBytes(MAX_COPY_BYTES)}, which is too much to copy. Download it instead.`,
      );
    }
    const { response } = await holdall.files.download(file.id);
    const contentType = response.headers.get("content-type");
    const bytes = new Uint8Array(await response.arrayBuffer());
    return decodeText([bytes], { chosen: chosenEncoding, contentType }).text;
  };
  const copy = () => {
    setCopying(true);
    read()
      .then(copyText)
      .then(() => showToast("Text copied."), showErrorToast)
      .finally(() => setCopying(false));
  };
  return { copy, isCopying };
}

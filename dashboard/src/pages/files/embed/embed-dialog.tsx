import { useQuery } from "@tanstack/react-query";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { formatBytes } from "../../../../../contract/text/format-bytes.ts";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { settingsQuery } from "../../../app/session/settings-query.ts";
import { Button } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { Dialog } from "../../../components/dialogs/dialog.tsx";
import { ChoiceList } from "../../../components/fields/choice-list.tsx";
import { Segmented } from "../../../components/fields/segmented.tsx";
import { Notice } from "../../../components/notice.tsx";
import { showErrorToast } from "../../../components/toast-store.ts";
import { Toasts } from "../../../components/toasts.tsx";
import { copyText } from "../../../text/copy-text.ts";
import { NEEDS } from "../actions/needs.ts";
import { readMediaFacts } from "../details/read-media-facts.ts";
import { SCALED } from "../grid/image-thumbnail.tsx";
import { useObjectUrl } from "../grid/use-object-url.ts";
import { type Dimensions, embedSnippets, scaledTo } from "./embed-snippets.ts";
import { lastingUrlOf } from "./lasting-url-of.ts";

const SIZES = [
  { value: "original", label: "Original" },
  { value: "large", label: "Large" },
  { value: "medium", label: "Medium" },
  { value: "small", label: "Small" },
] as const;

type Size = (typeof SIZES)[number]["value"];

export interface EmbedDialogProps {
  readonly file: FileObject;
  readonly onMakePublic: () => void;
  readonly onClose: () => void;
}

/** Shows snippets that embed a file in pages, texts and programs. A click on a snippet copies it. */
export function EmbedDialog({ file, onMakePublic, onClose }: EmbedDialogProps) {
  const isPrivate = file.visibility === "private";
  const isScaled = SCALED.test(file.mimeType);
  const [size, setSize] = useState<Size>("original");
  const [wantsLasting, setWantsLasting] = useState(false);
  const [format, setFormat] = useState<string>();
  const settings = useQuery(settingsQuery).data ?? undefined;
  const facts = useQuery({
    queryKey: ["media facts", file.id, file.updatedAt],
    queryFn: ({ signal }) => readMediaFacts(file, signal),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const lasting = useQuery({
    queryKey: ["lasting url", file.id, file.updatedAt],
    queryFn: ({ signal }) => lastingUrlOf(file, signal),
    enabled: !isPrivate,
  }).data;

  const base = wantsLasting && lasting ? lasting : holdall.url(file);
  const urlIn = (size: Size) => withSize(base, size);
  const whole =
    facts?.width && facts.height ? { width: facts.width, height: facts.height } : undefined;
  const limits = settings && {
    small: settings.smallImageSize.value,
    medium: settings.mediumImageSize.value,
    large: settings.largeImageSize.value,
  };
  const dimensionsIn = (size: Size): Dimensions | undefined => {
    if (whole === undefined || size === "original") return whole;
    return limits && scaledTo(whole, limits[size]);
  };
  const chosen = dimensionsIn(size);
  const candidates = isScaled && chosen ? candidatesUpTo(chosen.width) : [];
  const snippets = embedSnippets({
    name: file.name,
    mimeType: file.mimeType,
    isPrivate,
    url: urlIn(size),
    dimensions: chosen,
    candidates: candidates.length > 1 ? candidates : [],
  });
  const shown = snippets.find((each) => each.format === format) ?? snippets[0];

  function candidatesUpTo(width: number) {
    const sizes = (["small", "medium", "large", "original"] as const).flatMap((each) => {
      const dimensions = dimensionsIn(each);
      return dimensions ? [{ url: urlIn(each), width: dimensions.width }] : [];
    });
    // A size that is not smaller than the next one is the same image.
    const distinct = sizes.filter((each, at) => each.width < (sizes[at + 1]?.width ?? Infinity));
    return distinct.filter((each) => each.width <= width);
  }

  return (
    <Dialog
      wide
      title={
        <>
          Embed “<bdi className="break-all">{file.name}</bdi>”
        </>
      }
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {isPrivate && (
        <Notice tone="warn">
          <p>
            This file is private, so pages that embed it show nothing: only curl, with an API key,
            works. Make the file public, or give people a link with Share.
          </p>
          <Button size="sm" needs={NEEDS.write} className="mt-2" onClick={onMakePublic}>
            Make public
          </Button>
        </Notice>
      )}
      {isScaled && (
        <section aria-label="Size" className="flex flex-col gap-3 sm:flex-row sm:items-center">
          <SizePreview file={file} size={size} dimensions={chosen} />
          <Segmented label="Size" options={SIZES} value={size} onChange={setSize} />
        </section>
      )}
      {!isPrivate && (
        <ChoiceList
          legend="URL"
          isLegendHidden
          value={wantsLasting && lasting ? "lasting" : "current"}
          onChange={(value) => setWantsLasting(value === "lasting")}
          choices={[
            {
              value: "current",
              label: "Always the current content",
              hint: "Browsers ask whether it has changed.",
            },
            ...(lasting
              ? [
                  {
                    value: "lasting" as const,
                    label: "Lasting, with ?v=",
                    hint: "Browsers and CDNs keep it for a year. Embed it again after a change.",
                  },
                ]
              : []),
          ]}
        />
      )}
      <fieldset aria-label="Formats" className="flex flex-wrap gap-1.5">
        {snippets.map((snippet) => (
          <FormatButton
            key={snippet.format}
            {...snippet}
            isShown={snippet.format === shown?.format}
            onShow={() => setFormat(snippet.format)}
          />
        ))}
      </fieldset>
      {shown && <CodeBlock label={shown.format} code={shown.code} />}
      <Toasts />
    </Dialog>
  );
}

interface FormatButtonProps {
  readonly format: string;
  readonly code: string;
  readonly isShown: boolean;
  readonly onShow: () => void;
}

/** Shows a format, and copies it at once. */
function FormatButton({ format, code, isShown, onShow }: FormatButtonProps) {
  const [copied, setCopied] = useState<string>();
  const isCopied = copied === code && isShown;
  return (
    <Button
      size="sm"
      Icon={isCopied ? Check : Copy}
      aria-pressed={isShown}
      aria-label={isCopied ? `${format} copied` : `Copy ${format}`}
      className="aria-pressed:border-accent! aria-pressed:bg-accent-soft!"
      onClick={() => {
        onShow();
        copyText(code).then(() => setCopied(code), showErrorToast);
      }}
    >
      {format}
    </Button>
  );
}

interface SizePreviewProps {
  readonly file: FileObject;
  readonly size: Size;
  readonly dimensions: Dimensions | undefined;
}

/** The image in the chosen size, with what it weighs. */
function SizePreview({ file, size, dimensions }: SizePreviewProps) {
  const { data, error } = useQuery({
    queryKey: ["embedded", file.id, file.updatedAt, size],
    queryFn: ({ signal }) => holdall.image(file, size === "original" ? "large" : size, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const url = useObjectUrl(data);
  const bytes = size === "original" ? file.size : data?.size;
  return (
    <figure className="flex min-w-0 flex-1 items-center gap-3">
      <div className="grid size-28 flex-none place-items-center overflow-hidden rounded-md border border-line bg-hover">
        {url && <img src={url} alt="" className="max-h-full max-w-full object-contain" />}
      </div>
      <figcaption className="min-w-0 text-muted text-sm tabular-nums">
        {dimensions && (
          <span className="block">
            {dimensions.width} × {dimensions.height} px
          </span>
        )}
        {error ? error.message : bytes !== undefined && formatBytes(bytes)}
      </figcaption>
    </figure>
  );
}

function withSize(url: string, size: Size): string {
  if (size === "original") return url;
  return `${url}${url.includes("?") ? "&" : "?"}size=${size}`;
}

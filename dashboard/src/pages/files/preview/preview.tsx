import { useQuery } from "@tanstack/react-query";
import {
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";
import { deferred } from "../../../app/deferred.tsx";
import { Failure } from "../../../components/failure.tsx";
import { Spinner } from "../../../components/spinner.tsx";
import type { FilesActions } from "../actions/files-actions.ts";
import { entryOfFile } from "../data/entry.ts";
import { AudioPreview } from "./audio-preview.tsx";
import { DetailsPreview } from "./details-preview.tsx";
import { ImagePreview } from "./image-preview.tsx";
import type { PreviewBodyProps } from "./preview-body-props.ts";
import { PreviewHeader } from "./preview-header.tsx";
import { type PreviewKind, previewKind } from "./preview-kind.ts";
import { VideoPreview } from "./video-preview.tsx";

const KINDS: Record<
  PreviewKind,
  ComponentType<PreviewBodyProps & { readonly fallback?: ReactNode }>
> = {
  image: ImagePreview,
  video: VideoPreview,
  audio: AudioPreview,
  details: DetailsPreview,
  pdf: deferred(async () => (await import("./pdf-preview.tsx")).PdfPreview),
  text: deferred(async () => (await import("./text-preview.tsx")).TextPreview),
  markdown: deferred(async () => (await import("./markdown-preview.tsx")).MarkdownPreview),
};

export interface PreviewProps {
  readonly id: string;
  /** The loaded files of the list, to step through. */
  readonly files: readonly FileObject[];
  readonly actions: FilesActions;
  readonly onShow: (id: string) => void;
  readonly onNearEnd: () => void;
  readonly onClose: () => void;
}

/** A full-window preview of a file, with keys to step through the list. */
export function Preview({ id, files, actions, onShow, onNearEnd, onClose }: PreviewProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const index = files.findIndex((each) => each.id === id);
  const listed = files[index];
  const last = useRef(listed);
  if (listed !== undefined) last.current = listed;
  // Just removed from the list; its successor is about to be shown.
  const known = listed ?? (last.current?.id === id ? last.current : undefined);
  const read = useQuery({
    queryKey: ["file", id],
    queryFn: ({ signal }) => holdall.files.get(id, { signal }),
    enabled: known === undefined,
  });
  const file = known ?? read.data;
  const previous = index > 0 ? files[index - 1] : undefined;
  const next = index >= 0 ? files[index + 1] : undefined;

  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  useEffect(() => {
    if (index >= 0 && index >= files.length - 3) onNearEnd();
  }, [index, files.length, onNearEnd]);
  useStepAfterDeletion({ index, files, onShow, onClose });

  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const isOwn = event.target instanceof Element && event.target.closest("video, audio, input");
    const to = { ArrowLeft: previous, ArrowRight: next }[event.key];
    if (to !== undefined && !isOwn) onShow(to.id);
    else if (event.key === "Delete" && file) actions.remove([entryOfFile(file)]);
    else if (event.key === "F2" && file) actions.rename(entryOfFile(file));
    else return;
    event.preventDefault();
  };

  const Body = file && KINDS[previewKind(file)];
  return (
    <dialog
      ref={ref}
      data-preview
      aria-label={file === undefined ? "Preview" : `Preview of ${file.name}`}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={press}
      className="m-0 h-dvh max-h-none w-dvw max-w-none animate-fade bg-canvas p-0 text-ink open:flex open:flex-col"
    >
      <PreviewHeader
        file={file}
        place={index < 0 ? undefined : `${index + 1} of ${files.length}`}
        previous={previous}
        next={next}
        onShow={onShow}
        actions={actions}
        onClose={onClose}
      />
      <div className="relative flex min-h-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          {Body && file ? (
            <Body key={`${file.id} ${file.updatedAt}`} file={file} fallback={<Waiting />} />
          ) : read.error ? (
            <Failure
              title="Couldn't load the file"
              error={read.error}
              onRetry={() => void read.refetch()}
            />
          ) : (
            <Waiting />
          )}
        </div>
      </div>
    </dialog>
  );
}

function Waiting() {
  return (
    <div className="m-auto text-muted">
      <Spinner />
    </div>
  );
}

interface DeletionInput {
  readonly index: number;
  readonly files: readonly FileObject[];
  readonly onShow: (id: string) => void;
  readonly onClose: () => void;
}

/** After a deletion, shows the file that took the deleted one's position, or closes the preview. */
function useStepAfterDeletion({ index, files, onShow, onClose }: DeletionInput): void {
  const before = useRef({ index, count: files.length });
  useEffect(() => {
    const { index: was, count } = before.current;
    before.current = { index, count: files.length };
    if (was < 0 || index >= 0 || files.length >= count) return;
    const next = files[Math.min(was, files.length - 1)];
    if (next === undefined) onClose();
    else onShow(next.id);
  }, [index, files, onShow, onClose]);
}

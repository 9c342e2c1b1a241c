import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import {
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import { HoldallError } from "../../../../../sdk/src/connection/error.ts";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { lazyComponent } from "../../../app/lazy-component.tsx";
import { navigateTo } from "../../../app/navigation/location.ts";
import { shortcutOf } from "../../../app/shortcuts/shortcuts.ts";
import { useStore } from "../../../app/store.ts";
import { useMediaQuery } from "../../../app/use-media-query.ts";
import { Button } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { LoadError } from "../../../components/load-error.tsx";
import { Spinner } from "../../../components/spinner.tsx";
import { showToast } from "../../../components/toast-store.ts";
import { Toasts } from "../../../components/toasts.tsx";
import type { FilesActions } from "../actions/files-actions.ts";
import { forgetOwnChange, isOwnChange } from "../actions/own-changes.ts";
import { entryOfFile } from "../data/entry.ts";
import { detailsStore, toggleDetails } from "../details/details-store.ts";
import { AudioPreview } from "./audio-preview.tsx";
import { DetailsPreview } from "./details-preview.tsx";
import { Filmstrip } from "./filmstrip.tsx";
import { filmstripStore, ROOM_FOR_FILMSTRIP } from "./filmstrip-store.ts";
import { ImagePreview } from "./image-preview.tsx";
import type { PreviewBodyProps } from "./preview-body-props.ts";
import { focusContent, useKeptFocus } from "./preview-focus.ts";
import { PreviewHeader } from "./preview-header.tsx";
import { isMedia, type PreviewKind, previewKind } from "./preview-kind.ts";
import { useSwipe } from "./use-swipe.ts";
import { VideoPreview } from "./video-preview.tsx";

const BODIES: Record<
  PreviewKind,
  ComponentType<PreviewBodyProps & { readonly fallback?: ReactNode }>
> = {
  image: ImagePreview,
  video: VideoPreview,
  audio: AudioPreview,
  details: DetailsPreview,
  pdf: lazyComponent(async () => (await import("./pdf/pdf-preview.tsx")).PdfPreview),
  zip: lazyComponent(async () => (await import("./zip/zip-preview.tsx")).ZipPreview),
  text: lazyComponent(async () => (await import("./text/text-preview.tsx")).TextPreview),
  markdown: lazyComponent(
    async () => (await import("./text/markdown-preview.tsx")).MarkdownPreview,
  ),
};

const DetailsPanel = lazyComponent(
  async () => (await import("../details/details-panel.tsx")).DetailsPanel,
);

export interface PreviewProps {
  readonly id: string;
  /** The loaded files of the list, to step through. */
  readonly files: readonly FileObject[];
  /** Whether files also leave the list because they no longer match, not only because they are gone. */
  readonly isFiltered: boolean;
  readonly actions: FilesActions;
  readonly onShow: (id: string) => void;
  readonly onNearEnd: () => void;
  readonly onClose: () => void;
}

/** A full-window preview of a file, with keys to step through the list. */
export function Preview(props: PreviewProps) {
  const { id, files, isFiltered, actions, onShow, onNearEnd, onClose } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const hasDetails = useStore(detailsStore);
  const index = files.findIndex((each) => each.id === id);
  const listed = files[index];
  const last = useRef(listed);
  if (listed !== undefined) last.current = listed;
  // Has left the list: its successor is about to be shown, unless it still exists.
  const known = listed ?? (last.current?.id === id ? last.current : undefined);
  const read = useQuery({
    queryKey: ["file", id],
    queryFn: ({ signal }) => holdall.files.get(id, { signal }),
    enabled: known === undefined || (isFiltered && listed === undefined),
    // Whether it still exists is to be known each time it leaves the list.
    staleTime: 0,
  });
  const file = listed ?? read.data ?? known;
  const previous = index > 0 ? files[index - 1] : undefined;
  const next = index >= 0 ? files[index + 1] : undefined;

  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    // Otherwise the browser would focus the first button.
    dialog.autofocus = true;
    dialog.showModal();
    // Content that was there before the dialog opened.
    focusContent(dialog);
    return () => dialog.close();
  }, []);
  useEffect(() => {
    if (index >= 0 && index >= files.length - 3) onNearEnd();
  }, [index, files.length, onNearEnd]);
  useEffect(() => forgetOwnChange(id), [id]);
  const isMissing = read.error instanceof HoldallError && read.error.status === 404;
  const isGone = !isFiltered || isMissing;
  useStepAfterDeletion({
    index,
    files,
    isGone,
    onShow(next) {
      if (!isOwnChange(id)) sayThatItIsGone(file);
      onShow(next);
    },
    onClose() {
      if (!isOwnChange(id)) sayThatItIsGone(file);
      onClose();
    },
  });
  useKeptFocus(ref);
  const content = useRef<HTMLDivElement>(null);
  useSwipe(content, (swipe) => {
    const to = { previous, next, close: undefined }[swipe];
    if (swipe === "close") onClose();
    else if (to !== undefined) onShow(to.id);
  });

  const handleKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const isMediaControl =
      event.target instanceof Element && event.target.closest("video, audio, input");
    const shortcut = shortcutOf("preview", event);
    if (shortcut === "previous" || shortcut === "next") {
      const to = { previous, next }[shortcut];
      if (to === undefined || isMediaControl) return;
      onShow(to.id);
    } else if (shortcut === "details" && !isMediaControl) {
      if (!event.repeat) toggleDetails();
    } else if (shortcut === "remove" && file) {
      if (!event.repeat) actions.remove([entryOfFile(file)]);
    } else if (shortcut === "rename" && file) actions.rename(entryOfFile(file));
    else return;
    event.preventDefault();
  };

  const kind = file && previewKind(file);
  const Body = kind && BODIES[kind];
  const isFilmstripOpen = useStore(filmstripStore);
  const hasRoom = useMediaQuery(ROOM_FOR_FILMSTRIP);
  const mayHaveFilmstrip = hasRoom && isMedia(kind) && index >= 0 && files.length > 1;
  return (
    <dialog
      ref={ref}
      data-preview
      tabIndex={-1}
      aria-label={file === undefined ? "Preview" : `Preview of ${file.name}`}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={handleKey}
      className="m-0 h-dvh max-h-none w-dvw max-w-none animate-fade overflow-hidden bg-canvas p-0 text-ink outline-none open:flex open:flex-col"
    >
      <PreviewHeader
        file={file}
        position={index < 0 ? undefined : `${index + 1} of ${files.length}`}
        previous={previous}
        next={next}
        mayHaveFilmstrip={mayHaveFilmstrip}
        isDark={isMedia(kind)}
        onShow={onShow}
        actions={actions}
        onClose={onClose}
      />
      <div className="relative flex min-h-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <div ref={content} className="relative flex min-h-0 flex-1 flex-col">
            {Body && file ? (
              <Body
                key={`${file.id} ${file.updatedAt}`}
                file={file}
                fallback={<LoadingSpinner />}
              />
            ) : isMissing ? (
              <GoneFile onClose={onClose} />
            ) : read.error ? (
              <LoadError
                title="Couldn't load the file"
                error={read.error}
                onRetry={() => void read.refetch()}
              />
            ) : (
              <LoadingSpinner />
            )}
          </div>
          {mayHaveFilmstrip && isFilmstripOpen && (
            <Filmstrip files={files} index={index} onShow={onShow} />
          )}
        </div>
        {hasDetails && file && (
          <DetailsPanel entries={[entryOfFile(file)]} folder={undefined} actions={actions} />
        )}
      </div>
      <Toasts />
    </dialog>
  );
}

/** In place of a file that was deleted, such as after an old link to its preview. */
function GoneFile({ onClose }: Pick<PreviewProps, "onClose">) {
  return (
    <div className="m-auto">
      <EmptyState
        title="This file no longer exists"
        Icon={Trash2}
        action={
          <>
            <Button onClick={onClose}>Show its folder</Button>
            <Button onClick={() => navigateTo("/trash")}>Look in the trash</Button>
          </>
        }
      >
        <p role="alert">
          It was deleted. If the trash still has it, it can be restored from there.
        </p>
      </EmptyState>
    </div>
  );
}

function LoadingSpinner() {
  return (
    <div className="m-auto text-muted">
      <Spinner />
    </div>
  );
}

/** The preview shows the next file now, which the user would take for the one that is gone. */
function sayThatItIsGone(file: FileObject | undefined): void {
  if (file !== undefined) showToast(`“${file.name}” was moved or deleted.`);
}

interface DeletionInput {
  readonly index: number;
  readonly files: readonly FileObject[];
  /** Whether a file that has left the list is gone. */
  readonly isGone: boolean;
  readonly onShow: (id: string) => void;
  readonly onClose: () => void;
}

/** After a deletion, shows the file that took the deleted one's position, or closes the preview. */
function useStepAfterDeletion({ index, files, isGone, onShow, onClose }: DeletionInput): void {
  const before = useRef({ index, count: files.length });
  /** The position of the file when it left the list. */
  const leftAt = useRef<number>(undefined);
  useEffect(() => {
    const { index: previousIndex, count } = before.current;
    before.current = { index, count: files.length };
    if (index >= 0) leftAt.current = undefined;
    else if (previousIndex >= 0 && files.length < count) leftAt.current = previousIndex;
    if (leftAt.current === undefined || !isGone) return;
    const next = files[Math.min(leftAt.current, files.length - 1)];
    leftAt.current = undefined;
    if (next === undefined) onClose();
    else onShow(next.id);
  }, [index, files, isGone, onShow, onClose]);
}

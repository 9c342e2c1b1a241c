import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from "react";
import { isMarkdown, textStructureOf } from "../../../../../contract/documents/text-structure.ts";
import { formatBytes } from "../../../../../contract/text/format-bytes.ts";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall, isStatus } from "../../../app/connection/client.ts";
import { lazyComponent } from "../../../app/lazy-component.tsx";
import { saveUrl } from "../../../app/save-url.ts";
import { settingsQuery } from "../../../app/session/settings-query.ts";
import { useMediaQuery } from "../../../app/use-media-query.ts";
import { Button } from "../../../components/button.tsx";
import { ConfirmDialog } from "../../../components/dialogs/confirm-dialog.tsx";
import { Segmented } from "../../../components/fields/segmented.tsx";
import { FocusArea } from "../../../components/focus-area.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { LoadError } from "../../../components/load-error.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Spinner } from "../../../components/spinner.tsx";
import { showToast } from "../../../components/toast-store.ts";
import { Toasts } from "../../../components/toasts.tsx";
import { TruncatedName } from "../../../components/truncated-name.tsx";
import { patchFiles } from "../data/patch-folders.ts";
import { decodeText } from "../preview/text/decode-text.ts";
import { ConflictView } from "./conflict-view.tsx";
import { keepDraft, readDraft } from "./drafts.ts";
import { type EditableText, toStored } from "./editable-text.ts";
import { jsonProblem } from "./json-problem.ts";
import {
  type LoadedText,
  loadLatest,
  loadText,
  MAX_EDITABLE_BYTES,
  saveText,
} from "./save-text.ts";
import { TextArea } from "./text-area.tsx";

const Markdown = lazyComponent(async () => (await import("../preview/text/markdown.tsx")).Markdown);

export interface EditDialogProps {
  readonly file: FileObject;
  readonly onClose: () => void;
}

/** Edits a text file in the whole window. */
export function EditDialog({ file, onClose }: EditDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isTooLarge = file.size > MAX_EDITABLE_BYTES;
  const [opened, setOpened] = useState(0);
  const loaded = useQuery({
    queryKey: ["editable", file.id, opened],
    queryFn: ({ signal }) => loadText(file.id, signal),
    enabled: !isTooLarge,
    staleTime: Number.POSITIVE_INFINITY,
    // The next editor is to start with what is stored then.
    gcTime: 0,
  });
  const [isAsking, setAsking] = useState(false);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const close = () => {
    if (readDraft(file.id) === undefined) onClose();
    else setAsking(true);
  };
  return (
    <dialog
      ref={dialog}
      aria-label={`Edit ${file.name}`}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onKeyDown={(event) => event.stopPropagation()}
      className="m-0 h-dvh max-h-none w-dvw max-w-none overflow-hidden bg-canvas p-0 text-ink open:flex open:flex-col"
    >
      {loaded.data?.editable ? (
        <Editor
          key={opened}
          file={file}
          loaded={loaded.data}
          original={loaded.data.editable}
          onReload={() => setOpened(opened + 1)}
          onClose={close}
        />
      ) : (
        <>
          <EditorHeader file={file} note={formatBytes(file.size)} onClose={close} />
          {isTooLarge ? (
            <TooLarge file={file} />
          ) : loaded.data ? (
            <ReadOnly file={file} bytes={loaded.data.bytes} />
          ) : loaded.error ? (
            <LoadError
              title="Couldn't load the text"
              error={loaded.error}
              onRetry={() => void loaded.refetch()}
            />
          ) : (
            <div className="m-auto text-muted">
              <Spinner />
            </div>
          )}
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Discard the changes?"
          confirmLabel="Discard"
          onConfirm={() => {
            keepDraft(file.id, undefined);
            onClose();
          }}
          onClose={() => setAsking(false)}
        >
          What you changed in “<bdi>{file.name}</bdi>” is not saved.
        </ConfirmDialog>
      )}
      <Toasts />
    </dialog>
  );
}

interface EditorHeaderProps {
  readonly file: FileObject;
  readonly note: string;
  readonly onClose: () => void;
  readonly children?: React.ReactNode;
}

function EditorHeader({ file, note, onClose, children }: EditorHeaderProps) {
  return (
    <header className="flex min-h-14 flex-none flex-wrap items-center gap-2 border-line border-b py-1.5 pr-2 pl-4">
      <div className="min-w-0 flex-1">
        <h2 className="font-semibold text-base leading-5">
          <TruncatedName name={file.name} />
        </h2>
        <p role="status" className="truncate text-muted text-xs">
          {note}
        </p>
      </div>
      {children}
      <IconButton label="Close the editor" Icon={X} onClick={onClose} />
    </header>
  );
}

const VIEWS = [
  { value: "text", label: "Write" },
  { value: "preview", label: "Preview" },
] as const;

interface EditorProps {
  readonly file: FileObject;
  readonly loaded: LoadedText;
  readonly original: EditableText;
  /** Starts again with what is stored now. */
  readonly onReload: () => void;
  readonly onClose: () => void;
}

function Editor({ file, loaded, original, onReload, onClose }: EditorProps) {
  const client = useQueryClient();
  const area = useRef<HTMLTextAreaElement>(null);
  const [draft] = useState(() => readDraft(file.id));
  const [text, setText] = useState(draft?.text ?? original.text);
  const [saved, setSaved] = useState({
    text: original.text,
    etag: draft === undefined ? loaded.etag : draft.etag,
  });
  const [latest, setLatest] = useState<LoadedText | "gone">();
  const [view, setView] = useState<"text" | "preview">("text");
  const isChanged = text !== saved.text;
  const settings = useQuery(settingsQuery).data;
  const { etag: savedEtag } = saved;
  useEffect(
    () => keepDraft(file.id, isChanged ? { text, etag: savedEtag } : undefined),
    [file.id, isChanged, text, savedEtag],
  );
  useEffect(() => area.current?.focus(), []);

  const save = useMutation({
    mutationFn: (etag: string) => saveText(file, toStored(original, text), etag),
    onSuccess: ({ file: stored, etag }) => {
      setSaved({ text, etag });
      setLatest(undefined);
      patchFiles(client, [stored]);
      showToast(
        settings?.keepVersions.value ? "Saved. The text before is kept as a version." : "Saved.",
      );
    },
    onError: async (error) => {
      if (!isStatus(error, 412)) return;
      setLatest(
        await loadLatest(file).catch((reason: unknown) => {
          if (isStatus(reason, 404)) return "gone" as const;
          throw reason;
        }),
      );
    },
  });
  const start = (etag: string | undefined) => {
    if (!save.isPending && etag !== undefined) save.mutate(etag);
  };

  const isJson = textStructureOf(file) === "json";
  const checked = useDeferredValue(text);
  const problem = isJson ? jsonProblem(checked) : undefined;
  const canPreview = isMarkdown(file);
  const hasRoom = useMediaQuery("(width >= 64rem)");
  const isConflict = isStatus(save.error, 412);
  const note = isChanged ? "Unsaved changes" : "No unsaved changes";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of everything inside.
    <div
      className="contents"
      onKeyDown={(event) => {
        const isSave = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s";
        if (!isSave) return;
        event.preventDefault();
        if (isChanged) start(saved.etag);
      }}
    >
      <EditorHeader file={file} note={note} onClose={onClose}>
        {canPreview && !hasRoom && (
          <Segmented label="View" options={VIEWS} value={view} onChange={setView} />
        )}
        <Button
          size="sm"
          variant="primary"
          aria-keyshortcuts="Control+S Meta+S"
          busy={save.isPending}
          disabled={!isChanged}
          onClick={() => start(saved.etag)}
        >
          {problem ? "Save anyway" : "Save"}
        </Button>
      </EditorHeader>
      {settings?.keepVersions.value === false && (
        <p className="flex-none border-line border-b bg-warn-soft px-4 py-1.5 text-sm text-warn">
          Versions are off: saving replaces the text before for good.
        </p>
      )}
      {save.error && !isConflict && (
        <div className="flex-none p-3">
          <Notice tone="bad">{save.error.message}</Notice>
        </div>
      )}
      {isConflict && latest !== undefined && (
        <ConflictView
          mine={text}
          latest={latest}
          isBusy={save.isPending}
          onSaveMine={start}
          onTakeTheirs={() => {
            keepDraft(file.id, undefined);
            onReload();
          }}
        />
      )}
      <div className="flex min-h-0 flex-1 divide-x divide-line">
        {(view === "text" || !canPreview || hasRoom) && (
          <TextArea
            ref={area}
            label={`Text of ${file.name}`}
            value={text}
            onChange={setText}
            isProse={canPreview || file.mimeType.startsWith("text/plain")}
          />
        )}
        {canPreview && (hasRoom || view === "preview") && (
          <FocusArea label="Preview" className="min-w-0 flex-1 overflow-y-auto bg-canvas">
            <Markdown text={checked} folder={file.key.slice(0, -file.name.length)} />
          </FocusArea>
        )}
      </div>
      {isJson && (
        <footer className="flex min-h-9 flex-none items-center gap-3 border-line border-t px-4 py-1 text-sm">
          <span role="status" className={problem ? "text-bad" : "text-good"}>
            {problem ? problem.text : "Valid JSON"}
          </span>
          {problem && (
            <Button
              size="sm"
              variant="quiet"
              onClick={() => {
                area.current?.focus();
                area.current?.setSelectionRange(problem.at, problem.at + 1);
              }}
            >
              Go to it
            </Button>
          )}
        </footer>
      )}
    </div>
  );
}

function TooLarge({ file }: { readonly file: FileObject }) {
  return (
    <div className="m-auto flex max-w-110 flex-col items-center gap-4 p-6 text-center">
      <p>
        This text has {formatBytes(file.size)}. More than {formatBytes(MAX_EDITABLE_BYTES)} cannot
        be edited here: download it, change it, and upload it again with the same name.
      </p>
      <Button onClick={() => saveUrl(holdall.url(file, { download: true }))}>Download</Button>
    </div>
  );
}

interface ReadOnlyProps {
  readonly file: FileObject;
  readonly bytes: Uint8Array;
}

/** A text whose bytes would change if it was saved. */
function ReadOnly({ file, bytes }: ReadOnlyProps) {
  const { text, encoding } = decodeText([bytes]);
  const isDamaged = encoding === "UTF-8";
  return (
    <>
      <div className="flex-none p-3">
        <Notice tone="warn">
          {isDamaged
            ? "This text has bytes that are not UTF-8"
            : `This text is not UTF-8 (it looks like ${encoding})`}
          , so it can only be read here. Saving it would change characters.
        </Notice>
      </div>
      <div className="flex min-h-0 flex-1">
        <TextArea
          label={`Text of ${file.name}`}
          value={isDamaged ? new TextDecoder().decode(bytes) : text}
        />
      </div>
    </>
  );
}

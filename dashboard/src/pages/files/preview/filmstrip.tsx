import { useEffect, useRef } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { entryOfFile } from "../data/entry.ts";
import { ImageThumbnail } from "../grid/image-thumbnail.tsx";
import { KindIcon } from "../kind-icon.tsx";
import { useMeasuredWidth } from "../list/use-measured-size.ts";
import { neighboursOf } from "./neighbours-of.ts";
import { previewKind } from "./preview-kind.ts";

/** The width of a frame with the gap after it, in pixels as in the classes: they do not grow with the font. */
const STEP = 80;
const PADDING = 16;

export interface FilmstripProps {
  readonly files: readonly FileObject[];
  /** The index of the file that is shown. */
  readonly index: number;
  readonly onShow: (id: string) => void;
}

/** The files before and after the one that is shown: as many as there is room for, so that no other is loaded. */
export function Filmstrip({ files, index, onShow }: FilmstripProps) {
  const strip = useRef<HTMLElement>(null);
  const width = useMeasuredWidth(strip);
  const room = Math.floor((width - 2 * PADDING) / STEP);
  const current = files[index];
  // One frame can be reached by Tab. It keeps the focus while arrow keys go through the files.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows each file that is shown.
  useEffect(() => {
    if (!strip.current?.contains(document.activeElement)) return;
    strip.current.querySelector<HTMLElement>("[aria-current]")?.focus({ preventScroll: true });
  }, [current?.id]);
  return (
    <nav
      ref={strip}
      aria-label="Nearby files"
      className="flex h-[72px] flex-none items-center justify-center gap-[8px] overflow-hidden border-line border-t bg-side px-[16px] text-ink scheme-dark"
    >
      {neighboursOf(index, files.length, room).map((at) => {
        const file = files[at];
        return file && <Frame key={file.id} file={file} isCurrent={at === index} onShow={onShow} />;
      })}
    </nav>
  );
}

interface FrameProps {
  readonly file: FileObject;
  readonly isCurrent: boolean;
  readonly onShow: (id: string) => void;
}

function Frame({ file, isCurrent, onShow }: FrameProps) {
  const icon = <KindIcon entry={entryOfFile(file)} className="size-[28px]" />;
  return (
    <button
      type="button"
      aria-label={file.name}
      aria-current={isCurrent || undefined}
      tabIndex={isCurrent ? 0 : -1}
      data-tooltip={file.name}
      onClick={() => onShow(file.id)}
      className="grid h-[48px] w-[72px] flex-none grid-rows-[minmax(0,1fr)] place-items-center overflow-hidden rounded-md bg-press opacity-70 transition-opacity duration-100 hover:opacity-100 focus-visible:opacity-100 aria-current:opacity-100 aria-current:outline-2 aria-current:outline-accent aria-current:outline-offset-2"
    >
      {previewKind(file) === "image" ? <ImageThumbnail file={file} icon={icon} /> : icon}
    </button>
  );
}

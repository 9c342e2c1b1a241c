import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { entryOfFile } from "../data/entry.ts";
import { KindIcon } from "../kind-icon.tsx";
import { previewKind } from "../preview/preview-kind.ts";
import { ImageThumbnail } from "./image-thumbnail.tsx";

/**
 * A folder with its first files in it, at most four. Without any it has the same shape, so that the
 * folders of a grid look alike, also while their files load.
 */
export const FolderPeek = ({ files }: { readonly files: readonly FileObject[] }) => (
  <div aria-hidden className="absolute inset-x-[13%] top-[11%] bottom-[13%]">
    <div className="h-[9%] w-[36%] rounded-t-sm bg-kind-folder/40 forced-colors:border forced-colors:border-b-0" />
    <div className="grid h-[91%] grid-cols-2 grid-rows-2 gap-1 rounded-md rounded-tl-none bg-kind-folder/40 p-1.5 forced-colors:border @max-[8rem]/tile:gap-0.5 @max-[8rem]/tile:p-1">
      {files.map((file) => (
        <div
          key={file.id}
          className="grid min-h-0 min-w-0 animate-fade grid-rows-[minmax(0,1fr)] place-items-center overflow-hidden rounded-sm bg-surface"
        >
          <PeekedFile file={file} />
        </div>
      ))}
    </div>
  </div>
);

/** Thumbnails of other types than images would load too much, and show too little in this size. */
function PeekedFile({ file }: { readonly file: FileObject }) {
  const icon = <KindIcon entry={entryOfFile(file)} className="size-3/5 max-w-8" />;
  return previewKind(file) === "image" ? <ImageThumbnail file={file} icon={icon} /> : icon;
}

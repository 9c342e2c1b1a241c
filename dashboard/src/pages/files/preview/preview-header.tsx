import {
  ChevronLeft,
  ChevronRight,
  Copy,
  Download,
  Ellipsis,
  FilePenLine,
  GalleryThumbnails,
  Link2,
  type LucideIcon,
  X,
} from "lucide-react";
import { formatBytes } from "../../../../../contract/text/format-bytes.ts";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { useStore } from "../../../app/store.ts";
import { IconButton } from "../../../components/icon-button.tsx";
import { Menu } from "../../../components/menus/menu.tsx";
import { TruncatedName } from "../../../components/truncated-name.tsx";
import { copyLabel, copyUrl } from "../actions/copy-url.ts";
import { entryMenu } from "../actions/entry-menu.ts";
import type { FilesActions } from "../actions/files-actions.ts";
import { NEEDS, needsOfCopying } from "../actions/needs.ts";
import { entryOfFile } from "../data/entry.ts";
import { DetailsButton } from "../details/details-button.tsx";
import { KindIcon } from "../kind-icon.tsx";
import { VisibilityMark } from "../visibility-mark.tsx";
import { filmstripStore, toggleFilmstrip } from "./filmstrip-store.ts";
import { isText } from "./preview-kind.ts";

export interface PreviewHeaderProps {
  readonly file: FileObject | undefined;
  /** Such as "3 of 24"; undefined if the file is not in the list. */
  readonly position: string | undefined;
  readonly previous: FileObject | undefined;
  readonly next: FileObject | undefined;
  readonly mayHaveFilmstrip: boolean;
  /** The header is as dark as the stage below it, in both themes. */
  readonly isDark: boolean;
  readonly onShow: (id: string) => void;
  readonly actions: FilesActions;
  readonly onClose: () => void;
}

/** The file's name and actions, and the buttons to step through the list. */
export function PreviewHeader(props: PreviewHeaderProps) {
  const { file, position, previous, next, onShow, actions, onClose } = props;
  const details = [file && formatBytes(file.size), position].filter((part) => part !== undefined);
  return (
    <header
      className={`flex h-14 flex-none items-center gap-2 border-line border-b pr-2 pl-4 sm:gap-3 ${props.isDark ? "bg-side text-ink scheme-dark" : ""}`}
    >
      {file && (
        <span className="contents max-sm:hidden">
          <KindIcon entry={entryOfFile(file)} />
        </span>
      )}
      <div className="min-w-0 flex-1">
        {file && (
          <h2 className="font-semibold text-base leading-5">
            <TruncatedName name={file.name} />
          </h2>
        )}
        <p className="flex items-center gap-2 text-muted text-xs tabular-nums">
          {file && <VisibilityMark visibility={file.visibility} />}
          <span className="truncate">{details.join(" · ")}</span>
        </p>
      </div>
      {position !== undefined && (
        <div className="flex flex-none items-center">
          <Step label="Previous" Icon={ChevronLeft} to={previous} onShow={onShow} />
          <Step label="Next" Icon={ChevronRight} to={next} onShow={onShow} />
        </div>
      )}
      {props.mayHaveFilmstrip && <FilmstripButton />}
      {file && <FileButtons file={file} actions={actions} />}
      <IconButton label="Close" Icon={X} onClick={onClose} />
    </header>
  );
}

interface StepProps {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly to: FileObject | undefined;
  readonly onShow: (id: string) => void;
}

function Step({ label, Icon, to, onShow }: StepProps) {
  return (
    <IconButton
      label={label}
      Icon={Icon}
      disabled={to === undefined}
      onClick={() => to && onShow(to.id)}
    />
  );
}

const FilmstripButton = () => (
  <IconButton
    label="Nearby files"
    Icon={GalleryThumbnails}
    aria-expanded={useStore(filmstripStore)}
    onClick={toggleFilmstrip}
  />
);

interface FileButtonsProps {
  readonly file: FileObject;
  readonly actions: FilesActions;
}

function FileButtons({ file, actions }: FileButtonsProps) {
  const entry = entryOfFile(file);
  return (
    <div className="flex flex-none items-center">
      <span className="hidden sm:contents">
        {isText(file) && (
          <IconButton
            showsLabel
            label="Edit"
            needs={NEEDS.edit}
            Icon={FilePenLine}
            onClick={() => actions.edit(file)}
          />
        )}
        <IconButton
          showsLabel
          label="Download"
          needs={file.visibility === "public" ? undefined : NEEDS.read}
          Icon={Download}
          onClick={() => actions.download([entry])}
        />
        <IconButton
          label={copyLabel(file)}
          needs={needsOfCopying(file)}
          Icon={Copy}
          onClick={() => void copyUrl(file)}
        />
        <IconButton
          showsLabel
          label="Share"
          needs={NEEDS.share}
          Icon={Link2}
          onClick={() => actions.share(entry)}
        />
      </span>
      {/* The menu has it, too. */}
      <DetailsButton showsLabel className="max-sm:hidden" />
      <Menu
        label={`Actions for ${file.name}`}
        items={entryMenu(entry, actions).filter(({ label }) => label !== "Open")}
        trigger={(props) => <IconButton label="More actions" Icon={Ellipsis} {...props} />}
      />
    </div>
  );
}

import { Button } from "../../../components/button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { differingLines } from "./differing-lines.ts";
import type { LoadedText } from "./save-text.ts";
import { TextArea } from "./text-area.tsx";

export interface ConflictViewProps {
  readonly mine: string;
  /** The stored content. */
  readonly latest: LoadedText | "gone";
  readonly isBusy: boolean;
  /** Saves over what has this ETag. */
  readonly onSaveMine: (etag: string | undefined) => void;
  readonly onTakeTheirs: () => void;
}

/** The file was changed by someone else: shows their text above one's own, which stays as it is. */
export function ConflictView(props: ConflictViewProps) {
  const { mine, latest, isBusy, onSaveMine, onTakeTheirs } = props;
  if (latest === "gone") {
    return (
      <div className="flex-none p-3">
        <Notice tone="bad">
          The file was deleted, moved or renamed meanwhile, so nothing was saved. Copy your text
          before you close the editor.
        </Notice>
      </div>
    );
  }
  const theirs = latest.editable?.text;
  return (
    <section
      aria-label="The stored text"
      className="flex max-h-1/2 min-h-40 flex-1 flex-col border-line border-b"
    >
      <div className="flex flex-none flex-col gap-2 p-3">
        <Notice tone="bad">
          <p>
            The file was changed meanwhile, so nothing was saved. The stored text is here, and yours
            is below.
            {theirs !== undefined && ` ${differingLines(mine, theirs)}`}
          </p>
        </Notice>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" busy={isBusy} onClick={() => onSaveMine(latest.etag)}>
            Save mine over it
          </Button>
          <Button size="sm" onClick={onTakeTheirs}>
            Discard mine, edit the stored one
          </Button>
        </div>
      </div>
      <TextArea label="Stored text" value={theirs ?? "This is not UTF-8."} />
    </section>
  );
}

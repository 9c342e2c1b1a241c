import { Check, Copy, Link2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { holdall } from "../app/connection/client.ts";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Dialog } from "../components/dialogs/dialog.tsx";
import { Segmented } from "../components/fields/segmented.tsx";
import { UrlField } from "../components/fields/url-field.tsx";
import { LoadError } from "../components/load-error.tsx";
import { can } from "../rights/rights.ts";
import { offerUndo } from "./copy-link.ts";
import { Fold } from "./fold.tsx";
import { LinkPanel } from "./link-panel.tsx";
import { type ShareSubject, subjectName } from "./share-subject.ts";
import { SignedUrlPanel } from "./signed-url-panel.tsx";
import { useLinkList } from "./use-link-list.tsx";
import { useLinks } from "./use-links.ts";
import { useShareLink } from "./use-share-link.ts";

const WAYS = [
  { value: "read", label: "Link" },
  { value: "drop", label: "Upload request" },
] as const;

export interface ShareDialogProps {
  readonly subject: ShareSubject;
  readonly onClose: () => void;
}

/**
 * Shows and copies the link to a file or folder, which is made when the dialog opens, and lists the others. Closing keeps
 * it. A public file has a URL already, so its link is made on demand; so is an upload request.
 */
export function ShareDialog({ subject, onClose }: ShareDialogProps) {
  const [way, setWay] = useState<"read" | "drop">("read");
  const read = useShareLink(subject, "read");
  const drop = useShareLink(subject, "drop");
  const { links, error, refetch } = useLinks({ subject });
  const list = useLinkList(false, (revoked) => {
    for (const each of [read, drop]) if (each.found?.link.id === revoked.id) each.update(undefined);
  });
  const state = way === "drop" ? drop : read;
  const { found, isCopied } = state;
  const isPublic = subject.kind === "file" && subject.file.visibility === "public";
  const others = links?.filter(({ id }) => id !== found?.link.id) ?? [];

  const isOpened = useRef(false);
  useEffect(() => {
    if (isOpened.current) return;
    isOpened.current = true;
    read.open(!isPublic);
    if (subject.kind === "folder" && can("write")) drop.open(false);
  });

  const close = () => {
    onClose();
    const made = [read, drop].flatMap((each) => (each.found?.isNew ? [each.found] : [])).at(-1);
    if (made !== undefined) offerUndo(made, `Link to “${subjectName(subject)}” created.`);
  };
  return (
    <>
      <Dialog
        wide
        title={
          <>
            Share “<bdi className="break-all">{subjectName(subject)}</bdi>”
          </>
        }
        onClose={close}
        footer={
          <>
            <Button onClick={close}>Done</Button>
            {found ? (
              <Button variant="primary" Icon={isCopied ? Check : Copy} onClick={state.copy}>
                {isCopied ? "Link copied" : "Copy link"}
              </Button>
            ) : (
              <Button
                variant="primary"
                Icon={Link2}
                busy={state.isPending}
                onClick={() => state.open(true)}
              >
                Create link
              </Button>
            )}
          </>
        }
      >
        {isPublic && (
          <UrlField
            label="Public URL"
            url={holdall.url(subject.file)}
            hint="Anyone with it can open the file. You can also create a link that expires, or that you can revoke."
          />
        )}
        {subject.kind === "folder" && can("write") && (
          <Segmented
            label="Way to share"
            value={way}
            onChange={setWay}
            options={WAYS}
            className="self-start"
          />
        )}
        <LinkPanel
          key={way}
          subject={subject}
          kind={way}
          state={state}
          onRevoke={(link) => list.open(link, "revoke")}
        />
        {error && links === undefined && (
          <LoadError title="Couldn't load the links" error={error} onRetry={() => void refetch()} />
        )}
        {others.length > 0 && (
          <section aria-labelledby="other-links" className="flex flex-col gap-2">
            <h3 id="other-links" className="font-semibold">
              Other links to this {subject.kind}
            </h3>
            <Card>{list.rows(others)}</Card>
          </section>
        )}
        {subject.kind === "file" && (
          <Fold title="For developers" note="signed URL, code">
            <SignedUrlPanel file={subject.file} />
          </Fold>
        )}
      </Dialog>
      {list.dialogs}
    </>
  );
}

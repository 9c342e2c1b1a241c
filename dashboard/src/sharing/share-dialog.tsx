import { Link2 } from "lucide-react";
import { useState } from "react";
import { holdall } from "../app/client.ts";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Dialog } from "../components/dialogs/dialog.tsx";
import { Segmented } from "../components/fields/segmented.tsx";
import { UrlField } from "../components/fields/url-field.tsx";
import { LoadError } from "../components/load-error.tsx";
import { LinkPanel } from "./link-panel.tsx";
import { type ShareSubject, subjectName } from "./share-subject.ts";
import { SignedUrlPanel } from "./signed-url-panel.tsx";
import { useCreateLink } from "./use-create-link.ts";
import { useLinkList } from "./use-link-list.tsx";
import { useLinks } from "./use-links.ts";
import { useSignedUrl } from "./use-signed-url.ts";

type Way = "read" | "drop" | "signed";

const WAYS = {
  file: [
    { value: "read", label: "Link" },
    { value: "signed", label: "Signed URL" },
  ],
  folder: [
    { value: "read", label: "Link" },
    { value: "drop", label: "Upload request" },
  ],
} as const satisfies Record<string, readonly { readonly value: Way; readonly label: string }[]>;

export interface ShareDialogProps {
  readonly subject: ShareSubject;
  readonly onClose: () => void;
}

/** Creates links and signed URLs, and lists the existing links. */
export function ShareDialog({ subject, onClose }: ShareDialogProps) {
  const [way, setWay] = useState<Way>("read");
  const read = useCreateLink(subject, "read");
  const drop = useCreateLink(subject, "drop");
  const signed = useSignedUrl(subject.kind === "file" ? subject.file : undefined);
  const { links, error, refetch } = useLinks({ subject });
  const list = useLinkList(false);
  const form = way === "drop" ? drop : read;
  const isBusy = way === "signed" ? signed.sign.isPending : form.isPending;
  const options: readonly { readonly value: Way; readonly label: string }[] = WAYS[subject.kind];
  return (
    <>
      <Dialog
        wide
        title={
          <>
            Share “<bdi className="break-all">{subjectName(subject)}</bdi>”
          </>
        }
        onClose={onClose}
        onSubmit={way === "signed" ? signed.submit : form.submit}
        footer={
          <>
            <Button onClick={onClose}>Done</Button>
            <Button type="submit" variant="primary" Icon={Link2} busy={isBusy}>
              {way === "signed" ? "Create signed URL" : "Create link"}
            </Button>
          </>
        }
      >
        {subject.kind === "file" && subject.file.visibility === "public" && (
          <UrlField
            label="Public URL"
            url={holdall.url(subject.file)}
            hint="Anyone with it can open the file. You can also create a link that expires, or that you can revoke."
          />
        )}
        <Segmented
          label="Way to share"
          value={way}
          onChange={setWay}
          options={options}
          className="self-start"
        />
        {way === "signed" && subject.kind === "file" ? (
          <SignedUrlPanel file={subject.file} state={signed} />
        ) : (
          <LinkPanel
            key={way}
            subject={subject}
            kind={way === "drop" ? "drop" : "read"}
            form={form}
          />
        )}
        {way !== "signed" && error && links === undefined && (
          <LoadError title="Couldn't load the links" error={error} onRetry={() => void refetch()} />
        )}
        {way !== "signed" && links !== undefined && links.length > 0 && (
          <section aria-labelledby="links-so-far" className="flex flex-col gap-2">
            <h3 id="links-so-far" className="font-semibold">
              Links to this {subject.kind}
            </h3>
            <Card>{list.rows(links)}</Card>
          </section>
        )}
      </Dialog>
      {list.dialogs}
    </>
  );
}

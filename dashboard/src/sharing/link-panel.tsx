import { QrCode as QrIcon } from "lucide-react";
import { useState } from "react";
import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { lazyComponent } from "../app/lazy-component.tsx";
import { UrlField } from "../components/fields/url-field.tsx";
import { IconButton } from "../components/icon-button.tsx";
import { Notice } from "../components/notice.tsx";
import { Skeleton } from "../components/skeleton.tsx";
import { describeSettings } from "./describe-link.ts";
import { Fold } from "./fold.tsx";
import { LinkSettings } from "./link-settings.tsx";
import { type ShareSubject, subjectName } from "./share-subject.ts";
import type { ShareLink } from "./use-share-link.ts";

const QrCode = lazyComponent(async () => (await import("../components/qr-code.tsx")).QrCode);

export interface LinkPanelProps {
  readonly subject: ShareSubject;
  readonly kind: LinkObject["kind"];
  readonly state: ShareLink;
  readonly onRevoke: (link: LinkObject) => void;
}

/** The link with its URL, QR code and settings. */
export function LinkPanel({ subject, kind, state, onRevoke }: LinkPanelProps) {
  const { found, error, isPending, isCopied } = state;
  const [hasQr, setQr] = useState(false);
  return (
    <>
      <p className="text-muted">{explain(subject, kind)}</p>
      {error && <Notice tone="bad">{error.message}</Notice>}
      {isPending && <Skeleton className="h-16" />}
      {found && (
        <>
          <div className="flex items-end gap-1">
            <div className="min-w-0 flex-1">
              <UrlField label="Link" url={found.url} hasButton={false} />
            </div>
            <IconButton
              label="QR code"
              Icon={QrIcon}
              aria-pressed={hasQr}
              onClick={() => setQr(!hasQr)}
              className="mb-0.5 flex-none aria-pressed:bg-press aria-pressed:text-ink"
            />
          </div>
          <p role="status" className="text-sm">
            <strong className="font-medium">
              Link{found.isNew && " created"}
              {found.isNew && isCopied && " and"}
              {isCopied && " copied"}
              {!found.isNew && !isCopied && " ready"}.
            </strong>
          </p>
          {hasQr && (
            <QrCode
              text={found.url}
              label={`QR code of the link to ${subjectName(subject)}`}
              fallback={<Skeleton className="size-44 self-center" />}
            />
          )}
          <Fold title="Settings" note={describeSettings(found.link)}>
            <LinkSettings
              key={found.link.id}
              link={found.link}
              name={subjectName(subject)}
              onSaved={state.update}
              onRevoke={() => onRevoke(found.link)}
            />
          </Fold>
        </>
      )}
    </>
  );
}

function explain(subject: ShareSubject, kind: LinkObject["kind"]): string {
  if (kind === "drop") {
    return "Anyone with the link can send files into this folder. Visitors see nothing that is in it, and each gets a subfolder of their own.";
  }
  const what = subject.kind === "file" ? "this file" : "this folder and everything in it";
  return `Anyone with the link can see ${what}, also if it is private, renamed or moved. You can revoke the link at any time.`;
}

import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { Notice } from "../components/notice.tsx";
import { CreatedUrl } from "./created-url.tsx";
import { LinkFields } from "./link-fields.tsx";
import { linkUrl } from "./link-url.ts";
import type { ShareSubject } from "./share-subject.ts";
import type { CreateLink } from "./use-create-link.ts";

export interface LinkPanelProps {
  readonly subject: ShareSubject;
  readonly kind: LinkObject["kind"];
  readonly form: CreateLink;
}

/** The form of a new link, and then the link. */
export function LinkPanel({ subject, kind, form }: LinkPanelProps) {
  const { created } = form;
  const url = created && linkUrl(created);
  return (
    <>
      <p className="text-muted">{explain(subject, kind)}</p>
      <LinkFields kind={kind} isNew draft={form.draft} errors={form.errors} onChange={form.edit} />
      {form.error && <Notice tone="bad">{form.error.message}</Notice>}
      {url && <CreatedUrl key={url} label="Link" url={url} isCopied={form.isCopied} />}
    </>
  );
}

function explain(subject: ShareSubject, kind: LinkObject["kind"]): string {
  if (kind === "drop") {
    return "Anyone with the link can send files into this folder. Visitors see nothing that is in it, and each gets a subfolder of their own. You can revoke the link at any time.";
  }
  const what = subject.kind === "file" ? "this file" : "this folder and everything in it";
  return `Anyone with the link can see ${what}, also if it is private, renamed or moved. You can revoke the link at any time.`;
}

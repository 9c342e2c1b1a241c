import { useEffect, useRef } from "react";
import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { CodeBlock } from "../components/code-block.tsx";
import { Notice } from "../components/notice.tsx";
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
  return (
    <>
      <p className="text-muted">{explain(subject, kind)}</p>
      <LinkFields kind={kind} isNew draft={form.draft} errors={form.errors} onChange={form.edit} />
      {form.error && <Notice tone="bad">{form.error.message}</Notice>}
      {form.created && <Created key={form.created.id} link={form.created} />}
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

/** The URL of the new link, with the focus on its copy button. */
function Created({ link }: { readonly link: LinkObject }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.querySelector("button")?.focus(), []);
  const url = linkUrl(link);
  if (url === undefined) return null;
  return (
    <div ref={ref} className="flex flex-col gap-2">
      <p role="status" className="font-medium text-sm">
        The link is ready.
      </p>
      <CodeBlock label="Link" code={url} />
    </div>
  );
}

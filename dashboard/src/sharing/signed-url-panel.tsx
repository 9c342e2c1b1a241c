import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { FileObject } from "../../../sdk/src/holdall.ts";
import { holdall } from "../app/client.ts";
import { basePath } from "../app/location.ts";
import { CodeBlock } from "../components/code-block.tsx";
import { Notice } from "../components/notice.tsx";
import { Select } from "../components/select.tsx";
import { formatFullTimestamp } from "../text/timestamp.ts";
import { linkSnippets } from "./link-snippets.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

const LIFETIMES = [
  { value: String(15 * 60), label: "15 minutes" },
  { value: String(HOUR), label: "1 hour" },
  { value: String(DAY), label: "1 day" },
  { value: String(3 * DAY), label: "3 days" },
  { value: String(7 * DAY), label: "7 days" },
  { value: String(30 * DAY), label: "30 days" },
];

/** The state of the panel, kept by the dialog, whose form submits it. */
export function useSignedUrl(file: FileObject | undefined) {
  const [lifetime, setLifetime] = useState(String(DAY));
  const sign = useMutation({
    mutationFn: (target: FileObject) => holdall.files.sign(target, { expiresIn: Number(lifetime) }),
  });
  return {
    lifetime,
    choose(value: string) {
      setLifetime(value);
      sign.reset();
    },
    sign,
    submit() {
      if (file !== undefined && !sign.isPending) sign.mutate(file);
    },
  };
}

export interface SignedUrlPanelProps {
  readonly file: FileObject;
  readonly state: ReturnType<typeof useSignedUrl>;
}

/** Creates a signed URL of a file and shows it with code snippets. */
export function SignedUrlPanel({ file, state }: SignedUrlPanelProps) {
  const { lifetime, sign } = state;
  const id = useId();
  const link = sign.data;
  const requestedExpiry = sign.submittedAt + Number(lifetime) * 1_000;
  const isShorter = link !== undefined && link.expiresAt.getTime() < requestedExpiry - 60_000;
  return (
    <>
      <p className="text-muted">
        {file.visibility === "public"
          ? "This file is public: anyone with its URL can open it. A signed URL is one that expires."
          : "A direct URL of the private file, for programs and pages. It works until it expires, and cannot be revoked."}
      </p>
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="font-medium text-sm">
          Expires in
        </label>
        <Select id={id} options={LIFETIMES} value={lifetime} onChange={state.choose} />
      </div>
      {sign.error && <Notice tone="bad">{sign.error.message}</Notice>}
      {link && (
        <div className="flex flex-col gap-3">
          <p role="status" className="text-sm">
            Expires{" "}
            <strong className="font-medium">
              {formatFullTimestamp(link.expiresAt.toISOString())}
            </strong>
            {isShorter && " – the maximum on this instance"}.
          </p>
          <CodeBlock label="Signed URL" code={link.url} />
          {linkSnippets({ file, url: link.url, siteUrl: location.origin + basePath, lifetime }).map(
            (snippet) => (
              <CodeBlock key={snippet.label} {...snippet} />
            ),
          )}
        </div>
      )}
    </>
  );
}

import { useMutation } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useId, useState } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";
import { basePath } from "../../../app/location.ts";
import { Button } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Select } from "../../../components/select.tsx";
import { formatFullTimestamp } from "../../../text/timestamp.ts";
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

export interface LinkDialogProps {
  readonly file: FileObject;
  readonly onClose: () => void;
}

/** Creates a signed URL and shows it with code snippets. */
export function LinkDialog({ file, onClose }: LinkDialogProps) {
  const [lifetime, setLifetime] = useState(String(DAY));
  const id = useId();
  const sign = useMutation({
    mutationFn: () => holdall.files.sign(file, { expiresIn: Number(lifetime) }),
  });
  const link = sign.data;
  const requestedExpiry = sign.submittedAt + Number(lifetime) * 1_000;
  const isShorter = link !== undefined && link.expiresAt.getTime() < requestedExpiry - 60_000;

  return (
    <Dialog
      wide
      title={
        <>
          Link to “<bdi className="break-all">{file.name}</bdi>”
        </>
      }
      onClose={onClose}
      onSubmit={() => sign.mutate()}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <p className="text-muted">
        {file.visibility === "public"
          ? "This file is public: anyone with its URL can open it. You can still create a link that expires."
          : "This file is private. Anyone with the link can open it until the link expires; once shared, a link cannot be revoked."}
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <div className="flex flex-col gap-1.5">
          <label htmlFor={id} className="font-medium text-sm">
            Expires in
          </label>
          <Select
            id={id}
            options={LIFETIMES}
            value={lifetime}
            onChange={(value) => {
              setLifetime(value);
              sign.reset();
            }}
          />
        </div>
        <Button type="submit" variant="primary" Icon={Link2} busy={sign.isPending}>
          Create link
        </Button>
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
          <CodeBlock label="Link" code={link.url} />
          {linkSnippets({ file, url: link.url, siteUrl: location.origin + basePath, lifetime }).map(
            (snippet) => (
              <CodeBlock key={snippet.label} {...snippet} />
            ),
          )}
        </div>
      )}
    </Dialog>
  );
}

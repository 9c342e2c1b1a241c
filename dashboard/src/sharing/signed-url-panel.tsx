import { ChevronRight } from "lucide-react";
import type { FileObject } from "../../../sdk/src/holdall.ts";
import { basePath } from "../app/location.ts";
import { CodeBlock } from "../components/code-block.tsx";
import { Field } from "../components/fields/field.tsx";
import { SelectField } from "../components/fields/select-field.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Notice } from "../components/notice.tsx";
import { Skeleton } from "../components/skeleton.tsx";
import { formatDuration } from "../text/format-duration.ts";
import { formatTimeZone, toLocalInputValue } from "../text/time-zone.ts";
import { formatFullTimestamp } from "../text/timestamp.ts";
import { CreatedUrl } from "./created-url.tsx";
import { linkSnippets } from "./link-snippets.ts";
import { CUSTOM, type LifetimeChoice, lifetimeOptions } from "./signed-lifetimes.ts";
import type { useSignedUrl } from "./use-signed-url.ts";

export interface SignedUrlPanelProps {
  readonly file: FileObject;
  readonly state: ReturnType<typeof useSignedUrl>;
}

/** The form of a signed URL, and then the URL with code snippets. */
export function SignedUrlPanel({ file, state }: SignedUrlPanelProps) {
  const { limits, chosen, sign } = state;
  const link = sign.data;
  return (
    <>
      <p className="text-muted">
        A direct URL for programs and pages, which opens the file without an account until it
        expires. It cannot be revoked.
      </p>
      {limits !== undefined && chosen !== undefined ? (
        <SelectField
          label="Expires in"
          options={lifetimeOptions(limits)}
          value={chosen.choice}
          onChange={(choice) => state.edit({ choice })}
          hint={`At most ${formatDuration(limits.max)} on this server.`}
        >
          {chosen.choice === CUSTOM && <CustomTime chosen={chosen} state={state} />}
        </SelectField>
      ) : state.settings.error === null ? (
        <Skeleton className="h-9 w-40" />
      ) : (
        <LoadError
          title="Couldn't load the settings of links"
          error={state.settings.error}
          onRetry={() => void state.settings.refetch()}
        />
      )}
      {sign.error && <Notice tone="bad">{sign.error.message}</Notice>}
      {link && (
        <>
          <CreatedUrl key={link.url} label="Signed URL" url={link.url} isCopied={state.isCopied}>
            Expires {formatFullTimestamp(link.expiresAt.toISOString())}.
          </CreatedUrl>
          <Snippets file={file} url={link.url} lifetime={sign.variables.expiresIn} />
        </>
      )}
    </>
  );
}

interface CustomTimeProps {
  readonly chosen: LifetimeChoice;
  readonly state: ReturnType<typeof useSignedUrl>;
}

const CustomTime = ({ chosen, state }: CustomTimeProps) => (
  <Field
    label="Date and time"
    hint={`In your time zone: ${formatTimeZone()}.`}
    type="datetime-local"
    min={toLocalInputValue(new Date())}
    value={chosen.custom}
    error={state.error}
    onChange={({ target }) => state.edit({ custom: target.value })}
  />
);

interface SnippetsProps {
  readonly file: FileObject;
  readonly url: string;
  readonly lifetime: number;
}

const Snippets = ({ file, url, lifetime }: SnippetsProps) => (
  <details className="group">
    <summary className="flex w-fit list-none items-center gap-1 rounded-sm font-medium text-sm hover:text-accent [&::-webkit-details-marker]:hidden">
      <ChevronRight aria-hidden className="size-4 group-open:rotate-90" />
      For developers
    </summary>
    <div className="flex flex-col gap-3 pt-3">
      {linkSnippets({ file, url, siteUrl: location.origin + basePath, lifetime }).map((snippet) => (
        <CodeBlock key={snippet.label} {...snippet} />
      ))}
    </div>
  </details>
);

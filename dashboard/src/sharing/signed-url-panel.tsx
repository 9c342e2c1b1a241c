import type { FileObject } from "../../../sdk/src/holdall.ts";
import { basePath } from "../app/navigation/location.ts";
import { Button } from "../components/button.tsx";
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
import { useSignedUrl } from "./use-signed-url.ts";

export interface SignedUrlPanelProps {
  readonly file: FileObject;
}

/** The form of a signed URL, and then the URL with code snippets. */
export function SignedUrlPanel({ file }: SignedUrlPanelProps) {
  const state = useSignedUrl(file);
  const { limits, chosen, sign } = state;
  const link = sign.data;
  return (
    <div className="flex flex-col gap-4 pt-3">
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
      <Button className="self-start" busy={sign.isPending} onClick={state.submit}>
        Create signed URL
      </Button>
      {sign.error && <Notice tone="bad">{sign.error.message}</Notice>}
      {link && (
        <>
          <CreatedUrl key={link.url} label="Signed URL" url={link.url} isCopied={state.isCopied}>
            Expires {formatFullTimestamp(link.expiresAt.toISOString())}.
          </CreatedUrl>
          {linkSnippets({
            file,
            url: link.url,
            siteUrl: location.origin + basePath,
            lifetime: sign.variables.expiresIn,
          }).map((snippet) => (
            <CodeBlock key={snippet.label} {...snippet} />
          ))}
        </>
      )}
    </div>
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

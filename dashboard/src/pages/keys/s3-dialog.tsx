import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiKeyObject } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { basePath } from "../../app/navigation/location.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { SelectField } from "../../components/fields/select-field.tsx";
import { LoadError } from "../../components/load-error.tsx";
import { Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { type S3Place, s3PlaceOf } from "./s3-place.ts";
import { REGION, S3_CLIENTS, type S3Client } from "./s3-snippets.ts";

export interface S3DialogProps {
  readonly apiKey: ApiKeyObject;
  readonly onClose: () => void;
}

/** Shows how S3 clients act as an API key. */
export function S3Dialog({ apiKey, onClose }: S3DialogProps) {
  const place = s3PlaceOf(apiKey);
  return (
    <Dialog
      wide
      title={
        <>
          S3 clients: <bdi>{apiKey.name}</bdi>
        </>
      }
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <p className="text-muted">
        S3 clients act as this key: with its access, until it expires or is revoked. Top-level
        folders are buckets.
      </p>
      {basePath !== "" && (
        <Notice tone="warn">
          S3 clients need an address without a path. This site is at {basePath}, so give the server
          a host of its own, too.
        </Notice>
      )}
      {place === undefined ? (
        <Notice tone="warn">
          {apiKey.folder?.key === null
            ? "The key's folder was deleted, so it reaches nothing."
            : "The key's folder is not in a bucket. The name of a bucket has 3 to 63 lower-case letters, digits, dots and hyphens."}
        </Notice>
      ) : (
        <Clients apiKey={apiKey} place={place} />
      )}
    </Dialog>
  );
}

const isClient = (name: string): name is S3Client => Object.hasOwn(S3_CLIENTS, name);

function Clients({ apiKey, place }: { readonly apiKey: ApiKeyObject; readonly place: S3Place }) {
  const [client, setClient] = useState<S3Client>("aws-cli");
  const [isShown, setShown] = useState(false);
  const credentials = useQuery({
    queryKey: ["s3-credentials", apiKey.id],
    queryFn: ({ signal }) => holdall.keys.s3(apiKey.id, { signal }),
    // Each request is in the activity log.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (credentials.data === undefined) {
    return credentials.error === null ? (
      <Skeleton className="h-92" />
    ) : (
      <LoadError
        title="Couldn't load the credentials"
        error={credentials.error}
        onRetry={() => void credentials.refetch()}
      />
    );
  }
  const { accessKeyId, secretAccessKey } = credentials.data;
  const canWrite = apiKey.actions.some((action) => action === "write" || action === "admin");
  const access = { ...credentials.data, ...place, endpoint: location.origin, canWrite };
  // Somebody may look at the screen; the copy buttons work without showing the secret.
  const hide = (text: string): string =>
    isShown ? text : text.replaceAll(secretAccessKey, "•".repeat(secretAccessKey.length));
  return (
    <div className="flex flex-none flex-col gap-4">
      <div className="grid gap-3 sm:grid-cols-[3fr_4fr]">
        <CodeBlock label="Access key ID" code={accessKeyId} />
        <CodeBlock
          label="Secret access key"
          code={secretAccessKey}
          shown={hide(secretAccessKey)}
          action={
            <Button
              size="sm"
              aria-label={isShown ? "Hide secret access key" : "Show secret access key"}
              onClick={() => setShown(!isShown)}
            >
              {isShown ? "Hide" : "Show"}
            </Button>
          }
        />
      </div>
      <SelectField
        label="Client"
        hint={`Others: endpoint ${location.origin}, region ${REGION}, path-style addresses.`}
        value={client}
        options={Object.keys(S3_CLIENTS).map((name) => ({ value: name, label: name }))}
        onChange={(name) => {
          if (isClient(name)) setClient(name);
        }}
      />
      {S3_CLIENTS[client](access).map((snippet) => (
        <CodeBlock key={snippet.label} {...snippet} shown={hide(snippet.code)} />
      ))}
    </div>
  );
}

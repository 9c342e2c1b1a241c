import { useQuery } from "@tanstack/react-query";
import { Bot, KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import type { ApiKeyObject, NewKey } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { withBasePath } from "../../app/navigation/location.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { LoadError } from "../../components/load-error.tsx";
import { Page } from "../../components/page.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { AgentKeyDialog } from "./agent-key-dialog.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { KeyList } from "./key-list.tsx";
import { NewKeyCard, type NewKeyKind } from "./new-key-card.tsx";

export function KeysPage() {
  const [creating, setCreating] = useState<"any" | "agent">();
  const [created, setCreated] = useState<NewKey>();
  const [kind, setKind] = useState<NewKeyKind>("new");
  const keys = useQuery({
    queryKey: ["keys"],
    queryFn: ({ signal }) => holdall.keys.list({ signal }),
  });
  const traffic = useQuery({
    queryKey: ["keys", "traffic"],
    queryFn: ({ signal }) => holdall.keys.traffic({ signal }),
  });
  const create = (
    <div className="flex flex-wrap gap-2">
      <Button
        needs={["list", "read", "write", "discard"]}
        Icon={Bot}
        onClick={() => setCreating("agent")}
      >
        Key for an agent
      </Button>
      <Button variant="primary" Icon={Plus} onClick={() => setCreating("any")}>
        Create API key
      </Button>
    </div>
  );
  const CreateDialog = creating === "agent" ? AgentKeyDialog : CreateKeyDialog;

  return (
    <Page
      title="API keys"
      description={
        <>
          Apps authenticate with the <code className="font-mono text-xs">API-Key</code> header. Give
          each app a key of its own, with only the access that it needs.
        </>
      }
      actions={create}
    >
      {created && (
        <NewKeyCard
          key={created.secret}
          created={created}
          kind={kind}
          onDone={() => setCreated(undefined)}
        />
      )}
      {keys.error && keys.data === undefined ? (
        <LoadError
          title="Couldn't load API keys"
          error={keys.error}
          onRetry={() => void keys.refetch()}
        />
      ) : keys.data === undefined ? (
        <KeysSkeleton />
      ) : keys.data.length === 0 ? (
        <EmptyState title="No API keys yet" Icon={KeyRound} action={create}>
          <p>
            Create one for each app that uploads or reads files, such as a backup, a website or a
            build. A key can be limited to a folder and to reading or uploading. It is shown once,
            can expire, and stops working as soon as you revoke it.
          </p>
          <p>
            <a
              href={withBasePath("/docs/api-keys")}
              target="_blank"
              rel="noopener"
              className="text-accent underline underline-offset-4"
            >
              What a key can do
            </a>
          </p>
        </EmptyState>
      ) : (
        <KeyList
          keys={newestFirst(keys.data)}
          traffic={traffic.data}
          onRotated={(key) => {
            setCreated(key);
            setKind("rotated");
          }}
        />
      )}
      {creating && (
        <CreateDialog
          onClose={() => setCreating(undefined)}
          onCreated={(key) => {
            setCreating(undefined);
            setCreated(key);
            setKind(creating === "agent" ? "agent" : "new");
          }}
        />
      )}
    </Page>
  );
}

/** Placeholders of the height of a key's row. */
const KeysSkeleton = () => (
  <div className="flex flex-col gap-2" aria-busy="true">
    {[1, 2, 3].map((line) => (
      <Skeleton key={line} className="h-22" />
    ))}
  </div>
);

const newestFirst = (keys: readonly ApiKeyObject[]): ApiKeyObject[] =>
  keys.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));

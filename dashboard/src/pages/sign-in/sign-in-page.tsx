import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { instanceName } from "../../app/brand.ts";
import { holdall, isStatus } from "../../app/connection/client.ts";
import { useQueryString } from "../../app/navigation/location.ts";
import { returnPath } from "../../app/navigation/return-path.ts";
import { enter } from "../../app/session/session.ts";
import { sessionState } from "../../app/session/session-state.ts";
import { passwordSignsIn } from "../../app/session/sign-in-methods.ts";
import { Button } from "../../components/button.tsx";
import { CenteredPage } from "../../components/centered-page.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Notice } from "../../components/notice.tsx";
import { ProviderSignIn } from "./provider-sign-in.tsx";
import { SignInChoices } from "./sign-in-choices.tsx";

export function SignInPage() {
  const to = returnPath(useQueryString());
  const setup = useQuery({
    queryKey: ["setup-state"],
    queryFn: ({ signal }) => holdall.account.setupState({ signal }),
  });
  const [before] = useState(sessionState);
  const session = useQuery({
    queryKey: ["session"],
    queryFn: ({ signal }) => holdall.account.whoAmI({ signal }),
    meta: { handlesUnauthorized: true },
    // Without a session the server would refuse this, which browsers report as an error.
    enabled: before === "active",
  });
  const hasEnded = before === "ended" || isStatus(session.error, 401);
  const role = session.data?.account.role;
  useEffect(() => {
    if (role !== undefined) enter(to, role);
  }, [role, to]);

  if (setup.data?.needed) {
    return (
      <CenteredPage
        title="Not set up yet"
        description={
          <>
            No account yet. Open the setup link printed in the server's terminal (it contains{" "}
            <code className="font-mono text-sm">/setup#</code>).
          </>
        }
      >
        <CodeBlock
          label="Or set the account in the server's environment"
          code={[
            "export ADMIN_EMAIL=you@example.com",
            'export ADMIN_PASSWORD="a passphrase of your own"',
            "npm start",
          ].join("\n")}
        />
        <ProviderSignIn to={to} isMain={false} />
      </CenteredPage>
    );
  }
  return (
    <CenteredPage title={instanceName === "Holdall" ? "Sign in to Holdall" : "Sign in"}>
      {setup.error ? (
        <div className="flex flex-col gap-4">
          <Notice tone="bad">{setup.error.message}</Notice>
          <Button onClick={() => void setup.refetch()} busy={setup.isFetching}>
            Try again
          </Button>
        </div>
      ) : (
        <div className="flex flex-col gap-4">
          {hasEnded && (
            <Notice tone="info">Your session has ended. Sign in to continue where you were.</Notice>
          )}
          <SignInChoices to={to} />
        </div>
      )}
      {passwordSignsIn && (
        <p className="text-balance text-center text-muted text-sm">
          Forgot your password? Run{" "}
          <code className="font-mono text-xs">npm run holdall -- admin reset-password</code> on the
          server, with its <code className="font-mono text-xs">DATA_PATH</code> if that is set.
        </p>
      )}
    </CenteredPage>
  );
}

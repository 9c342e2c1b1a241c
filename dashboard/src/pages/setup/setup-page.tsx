import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { holdall, isStatus } from "../../app/connection/client.ts";
import { useToken } from "../../app/session/use-token.ts";
import { Button } from "../../components/button.tsx";
import { CenteredPage } from "../../components/centered-page.tsx";
import { Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { SignInChoices } from "../sign-in/sign-in-choices.tsx";
import { SetupForm } from "./setup-form.tsx";

/** The page of the setup link that the server prints at startup: `/setup#token`. */
export function SetupPage() {
  const token = useToken();
  const [refused, setRefused] = useState<{ readonly token: string; readonly error: Error }>();
  const state = useQuery({
    queryKey: ["setup-state"],
    queryFn: ({ signal }) => holdall.account.setupState({ signal }),
  });
  const refusal = refused?.token === token ? refused.error : undefined;

  if (state.data?.needed === false || isStatus(refusal, 409)) {
    return (
      <CenteredPage
        title="Account already exists"
        description="This instance is already set up. Sign in to continue."
      >
        <SignInChoices to="/files" />
      </CenteredPage>
    );
  }
  if (state.error) {
    return (
      <CenteredPage title="Set up Holdall">
        <Notice tone="bad">{state.error.message}</Notice>
        <Button onClick={() => void state.refetch()}>Try again</Button>
      </CenteredPage>
    );
  }
  if (token === "" || isStatus(refusal, 401)) {
    return (
      <CenteredPage
        title="This setup link doesn't work"
        description="It may be incomplete or expired. The server prints a new one each time it starts."
      >
        <Notice tone="info">
          Check the server's output for the latest link, or restart the server.
        </Notice>
      </CenteredPage>
    );
  }
  return (
    <CenteredPage
      title="Create your account"
      description="This is the administrator account. Use it to manage files and API keys."
    >
      {state.data === undefined ? (
        <Skeleton className="h-72" />
      ) : (
        <SetupForm token={token} onRefused={(error) => setRefused({ token, error })} />
      )}
    </CenteredPage>
  );
}

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { holdall, isStatus } from "../../app/client.ts";
import { Button } from "../../components/button.tsx";
import { Centred } from "../../components/centred.tsx";
import { Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { SignInForm } from "../sign-in/sign-in-form.tsx";
import { SetupForm } from "./setup-form.tsx";
import { useToken } from "./use-token.ts";

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
      <Centred
        title="Account already exists"
        lede="This instance is already set up. Sign in to continue."
      >
        <SignInForm to="/files" />
      </Centred>
    );
  }
  if (state.error) {
    return (
      <Centred title="Set up Holdall">
        <Notice tone="bad">{state.error.message}</Notice>
        <Button onClick={() => void state.refetch()}>Try again</Button>
      </Centred>
    );
  }
  if (token === "" || isStatus(refusal, 401)) {
    return (
      <Centred
        title="This setup link doesn't work"
        lede="It may be incomplete or expired. The server prints a new one each time it starts."
      >
        <Notice tone="info">
          Check the server's output for the latest link, or restart the server.
        </Notice>
      </Centred>
    );
  }
  return (
    <Centred
      title="Create your account"
      lede="This is the administrator account. Use it to manage files and API keys."
    >
      {state.data === undefined ? (
        <Skeleton className="h-72" />
      ) : (
        <SetupForm token={token} onRefused={(error) => setRefused({ token, error })} />
      )}
    </Centred>
  );
}

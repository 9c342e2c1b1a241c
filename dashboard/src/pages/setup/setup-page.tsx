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

/** Behind the link that the first start prints: `/setup#token`. */
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
      <Centred title="The account exists already" lede="This instance has been set up: sign in.">
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
        title="This setup link does not work"
        lede="It may have been cut short, or have ended: each start of the server prints a new one until the account exists."
      >
        <Notice tone="info">
          Look at the server's output for the newest link, or start the server again.
        </Notice>
      </Centred>
    );
  }
  return (
    <Centred
      title="Create your account"
      lede="You are the administrator of this instance: with this account you keep its files and make the keys that programs use."
    >
      {state.data === undefined ? (
        <Skeleton className="h-72" />
      ) : (
        <SetupForm token={token} onRefused={(error) => setRefused({ token, error })} />
      )}
    </Centred>
  );
}

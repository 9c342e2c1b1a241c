import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useEffect, useState } from "react";
import type { PasskeyAssertion } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { enter } from "../../app/session/session.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import {
  cancelRequest,
  signWithPasskey,
  signWithSuggestion,
} from "../../passkeys/authenticator.ts";
import { obstacleHere } from "../../passkeys/find-obstacle.ts";
import { passkeyErrorText, wasCancelled } from "../../passkeys/passkey-error-text.ts";

/** Challenges work for five minutes. */
const RENEW_MS = 4 * 60_000;

/**
 * Signs in with a passkey, then opens the path `to`: by a button, and from the suggestions of the email
 * field. Nothing is shown where no passkey works.
 */
export function PasskeySignIn({ to }: { readonly to: string }) {
  const [attempts, setAttempts] = useState(0);
  const signIn = useMutation({
    mutationFn: async (chosen?: PasskeyAssertion) => {
      if (chosen !== undefined) return holdall.account.signInWithPasskey(chosen);
      const options = await holdall.account.passkeySignInOptions();
      if (options === null) throw new Error("No passkey works here any more.");
      return holdall.account.signInWithPasskey(await signWithPasskey(options));
    },
    meta: { handlesUnauthorized: true },
    // The challenge of the suggestions was used, or their request was replaced.
    onError: () => setAttempts((count) => count + 1),
    onSuccess: ({ role }) => enter(to, role),
  });
  const offer = useQuery({
    queryKey: ["passkey-sign-in", attempts],
    queryFn: ({ signal }) => holdall.account.passkeySignInOptions({ signal }),
    enabled: obstacleHere() === undefined,
    // Another page of the server may ask, which its public URL does not allow.
    meta: { handlesUnauthorized: true },
    // A new request of the suggestions would cancel the one that the user sees.
    refetchInterval: signIn.isPending ? false : RENEW_MS,
    refetchIntervalInBackground: true,
    // The timer does not run while the computer sleeps.
    staleTime: RENEW_MS,
    refetchOnWindowFocus: !signIn.isPending,
    gcTime: 0,
    placeholderData: (before) => before,
  });
  const { mutate } = signIn;
  const options = offer.isPlaceholderData ? undefined : offer.data;
  useEffect(() => {
    if (options === undefined || options === null) return;
    let isCurrent = true;
    signWithSuggestion(options).then(
      (chosen) => {
        if (isCurrent && chosen !== undefined) mutate(chosen);
      },
      // Only a suggestion: the button says what goes wrong.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [options, mutate]);
  useEffect(() => () => void cancelRequest(), []);

  if (offer.data === undefined || offer.data === null) return null;
  const error = signIn.error !== null && !wasCancelled(signIn.error) ? signIn.error : undefined;
  return (
    <>
      <Button
        size="lg"
        Icon={KeyRound}
        busy={signIn.isPending}
        onClick={() => signIn.mutate(undefined)}
      >
        Sign in with a passkey
      </Button>
      {error && <Notice tone="bad">{passkeyErrorText(error)}</Notice>}
    </>
  );
}

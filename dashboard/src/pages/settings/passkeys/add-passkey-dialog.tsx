import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { PasskeyCreationOptions } from "../../../../../sdk/src/holdall.ts";
import { holdall, isStatus } from "../../../app/connection/client.ts";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { showToast } from "../../../components/toast-store.ts";
import { createPasskey } from "../../../passkeys/authenticator.ts";
import { passkeyErrorText } from "../../../passkeys/passkey-error-text.ts";
import { codeError, givenPasswordError } from "../../sign-in/validate-credentials.ts";
import { describeDevice } from "../describe-device.ts";
import { ProofCodeField, ProofPasswordField } from "../proof-fields.tsx";
import { PASSKEYS_KEY } from "./use-passkeys.ts";

/** Asks for the password, and the code with two-step sign-in, then lets the browser make a passkey. */
export function AddPasskeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [currentPassword, setCurrent] = useState("");
  const [code, setCode] = useState("");
  const [submitted, setSubmitted] = useState(false);
  // After a cancelled attempt, neither is asked for again: a code works once.
  const [prepared, setPrepared] = useState<PasskeyCreationOptions>();
  const client = useQueryClient();
  // Aborted once the dialog is closed, so that the browser does not ask afterwards.
  const closing = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    closing.current = controller;
    return () => controller.abort();
  }, []);
  const factor = useQuery({
    queryKey: ["second-factor"],
    queryFn: ({ signal }) => holdall.account.secondFactor({ signal }),
  });
  const add = useMutation({
    mutationFn: async () => {
      const proof = { currentPassword, code: code === "" ? undefined : code };
      const { signal } = closing.current;
      const options = prepared ?? (await holdall.account.preparePasskey(proof, { signal }));
      setPrepared(options);
      const response = await createPasskey(options, signal);
      // The challenge is used up then, whatever the server says.
      setPrepared(undefined);
      const name = describeDevice(navigator.userAgent);
      return holdall.account.addPasskey({ response, name });
    },
    meta: { handlesUnauthorized: true },
    onSuccess: async ({ name }) => {
      onClose();
      showToast(`Passkey “${name}” added. You can sign in with it now.`);
      await client.invalidateQueries({ queryKey: PASSKEYS_KEY });
    },
  });
  const needsCode =
    (factor.data !== undefined && factor.data.enabledAt !== null) || isStatus(add.error, 403);
  const errors = {
    password: givenPasswordError(currentPassword),
    code: needsCode ? codeError(code) : undefined,
  };
  const isValid =
    prepared !== undefined || (errors.password === undefined && errors.code === undefined);
  return (
    <FormDialog
      title="Add a passkey"
      onClose={onClose}
      onSubmit={() => {
        setSubmitted(true);
        if (isValid) add.mutate();
      }}
      submitLabel={prepared !== undefined && !add.isPending ? "Try again" : "Continue"}
      busy={add.isPending}
      errorText={add.error ? passkeyErrorText(add.error) : undefined}
    >
      <p className="text-muted">
        Confirm that it's you. Your browser then asks for your fingerprint, your face, a PIN or a
        security key, and makes the passkey.
      </p>
      {prepared === undefined && (
        <ProofPasswordField
          value={currentPassword}
          error={submitted ? errors.password : undefined}
          onChange={(event) => setCurrent(event.target.value)}
        />
      )}
      {prepared === undefined && needsCode && (
        <ProofCodeField
          value={code}
          error={submitted ? errors.code : undefined}
          onChange={(event) => setCode(event.target.value)}
        />
      )}
    </FormDialog>
  );
}

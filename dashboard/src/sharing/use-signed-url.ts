import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FileObject, SettingsObject } from "../../../sdk/src/holdall.ts";
import { holdall } from "../app/connection/client.ts";
import { settingsQuery } from "../app/session/settings-query.ts";
import { toLocalInputValue } from "../text/time-zone.ts";
import { chosenLifetime, type LifetimeChoice, type LifetimeLimits } from "./signed-lifetimes.ts";
import { useCopyCreated } from "./use-copy-created.ts";

interface Signing {
  readonly file: FileObject;
  readonly expiresIn: number;
}

/** The form of a signed URL, with the URL that it creates. */
export function useSignedUrl(file: FileObject) {
  const settings = useQuery(settingsQuery);
  const limits = limitsOf(settings.data);
  const [edited, setEdited] = useState<LifetimeChoice>();
  const [isCopied, copy] = useCopyCreated();
  const sign = useMutation({
    mutationFn: ({ file: target, expiresIn }: Signing) => holdall.files.sign(target, { expiresIn }),
  });
  const chosen = edited ?? (limits && defaultChoice(limits));
  const lifetime = chosen && limits && chosenLifetime(chosen, limits.max, new Date());
  return {
    settings,
    limits,
    chosen,
    error: lifetime && "error" in lifetime ? lifetime.error : undefined,
    edit(change: Partial<LifetimeChoice>) {
      if (chosen === undefined) return;
      setEdited({ ...chosen, ...change });
      sign.reset();
    },
    sign,
    isCopied,
    submit() {
      if (sign.isPending) return;
      if (lifetime === undefined || "error" in lifetime) return;
      const signing = sign.mutateAsync({ file, expiresIn: lifetime.seconds });
      copy(signing.then(({ url }) => url));
    },
  };
}

/** Signed URLs of members work for an hour at most, because nothing can revoke them. */
const MEMBER_LIMITS: LifetimeLimits = { default: 3_600, max: 3_600 };

function limitsOf(settings: SettingsObject | null | undefined): LifetimeLimits | undefined {
  if (settings === null) return MEMBER_LIMITS;
  return (
    settings && {
      default: Math.min(settings.defaultPresignSeconds.value, settings.maxPresignSeconds.value),
      max: settings.maxPresignSeconds.value,
    }
  );
}

function defaultChoice({ default: seconds }: LifetimeLimits): LifetimeChoice {
  const custom = toLocalInputValue(new Date(Date.now() + seconds * 1_000));
  return { choice: String(seconds), custom };
}

import { useMutation } from "@tanstack/react-query";
import { LogIn } from "lucide-react";
import { identitiesOf } from "../../../../sdk/src/people.ts";
import { holdall } from "../../app/connection/client.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";

export interface ProviderAcceptProps {
  readonly token: string;
  /** The provider's name. */
  readonly name: string;
  readonly isMain: boolean;
}

/** Accepts an invitation with an account at the provider: leaves for its page, which sends the browser back. */
export function ProviderAccept({ token, name, isMain }: ProviderAcceptProps) {
  const begin = useMutation({
    mutationFn: () => identitiesOf(holdall).beginInvitation({ token }),
    meta: { handlesUnauthorized: true },
    onSuccess: (url) => location.assign(url),
  });
  return (
    <>
      <Button
        variant={isMain ? "primary" : "secondary"}
        size="lg"
        Icon={LogIn}
        busy={begin.isPending}
        onClick={() => begin.mutate()}
      >
        <span className="min-w-0 truncate">
          Continue with <bdi>{name}</bdi>
        </span>
      </Button>
      {begin.error && <Notice tone="bad">{begin.error.message}</Notice>}
    </>
  );
}

import { LogIn } from "lucide-react";
import { withBasePath } from "../../app/navigation/location.ts";
import { providerName } from "../../app/session/sign-in-methods.ts";
import { buttonClass } from "../../components/button.tsx";

/** Leaves for the provider, which sends the browser to the path `to`. Nothing is shown without a provider. */
export function ProviderSignIn({ to, isMain }: { readonly to: string; readonly isMain: boolean }) {
  if (providerName === undefined) return null;
  return (
    <a
      href={withBasePath(`/auth/oidc?to=${encodeURIComponent(to)}`)}
      className={buttonClass({ variant: isMain ? "primary" : "secondary", size: "lg" })}
    >
      <LogIn aria-hidden className="size-4 flex-none" />
      <span className="min-w-0 truncate">
        Sign in with <bdi>{providerName}</bdi>
      </span>
    </a>
  );
}

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ImageUp } from "lucide-react";
import { useRef } from "react";
import { logoOf } from "../../../../sdk/src/logo.ts";
import { holdall } from "../../app/connection/client.ts";
import { withBasePath } from "../../app/navigation/location.ts";
import { Button } from "../../components/button.tsx";
import { LoadError } from "../../components/load-error.tsx";
import { Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { Section } from "./section.tsx";

const LOGO_KEY = ["logo"];

/** The logo of the instance, and how to change it. */
export function LogoSection() {
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const logo = useQuery({
    queryKey: LOGO_KEY,
    queryFn: ({ signal }) => logoOf(holdall).read({ signal }),
  });
  const change = useMutation({
    mutationFn: (file: File | undefined) =>
      file === undefined ? logoOf(holdall).remove() : logoOf(holdall).put(file),
    onSuccess: (changed) => client.setQueryData(LOGO_KEY, changed),
  });
  const shown = logo.data;

  return (
    <Section
      title="Logo"
      description="Beside the name. A PNG, JPEG or WebP image of at most 1 MiB."
    >
      {logo.error && shown === undefined ? (
        <LoadError
          title="Couldn't load the logo"
          error={logo.error}
          onRetry={() => void logo.refetch()}
        />
      ) : shown === undefined ? (
        <Skeleton className="h-18" />
      ) : (
        <div className="flex flex-col items-start gap-4">
          {shown !== null && (
            <div className="flex max-w-full overflow-hidden rounded-lg border border-line">
              {["bg-white", "bg-[#0f1113]"].map((back) => (
                <div key={back} className={`grid place-items-center p-4 ${back}`}>
                  <img
                    src={withBasePath(`/${shown.url}`)}
                    width={shown.width}
                    height={shown.height}
                    alt={back === "bg-white" ? "The logo on light pages" : "The logo on dark pages"}
                    className="h-auto max-h-10 w-auto max-w-32"
                  />
                </div>
              ))}
            </div>
          )}
          {change.error && <Notice tone="bad">{change.error.message}</Notice>}
          <input
            ref={input}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            className="hidden"
            tabIndex={-1}
            aria-label="Image of the logo"
            onChange={({ target }) => {
              const file = target.files?.[0];
              target.value = "";
              if (file !== undefined) change.mutate(file);
            }}
          />
          <div className="flex gap-2">
            <Button Icon={ImageUp} busy={change.isPending} onClick={() => input.current?.click()}>
              {shown === null ? "Choose an image" : "Replace"}
            </Button>
            {shown !== null && !change.isPending && (
              <Button variant="quiet" onClick={() => change.mutate(undefined)}>
                Remove
              </Button>
            )}
          </div>
        </div>
      )}
    </Section>
  );
}

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ApiKeyObject } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { FIELD_CLASS } from "../../components/fields/input.tsx";
import { IconButton } from "../../components/icon-button.tsx";

/** A key's name, editable in place. */
export function KeyName({ apiKey }: { readonly apiKey: ApiKeyObject }) {
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setEditing(false);
    // The field had the focus and has been unmounted.
    setTimeout(() => button.current?.focus());
  };
  if (editing) return <NameField apiKey={apiKey} onDone={close} />;
  return (
    <span className="flex min-w-0 items-center gap-0.5">
      <bdi className="truncate font-medium" title={apiKey.name}>
        {apiKey.name}
      </bdi>
      <IconButton
        ref={button}
        label={`Rename ${apiKey.name}`}
        data-tooltip="Rename"
        Icon={Pencil}
        className="-my-1"
        onClick={() => setEditing(true)}
      />
    </span>
  );
}

interface NameFieldProps {
  readonly apiKey: ApiKeyObject;
  readonly onDone: () => void;
}

/** Enter or blur saves the name, Escape cancels. */
function NameField({ apiKey, onDone }: NameFieldProps) {
  const [name, setName] = useState(apiKey.name);
  const input = useRef<HTMLInputElement>(null);
  const isCancelled = useRef(false);
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: () => holdall.keys.rename(apiKey.id, name),
    onSuccess: (changed) => {
      client.setQueryData<ApiKeyObject[]>(["keys"], (keys) =>
        keys?.map((key) => (key.id === changed.id ? changed : key)),
      );
      onDone();
    },
  });
  useEffect(() => input.current?.select(), []);

  const submit = () => {
    if (isCancelled.current || rename.isPending) return;
    if (name.trim() === "" || name.trim() === apiKey.name) onDone();
    else rename.mutate();
  };
  return (
    <form
      className="relative min-w-0 flex-1"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <input
        ref={input}
        aria-label={`New name for ${apiKey.name}`}
        aria-invalid={rename.isError || undefined}
        aria-describedby={rename.isError ? `wrong-${apiKey.id}` : undefined}
        value={name}
        dir="auto"
        maxLength={100}
        readOnly={rename.isPending}
        autoComplete="off"
        spellCheck={false}
        className={`h-8 max-w-md px-2 font-medium ${FIELD_CLASS}`}
        onChange={(event) => {
          rename.reset();
          setName(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          isCancelled.current = true;
          onDone();
        }}
        onBlur={() => {
          if (!rename.isError) submit();
        }}
      />
      <p id={`wrong-${apiKey.id}`} role="alert" className="mt-1 text-bad text-sm empty:hidden">
        {rename.error?.message}
      </p>
    </form>
  );
}

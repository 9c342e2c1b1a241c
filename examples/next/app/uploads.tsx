"use client";

import { useUploads } from "@holdall/react";
import { useRouter } from "next/navigation";

export function Uploads() {
  const router = useRouter();
  const { items, progress, add, cancel, retry } = useUploads({
    async request({ name, size }, signal) {
      const body = JSON.stringify({ name, size });
      const response = await fetch("/api/uploads", { method: "POST", body, signal });
      const answer = await response.json();
      if (!response.ok) throw new Error(answer.message);
      return answer.url;
    },
    // The page is rendered again, with the new picture.
    onComplete: () => router.refresh(),
  });
  return (
    <section>
      <input
        type="file"
        accept="image/*"
        multiple
        aria-label="Pictures"
        onChange={({ target }) => add(target.files ?? [])}
      />
      {progress.files > 0 && <progress value={progress.loaded} max={progress.total} />}
      <ul>
        {items.map(({ id, name, status, error }) => (
          <li key={id}>
            {name}: {error?.message ?? status}{" "}
            {status === "failed" && (
              <button type="button" onClick={() => retry(id)}>
                Try again
              </button>
            )}
            {status !== "complete" && (
              <button type="button" onClick={() => cancel(id)}>
                Cancel
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

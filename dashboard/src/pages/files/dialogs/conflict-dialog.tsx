import { useState } from "react";
import { useStore } from "../../../app/store.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialogs/dialog.tsx";
import { Checkbox } from "../../../components/fields/checkbox.tsx";
import { type ConflictQuestion, conflictQuestion } from "../actions/conflict-question.ts";

/**
 * Asks what to do with a file or folder that was moved or renamed to a name that is taken. Part of every
 * page, because the files page may be left before all questions are answered.
 */
export function ConflictDialog() {
  const question = useStore(conflictQuestion);
  return question === undefined ? null : <Question key={question.id} {...question} />;
}

function Question({ name, folder, mayReplace, isPermanent, count, answer }: ConflictQuestion) {
  const [forAll, setForAll] = useState(false);
  return (
    <Dialog
      title="Name already taken"
      onClose={() => answer("skip", true)}
      footer={
        <>
          <Button onClick={() => answer("keepBoth", forAll)}>Keep both</Button>
          {mayReplace && (
            <Button
              variant={isPermanent ? "danger" : "secondary"}
              onClick={() => answer("replace", forAll)}
            >
              Replace
            </Button>
          )}
          <Button variant="quiet" onClick={() => answer("skip", forAll)}>
            {count > 1 ? "Skip" : "Cancel"}
          </Button>
        </>
      }
    >
      <p className="break-words">
        <bdi className="font-medium">“{name}”</bdi> already exists in <bdi>“{folder}”</bdi>.
      </p>
      {mayReplace && isPermanent && (
        <p className="text-bad text-sm">
          {forAll
            ? "The replaced files are deleted permanently."
            : "The replaced file is deleted permanently."}
        </p>
      )}
      {count > 1 && (
        <label className="flex w-fit items-center gap-2 text-sm">
          <Checkbox checked={forAll} onChange={(event) => setForAll(event.target.checked)} />
          Apply to all {count.toLocaleString()}
        </label>
      )}
    </Dialog>
  );
}

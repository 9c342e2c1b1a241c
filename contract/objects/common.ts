import { z } from "zod";
import { EXAMPLE_UNDO_ID } from "../example.ts";

export const timestamp = z.string().meta({
  id: "Timestamp",
  description: "UTC, `YYYY-MM-DD HH:MM:SS`.",
  example: "2026-01-31 09:30:00",
});

export const undoId = z.string().meta({
  description:
    "Identifier of the deletion, for `POST /api/trash/restore`. Only if it moved to the trash.",
  example: EXAMPLE_UNDO_ID,
});

export const nullableText = (description: string, example: string | null) =>
  z.string().nullable().meta({ description, example });

export const count = (description: string, example: number) =>
  z.int().min(0).meta({ description, example });

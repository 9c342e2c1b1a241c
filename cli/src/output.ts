import { HoldallError } from "../../sdk/src/holdall.ts";
import { escapeControlCharacters } from "../../server/terminal/escape-control-characters.ts";
import { progressText } from "../../server/terminal/progress-line.ts";
import { createTerminal } from "../../server/terminal/terminal.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import type { Progress } from "../../server/transfer/progress.ts";
import { dryRunLine, triedOut } from "./tried-out.ts";

/** A line for programs. */
export interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The output of a remote command: text for people, or one JSON object a line for programs. */
export interface Output {
  /**
   * Prints a result, as the object or as the text, which both may contain names from the server. null:
   * people do not need it.
   */
  print(object: Line, text: string | null): Promise<void>;
  /** Prints a failure to standard error, and for programs to standard output too. */
  problem(subject: string | null, error: unknown): Promise<void>;
  /** Shows the progress until the returned function is called. */
  showProgress(verb: string, progress: Progress): () => void;
}

export interface OutputOptions {
  readonly json?: boolean | undefined;
  readonly text?: boolean | undefined;
}

const REDRAW_MS = 200;
const JSON_MS = 5_000;

/** JSON lines, if standard output is not a terminal and the options do not say otherwise. */
export function createOutput({ json, text }: OutputOptions): Output {
  if (json && text) throw new UsageError("Give either --json or --text.");
  const isJson = json ?? (text ? false : !process.stdout.isTTY);
  const terminal = createTerminal();
  return {
    async print(object, line) {
      if (isJson) await terminal.line(jsonLine(object));
      else if (line !== null) await terminal.line(escapeControlCharacters(line));
    },

    async problem(subject, error) {
      const report = triedOut(error);
      if (report !== undefined) return this.print(...dryRunLine(subject, report));
      const message = messageOf(error);
      const status = error instanceof HoldallError && error.status > 0 ? error.status : null;
      if (isJson) await terminal.line(jsonLine({ type: "error", subject, status, message }));
      terminal.end();
      console.error(escapeControlCharacters(subject === null ? message : `${subject}: ${message}`));
    },

    showProgress(verb, progress) {
      const redraw = (): void =>
        terminal.progress(() => escapeControlCharacters(`${verb} ${progressText(progress)}`));
      const timer = setInterval(redraw, REDRAW_MS);
      const report = (): void => {
        const { files, bytes, total } = progress;
        void terminal.line(jsonLine({ type: "progress", files, bytes, total }));
      };
      const reports = isJson ? setInterval(report, JSON_MS) : undefined;
      return () => {
        clearInterval(timer);
        clearInterval(reports);
        terminal.end();
      };
    },
  };
}

/**
 * An object as JSON in one line. Characters that could change what a terminal shows, such as control
 * characters and bidirectional marks, are `\u` escapes, so the line is safe to print and loses nothing.
 */
function jsonLine(object: object): string {
  return JSON.stringify(object).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeUnits);
}

function escapeUnits(character: string): string {
  let escaped = "";
  for (let at = 0; at < character.length; at += 1) {
    escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

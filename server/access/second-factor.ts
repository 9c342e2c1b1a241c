import { randomBytes } from "node:crypto";
import type { Credentials, SecondFactorRecord } from "../catalog/port/credentials.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { AccountRecord, Millis } from "../domain/records.ts";
import { base32, findTotpStep, parseBase32, totpUri } from "../lib/totp.ts";
import { checkThrottled } from "./check-throttled.ts";
import type { PasswordThrottle } from "./password-throttle.ts";
import { createSealer } from "./sealer.ts";
import { hashSecret } from "./secrets.ts";
import { codeSubject } from "./throttle-subjects.ts";

/**
 * The codes of an authenticator app (TOTP, RFC 6238), and recovery codes for when it is lost. A code is
 * accepted once. Wrong codes are throttled per account.
 */
export interface SecondFactor {
  state(accountId: string): Promise<SecondFactorState>;
  /** A new secret, which nothing stores yet. */
  prepare(email: string): { secret: string; uri: string };
  /**
   * Turns it on, and returns the recovery codes, which cannot be read again. Faults: "invalid": the
   * secret is not one, or the code is not its code; "conflict": it is on already; "unauthorized": the
   * password has changed since it was checked.
   */
  enable(account: AccountRecord, given: { secret: string; code: string }): Promise<string[]>;
  /** Faults: "invalid": it is off; "unauthorized": wrong code; "rate_limited". */
  disable(account: AccountRecord, code: string): Promise<void>;
  /** Replaces the recovery codes. Faults: same as `disable`. */
  renewRecoveryCodes(account: AccountRecord, code: string): Promise<string[]>;
  /**
   * Checks the code of a sign-in; does nothing if it is off. Faults: "forbidden": a code is needed;
   * "unauthorized": it is wrong or was used before; "rate_limited".
   */
  check(accountId: string, code: string | undefined): Promise<void>;
}

export interface SecondFactorState {
  /** null: it is off. */
  readonly enabledAt: Millis | null;
  /** How many recovery codes are left. */
  readonly recoveryCodes: number;
}

export interface SecondFactorDeps {
  readonly credentials: Pick<
    Credentials,
    "secondFactorOf" | "setSecondFactor" | "recordTotpStep" | "replaceRecoveryCodes"
  >;
  readonly throttle: PasswordThrottle;
  /** AUTH_SECRET, with which the secret is encrypted. */
  readonly secret: () => string;
  readonly now: () => Millis;
}

const PURPOSE = "holdall second factor v1";
/** As RFC 4226 recommends. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 bits, so that a fast hash is enough. */
const RECOVERY_BYTES = 10;
const RECOVERY_LENGTH = 16;

export function createSecondFactor(deps: SecondFactorDeps): SecondFactor {
  const { credentials, throttle, secret: authSecret, now } = deps;
  const sealer = createSealer(authSecret, PURPOSE);

  /** Whether the code is accepted, and from then on no more. */
  async function accept(accountId: string, factor: SecondFactorRecord, code: string) {
    const typed = code.toUpperCase().replace(/[\s-]/g, "");
    if (/^\d{6}$/.test(typed)) return acceptTotp(accountId, factor, typed);
    if (typed.length !== RECOVERY_LENGTH) return false;
    const hash = hashSecret(typed);
    if (!factor.recoveryHashes.includes(hash)) return false;
    const remaining = factor.recoveryHashes.filter((each) => each !== hash);
    return credentials.replaceRecoveryCodes({
      accountId,
      from: factor.recoveryHashes,
      to: remaining,
    });
  }

  async function acceptTotp(accountId: string, factor: SecondFactorRecord, code: string) {
    const { sealedSecret, lastStep } = factor;
    const opened = sealer.open(sealedSecret, accountId);
    const secret = opened === undefined ? undefined : parseBase32(opened);
    if (secret === undefined) {
      throw new Fault(
        "unauthorized",
        "The codes of the authenticator app cannot be checked, because AUTH_SECRET has changed. Use a recovery code, or run `holdall admin reset-password --remove-second-factor` on the server, with its DATA_PATH if that is set.",
      );
    }
    const step = findTotpStep({ secret, code, at: now(), lastStep });
    return step !== undefined && credentials.recordTotpStep({ accountId, sealedSecret, step });
  }

  const checkCode = (accountId: string, factor: SecondFactorRecord, code: string): Promise<void> =>
    checkThrottled(throttle, [codeSubject(accountId)], async () => {
      if (!(await accept(accountId, factor, code))) {
        throw new Fault("unauthorized", "The code is wrong, or was used before.", {
          code: "wrong_credentials",
        });
      }
    });

  async function confirm(accountId: string, code: string): Promise<void> {
    const factor = await credentials.secondFactorOf(accountId);
    if (factor === undefined) throw new Fault("invalid", "Two-step sign-in is off.");
    await checkCode(accountId, factor, code);
  }

  return {
    async state(accountId) {
      const factor = await credentials.secondFactorOf(accountId);
      return {
        enabledAt: factor?.enabledAt ?? null,
        recoveryCodes: factor?.recoveryHashes.length ?? 0,
      };
    },
    prepare(email) {
      const secret = base32(randomBytes(SECRET_BYTES));
      return { secret, uri: totpUri(secret, email) };
    },
    async enable({ id: accountId, passwordHash }, { secret, code }) {
      const bytes = parseBase32(secret);
      if (bytes?.length !== SECRET_BYTES) {
        throw new Fault("invalid", "`secret` must be one that this server has made.");
      }
      const at = now();
      const typed = code.replace(/\s/g, "");
      const lastStep = findTotpStep({ secret: bytes, code: typed, at, lastStep: null });
      if (lastStep === undefined) {
        throw new Fault(
          "invalid",
          "The code does not match. Check the time on your phone, and enter the code that the app shows now.",
        );
      }
      const { codes, hashes } = newRecoveryCodes();
      await credentials.setSecondFactor({
        accountId,
        ifPasswordHash: passwordHash,
        factor: {
          sealedSecret: sealer.seal(secret, accountId),
          lastStep,
          recoveryHashes: hashes,
          enabledAt: at,
        },
      });
      return codes;
    },
    async disable({ id: accountId, passwordHash }, code) {
      await confirm(accountId, code);
      await credentials.setSecondFactor({
        accountId,
        ifPasswordHash: passwordHash,
        factor: null,
      });
    },
    async renewRecoveryCodes({ id: accountId }, code) {
      await confirm(accountId, code);
      const { recoveryHashes: from = [] } = (await credentials.secondFactorOf(accountId)) ?? {};
      const { codes, hashes: to } = newRecoveryCodes();
      if (await credentials.replaceRecoveryCodes({ accountId, from, to })) return codes;
      throw new Fault("conflict", "The recovery codes were changed meanwhile. Try again.");
    },
    async check(accountId, code) {
      const factor = await credentials.secondFactorOf(accountId);
      if (factor === undefined) return;
      if (code === undefined || code.trim() === "") {
        throw new Fault(
          "forbidden",
          "Enter the code of your authenticator app as well, or a recovery code.",
          { code: "code_required" },
        );
      }
      await checkCode(accountId, factor, code);
    },
  };
}

/** Like `ABCD-EFGH-IJKL-MNOP`, with their hashes. */
function newRecoveryCodes() {
  const plain = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(RECOVERY_BYTES)));
  return {
    codes: plain.map((code) => code.match(/.{4}/g)?.join("-") ?? code),
    hashes: plain.map(hashSecret),
  };
}

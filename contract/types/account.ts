export interface AccountObject {
  id: string;
  email: string;
  createdAt: string;
}

/** Two-step sign-in of an account. */
export interface SecondFactorObject {
  /** null: it is off. */
  enabledAt: string | null;
  /** The number that is left. */
  recoveryCodes: number;
}

export interface SessionObject {
  id: string;
  /** True for the caller's session. */
  current: boolean;
  userAgent: string;
  address: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
}

/** When rights were accepted, and with which token; without both they are from before invitations were accepted. */
export interface Acceptance {
  /** Epoch seconds of the system clock, as in the `iat` of tokens. */
  accepted_at?: number;
  /** The hash of the token. */
  accepted_token?: string;
}

export interface PresentedToken {
  /** Its `iat`, in epoch seconds. */
  issued_at: number;
  hash: string;
}

/**
 * Whether a token has the rights that its bearer has accepted (D105): it accepted them, or was issued after that. One from
 * before may be in the hands of another who had the address or the account then.
 */
export const hasAccepted = (
  { accepted_at, accepted_token }: Acceptance,
  { issued_at, hash }: PresentedToken,
): boolean => accepted_at === undefined || issued_at > accepted_at || hash === accepted_token;

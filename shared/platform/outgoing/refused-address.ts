/** A URL that the service does not call (D63); the message gives the reason to the user who supplied it. */
export class RefusedAddress extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedAddress';
  }
}

/**
 * A call without a usable response: unknown host, timeout, too large, too many redirects. The message is for the owner of the
 * URL.
 */
export class OutgoingFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutgoingFailure';
  }
}

/** An address that the service does not call (D63); the message says why and is meant for whoever gave it. */
export class RefusedAddress extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedAddress';
  }
}

/** A call that brought no answer: no such host, silence, too much, too many redirects. The message is meant for the owner. */
export class OutgoingFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutgoingFailure';
  }
}

export type Log = (line: string) => void;

/** Returns an error's message in one line; of an aggregate, each message. */
export const reason = (error: unknown): string => {
  if (error instanceof SuppressedError) return `${reason(error.suppressed)}; ${reason(error.error)}`;
  return error instanceof Error ? error.message : String(error);
};

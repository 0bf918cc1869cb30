export type Log = (line: string) => void;

/** What went wrong, in one line; of several that ended badly, each. */
export const reason = (error: unknown): string => {
  if (error instanceof SuppressedError) return `${reason(error.suppressed)}; ${reason(error.error)}`;
  return error instanceof Error ? error.message : String(error);
};

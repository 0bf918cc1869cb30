import type { PartnerClient } from '@nightlatch/client';

/** Returns the cursor behind the newest event; the events before it are read, not processed. */
export const newestCursor = async (
  client: PartnerClient,
  signal?: AbortSignal,
): Promise<string | undefined> => {
  let cursor: string | undefined;
  const saveCursor = (next: string): void => void (cursor = next);
  const events = client.events({ follow: false, saveCursor, signal })[Symbol.asyncIterator]();
  while (!(await events.next()).done);
  return cursor;
};

import { NightlatchError } from '@nightlatch/client';
import { useState } from 'preact/hooks';
import type { Draft, Fields } from './drafts.ts';
import { noteEnd, refreshShown } from './reading.ts';

interface Sending {
  isSending: boolean;
  error: unknown;
  /** Whether it was done. Without an answer that is not known: the next try with the same fields has the same key. */
  send: (fields: Fields, request: (key: string) => Promise<unknown>) => Promise<boolean>;
}

/** Sends what a draft intends, and shows what has come of it. */
export const useSending = (draft: Draft): Sending => {
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  return {
    isSending,
    error,
    send: async (fields, request) => {
      setSending(true);
      setError(undefined);
      try {
        await request(draft.sending(fields));
        draft.done(fields);
        await refreshShown();
        return true;
      } catch (problem) {
        noteEnd(problem);
        setError(problem);
        // A refusal is an answer; a token that has ended and a fault of the service are none.
        if (problem instanceof NightlatchError && problem.status < 500 && problem.status !== 401) {
          draft.answered();
          await refreshShown();
        }
        return false;
      } finally {
        setSending(false);
      }
    },
  };
};

import { NightlatchError } from '@nightlatch/client';
import { useState } from 'preact/hooks';
import type { Draft, Fields } from './drafts.ts';

/** What a page does with what comes of it. */
interface Following {
  /** A refusal or a lost answer: a token that is no longer taken ends the session. */
  noteEnd: (error: unknown) => void;
  /** Something was done, or is not as it was thought. */
  refresh: () => Promise<void>;
}

interface Sending {
  isSending: boolean;
  error: unknown;
  /** Whether it was done. Without an answer that is not known: the next try with the same fields has the same key. */
  send: (fields: Fields, request: (key: string) => Promise<unknown>) => Promise<boolean>;
}

/** Sends what a draft intends, and shows what has come of it. */
export const useSendingOf = (draft: Draft, { noteEnd, refresh }: Following): Sending => {
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
        await refresh();
        return true;
      } catch (problem) {
        noteEnd(problem);
        setError(problem);
        // A refusal is an answer; a token that has ended and a fault of the service are none.
        if (problem instanceof NightlatchError && problem.status < 500 && problem.status !== 401) {
          draft.answered();
          await refresh();
        }
        return false;
      } finally {
        setSending(false);
      }
    },
  };
};

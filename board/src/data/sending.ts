import { NightlatchError } from '@nightlatch/client';
import { useState } from 'preact/hooks';
import type { Draft } from './drafts.ts';
import { noteEnd, refreshShown } from './reading.ts';

interface Sending {
  isSending: boolean;
  error: unknown;
  /** Returns the answer; undefined: it was refused, or none has come. */
  send: <Answer>(request: (key: string) => Promise<Answer>) => Promise<Answer | undefined>;
}

/** Sends what a draft intends, and shows what has come of it. Without an answer the next try has the same key, so that nothing is done twice. */
export const useSending = (draft: Draft): Sending => {
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  return {
    isSending,
    error,
    send: async (request) => {
      setSending(true);
      setError(undefined);
      try {
        const answer = await request(draft.key());
        draft.done();
        await refreshShown();
        return answer;
      } catch (problem) {
        // A refusal is an answer; a token that has ended and a fault of the service are none.
        if (problem instanceof NightlatchError && problem.status < 500 && problem.status !== 401)
          draft.answered();
        noteEnd(problem);
        setError(problem);
        return undefined;
      } finally {
        setSending(false);
      }
    },
  };
};

import type { ReadBooking } from '@nightlatch/client';
import { refreshShown } from '../data/reading.ts';
import { notify } from '../parts/notice.ts';
import { say, sayError } from '../words/index.ts';
import { type MoveName, moves } from './moves.ts';

/** Says that a move was made. A check-in can be undone at once. */
export const moved = (name: MoveName, booking: ReadBooking): void => {
  const undo = async (): Promise<void> => {
    notify({ text: say('loading') });
    try {
      await moves.UNDO_CHECK_IN.send(booking, {}, crypto.randomUUID());
      await refreshShown();
      notify({ text: say('done') });
    } catch (error) {
      notify({ text: sayError(error) });
    }
  };
  notify({ text: say('done'), ...(name === 'CHECK_IN' ? { undo } : {}) });
};

import type { Fields } from '../data/drafts.ts';
import { refreshShown } from '../data/reading.ts';
import { notify } from '../parts/notice.ts';
import { api } from '../session/session.ts';
import { say, sayError } from '../words/index.ts';
import { block, book, type Deed, type Nights, priceOf, setLimits, setPrice } from './deeds.ts';

interface Given {
  fields: Fields;
  idempotencyKey: string;
  total: number;
  isOverriding: boolean;
}

/** Answers whether it was undone; false: it has been changed since. */
export type Undo = () => Promise<boolean>;

/** Returns what undoes it; undefined: nothing does. */
export const act = async (
  nights: Nights,
  deed: Deed,
  { fields, idempotencyKey, total, isOverriding }: Given,
): Promise<Undo | undefined> => {
  if (deed === 'BOOK') {
    await book(nights, { total, isOverriding }, fields, idempotencyKey);
    return undefined;
  }
  if (deed === 'RULES') return setLimits(nights, fields);
  const { undo_id } =
    deed === 'PRICE'
      ? await setPrice(nights, priceOf(fields, nights) ?? 0, { idempotencyKey })
      : await block(nights, deed, { idempotencyKey });
  if (undo_id === null) return undefined;
  return async () => {
    await api().undoBulk({ undo_id });
    return true;
  };
};

export const undoNow = async (undo: Undo): Promise<void> => {
  try {
    const isUndone = await undo();
    await refreshShown();
    notify({ text: say(isUndone ? 'done' : 'changedSince') });
  } catch (error) {
    notify({ text: sayError(error) });
  }
};

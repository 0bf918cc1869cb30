import type { Context } from '../../platform/context.ts';
import { movesHours } from '../booking/index.ts';
import { requireAsRead } from '../booking/model.ts';
import { notAvailable, type TakenTime } from '../calendar/model.ts';
import { isSameRequest } from './change.rules.ts';
import type { PlannedChange } from './planned-change.ts';

/** Whether the change moves the hours of the stay. */
const isMoved = ({ before, quote }: PlannedChange): boolean => movesHours(before, quote);

/** Whether a change asks for what the stay is already. */
export const isUnchanged = (planned: PlannedChange): boolean =>
  !isMoved(planned) && planned.difference === 0 && isSameRequest(planned.item.request, planned.request);

/** Returns what takes the new time while the present one is free; nothing if the hours stay. */
export const takenByOthers = (planned: PlannedChange): TakenTime[] => {
  if (!isMoved(planned)) return [];
  const draft = planned.draft.copy();
  draft.free(planned.before);
  return draft.taken(planned.time);
};

/**
 * Throws LISTING_NOT_AVAILABLE if the new time is taken. Where another change came between the reads of the stay and of its
 * calendar, the stay itself may take it: that is a conflict.
 */
export const requireNewTime = async ({ table }: Context, planned: PlannedChange): Promise<void> => {
  if (isMoved(planned)) planned.draft.requireCurrentCalendar(planned.time);
  const taken = takenByOthers(planned);
  if (taken.length === 0) return;
  await requireAsRead(table, [planned.before]);
  throw notAvailable(taken);
};

/** Moves the stay in the draft to its new time, which is free. */
export const moveInDraft = (planned: PlannedChange): void => {
  if (!isMoved(planned)) return;
  planned.draft.free(planned.before);
  planned.draft.take(planned.time);
};

import type { Dependencies } from '../../platform/context.ts';
import type { ServiceError } from '../../platform/errors.ts';
import { itemsPut, type Write } from '../../platform/table/index.ts';
import { CalendarDraft } from './calendar-draft.store.ts';
import { AvailabilityEntryEntity } from './calendar.store.ts';
import { notAvailable } from './taken-time.rules.ts';

/**
 * Returns the LISTING_NOT_AVAILABLE of writes whose stays, holds or blocks another caller has taken first, with what the
 * calendar has beside them; undefined if they take no time. For the sandbox scenario `taken`.
 */
export const takenFirst = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  writes: readonly Write[],
): Promise<ServiceError | undefined> => {
  const times = itemsPut(AvailabilityEntryEntity, writes);
  if (times.length === 0) return undefined;
  const draft = await CalendarDraft.load(table, times, clock.now());
  for (const time of times) {
    // A listing that returns to this calendar has left its months.
    draft.reopen(time);
    draft.take(time);
  }
  return notAvailable(times.flatMap((time) => draft.taken(time)));
};

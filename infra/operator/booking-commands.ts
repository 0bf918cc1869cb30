import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import {
  type DueBooking,
  DueBookingEntity,
  endItem,
  type Reservation,
  ReservationEntity,
} from '../../shared/domain/booking/model.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import { put } from '../../shared/platform/table/index.ts';
import { readStored } from '../../shared/platform/table/stored-item.ts';
import { toInstant } from '../../shared/platform/time/time.ts';
import { type CommandPlace, defineCommand } from './command.ts';
import { ItemsPerSecond, Moment } from './fields.ts';
import { paced } from './pace.ts';
import { eachItem } from './stored-items.ts';

const ScheduleEnds = z.strictObject({
  from: Moment.optional().describe('<instant>; stays that ended before it stay as they are'),
  rate: ItemsPerSecond,
});
type ScheduleEnds = z.output<typeof ScheduleEnds>;

/** Commands for bookings. */
export const bookingCommands = {
  'schedule-ends': defineCommand<ScheduleEnds>({
    summary: 'Schedules what follows the end of open stays, where that is missing; run again, it continues',
    changes: true,
    input: ScheduleEnds,
    run: async (place, input) => {
      const turn = paced(input.rate);
      const { missing, ended } = await eachMissing(place, input, async (item) => {
        await turn();
        await place.deps.table.put(put(DueBookingEntity, item));
      });
      return { scheduled: missing, ended };
    },
    dryRun: async (place, input) => {
      const { missing, ended } = await eachMissing(place, input, () => Promise.resolve());
      return { would_schedule: missing, ended };
    },
  }),
};

const openStates: readonly Reservation['state'][] = ['PENDING', 'CONFIRMED', 'CHECKED_IN'];

const openReservations = {
  FilterExpression: `#entity = :entity AND #state IN (${openStates.map((_, at) => `:s${at}`).join(', ')})`,
  ExpressionAttributeNames: { '#entity': 'entity', '#state': 'state' },
  ExpressionAttributeValues: marshall({
    ':entity': ReservationEntity.name,
    ...Object.fromEntries(openStates.map((state, at) => [`:s${at}`, state])),
  }),
};

/**
 * Calls `take` with the due item of each open stay that has none for its end. `ended` counts those that the next run of the
 * schedule moves. A stay that moves meanwhile is no harm: the schedule goes by the stay, not by its item.
 */
const eachMissing = async (
  place: CommandPlace,
  { from = instantText(0) }: ScheduleEnds,
  take: (item: DueBooking) => Promise<void>,
): Promise<{ missing: number; ended: number }> => {
  const { table, clock } = place.deps;
  const found = { missing: 0, ended: 0 };
  await eachItem(place, openReservations, async (raw) => {
    const stay = readStored(ReservationEntity, raw, () => undefined);
    const item = endItem(stay);
    if (toInstant(stay.end_at, stay.timezone) < Date.parse(from)) return;
    if (await table.get(DueBookingEntity, item)) return;
    await take(item);
    found.missing++;
    if (item.due_at <= clock.now()) found.ended++;
  });
  return found;
};

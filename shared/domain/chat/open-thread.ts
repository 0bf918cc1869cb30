import type { EventOf } from '../../events.ts';
import type { Dependencies } from '../../platform/context.ts';
import { AlreadyHandled, commitOnce } from '../../platform/events/handle-once.ts';
import { orderIdOf } from '../../platform/ids.ts';
import { create } from '../../platform/table/index.ts';
import { ReservationEntity } from '../booking/index.ts';
import { ThreadEntity } from './chat.entity.ts';
import { newThread } from './new-thread.ts';

/** Opens the thread of a new booking with its first message, once, however often the event comes (D65). */
export const openThread = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  event: EventOf<'booking.created'>,
): Promise<void> => {
  const reservation_id = event.data.id;
  const ids = { order_id: orderIdOf(reservation_id), reservation_id };
  const reservation = await deps.table.get(ReservationEntity, ids);
  if (!reservation) throw new Error(`the booking ${reservation_id} of event ${event.id} is not there`);
  const { thread, writes } = newThread(deps, reservation);
  await commitOnce(deps, { consumer: 'chat', event_id: event.id, recipient: null }, [
    create(ThreadEntity, thread, () => new AlreadyHandled()),
    ...writes,
  ]);
};

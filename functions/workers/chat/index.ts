import { consumeTogether } from '../../../shared/consume.ts';
import { bookingEvents } from '../../../shared/domain/booking/booking.events.ts';
import { followStay, openThreads } from '../../../shared/domain/chat/index.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { environment } from '../../../shared/platform/environment/environment.ts';
import { chatSubscription } from '../../../shared/subscriptions.ts';

/** Opens a chat thread for each new booking, and has it name the home and the guest that the stay has now. */
export const chatWorker = consumeTogether(
  chatSubscription,
  bookingEvents,
  async (deps: Dependencies, events) => {
    await openThreads(
      deps,
      events.filter((event) => event.event_type === 'booking.created'),
    );
    for (const event of events) if (event.event_type !== 'booking.created') await followStay(deps, event);
  },
);

/** The Lambda handler of the queue `chat`. */
export const handler = chatWorker(environment);

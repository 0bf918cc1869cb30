import { consumeTogether } from '../../../shared/consume.ts';
import { bookingEvents } from '../../../shared/domain/booking/booking.events.ts';
import { openThreads } from '../../../shared/domain/chat/index.ts';
import { environment } from '../../../shared/platform/environment.ts';
import { chatSubscription } from '../../../shared/subscriptions.ts';

/** Opens a chat thread for each new booking. */
export const chatWorker = consumeTogether(chatSubscription, bookingEvents, openThreads);

/** The Lambda handler of the queue `chat`. */
export const handler = chatWorker(environment);

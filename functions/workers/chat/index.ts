import { openThread } from '../../../shared/domain/chat/index.ts';
import { consume } from '../../../shared/platform/events/consume.ts';
import { environment } from '../../../shared/platform/environment.ts';

/** Opens a chat thread for each new booking. */
export const chatWorker = consume(openThread);

/** The Lambda handler of the queue `chat`. */
export const handler = chatWorker(environment);

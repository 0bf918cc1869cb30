import { consume } from '../../../shared/consume.ts';
import { openThread } from '../../../shared/domain/chat/index.ts';
import { environment } from '../../../shared/platform/environment.ts';

/** Opens a chat thread for each new booking. */
export const chatWorker = consume('chat', openThread);

/** The Lambda handler of the queue `chat`. */
export const handler = chatWorker(environment);

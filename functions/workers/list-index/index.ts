import { packStays } from '../../../shared/domain/booking/index.ts';
import { consume } from '../../../shared/platform/events/consume.ts';
import { environment } from '../../../shared/platform/environment.ts';

/** Keeps the packed lists of bookings up to date. */
export const listIndexWorker = consume(packStays, { processInParallel: false });

/** The Lambda handler of the queue `list-index`. */
export const handler = listIndexWorker(environment);

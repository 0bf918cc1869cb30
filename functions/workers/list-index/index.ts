import { packStays } from '../../../shared/domain/booking/index.ts';
import { packListings } from '../../../shared/domain/listing/index.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { consume, type HandleEvent } from '../../../shared/platform/events/consume.ts';
import { environment } from '../../../shared/platform/environment.ts';

const packLists: HandleEvent<Pick<Dependencies, 'table' | 'clock'>> = (deps, message) =>
  /^(listing|review)\./.test(message.event_type) ? packListings(deps, message) : packStays(deps, message);

/** Keeps the packed lists of bookings and listings up to date. */
export const listIndexWorker = consume(packLists, { processInParallel: false });

/** The Lambda handler of the queue `list-index`. */
export const handler = listIndexWorker(environment);

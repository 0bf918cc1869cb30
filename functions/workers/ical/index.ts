import { consume } from '../../../shared/consume.ts';
import { markFeedChanged } from '../../../shared/domain/ical/index.ts';
import { environment } from '../../../shared/platform/environment.ts';

/** Notes which calendar exports have changed. */
export const icalWorker = consume('ical', markFeedChanged);

/** The Lambda handler of the queue `ical`. */
export const handler = icalWorker(environment);

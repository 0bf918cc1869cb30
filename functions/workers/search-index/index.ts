import { consume } from '../../../shared/consume.ts';
import { indexListing } from '../../../shared/domain/search/index.ts';
import { environment } from '../../../shared/platform/environment.ts';

/** Keeps what search knows of the listings up to date. */
export const searchIndexWorker = consume('search-index', indexListing, { processInParallel: false });

/** The Lambda handler of the queue `search-index`. */
export const handler = searchIndexWorker(environment);

import type { Log } from '../metrics/log.ts';
import { recordMetric } from '../metrics/index.ts';
import { once } from '../once.ts';
import { recordCheckPercent } from '../settings.ts';
import { checkSomeRecords, type RecordCheck } from '../table/index.ts';

/** Returns the check of deployed functions: some items, whose mismatch is logged and counted. */
export const recordCheck = (log: Pick<Log, 'error'>): RecordCheck =>
  checkSomeRecords(once(recordCheckPercent), ({ entity, key, issues }) => {
    const { pk, sk } = key;
    log.error('A stored item does not have the shape of its record.', {
      ...{ entity, pk: withoutAddress(pk), sk: withoutAddress(sk), issues },
    });
    recordMetric('record_mismatch', 1);
  });

/** Keys may contain e-mail addresses, which are not logged. */
const withoutAddress = (key: string): string => key.replaceAll(/[^#:]+@[^#]+/g, '…');

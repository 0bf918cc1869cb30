export { recordMetric, recordRun, recordCanary, recordFailedCanary, countRequest } from './count.ts';

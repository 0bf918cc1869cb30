export {
  recordMetric,
  recordRun,
  recordCanary,
  recordFailedCanary,
  countRequest,
  countUnexpectedPayment,
} from './count.ts';

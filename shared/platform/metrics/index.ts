export {
  recordMetric,
  recordRun,
  recordCanary,
  recordDroppedMail,
  recordFailedCanary,
  countRequest,
} from './count.ts';

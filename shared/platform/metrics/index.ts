export { recordMetric, recordRun, countRequest, countUnexpectedPayment } from './count.ts';

export { recordMetric, countRequest, countUnexpectedPayment } from './count.ts';
export { alarmedMetrics } from './alarmed-metrics.ts';

export { recordMetric, countRequest, countUnexpectedPayment } from './count.ts';
export {
  metricDimensions,
  metricNamespace,
  metricPeriodMinutes,
  type AlarmedMetric,
  alarmedMetrics,
} from './alarmed-metrics.ts';

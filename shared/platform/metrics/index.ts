export { count, countRequest, noteMoney } from './count.ts';
export {
  metricDimensions,
  metricNamespace,
  metricPeriodMinutes,
  type RingingMetric,
  ringingMetrics,
} from './ringing-metrics.ts';

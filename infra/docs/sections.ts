import { partnerGuide } from '../../functions/system/partner-guide.ts';
import { auditRules } from '../../shared/domain/audit/model.ts';
import { bookingMoves } from '../../shared/domain/booking/model.ts';
import { paymentMoves } from '../../shared/domain/payment/model.ts';
import {
  type AlarmedMetric,
  type AlarmedMetricName,
  alarmedMetrics,
} from '../../shared/platform/metrics/alarmed-metrics.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { metricImpacts } from '../cloud/impacts.ts';
import { stateDiagram, markdownTable } from './markdown.ts';

const consumerList = (): string =>
  markdownTable(
    ['consumer', 'listens to', 'when it stands still'],
    subscriptions.map(({ consumer, event_types, impact }) => [consumer, event_types.join(', '), impact]),
  );

const metricList = (): string =>
  markdownTable(
    ['alarm', 'what it means'],
    (Object.entries(alarmedMetrics) as [AlarmedMetricName, AlarmedMetric][]).map(([name, { perSchedule }]) => [
      `\`${perSchedule ? '<schedule>-' : ''}${name.replaceAll('_', '-')}\``,
      metricImpacts[name],
    ]),
  );

const ruleList = (): string =>
  markdownTable(
    ['rule', 'what holds'],
    auditRules.map(({ name, holds }) => [`\`${name}\``, holds]),
  );

/** The generated sections of written pages, by page and marker. */
export const sections: Record<string, Record<string, () => string>> = {
  'docs/partners.md': { guide: partnerGuide },
  'docs/operate.md': { figures: metricList, audit: ruleList, consumers: consumerList },
  'docs/how-it-works.md': {
    states: () => stateDiagram(bookingMoves),
    'payment-states': () => stateDiagram(paymentMoves),
  },
};

/** Returns the text of a page with every marked section regenerated. */
export const withSections = (page: string, text: string): string =>
  Object.entries(sections[page] ?? {}).reduce((result, [name, make]) => {
    const marked = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
    if (!marked.test(result)) throw new Error(`${page} has no section ${name}`);
    return result.replace(
      marked,
      (_, open: string, close: string) => `${open}\n${make().trim()}\n\n${close}`,
    );
  }, text);

import { partnerGuide } from '../../functions/system/partner-guide.ts';
import { auditRules } from '../../shared/domain/audit/model.ts';
import { bookingMoves } from '../../shared/domain/booking/model.ts';
import { paymentMoves } from '../../shared/domain/payment/model.ts';
import { schedules, workQueues } from '../../shared/schedules.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { alarmImpacts } from '../cloud/impacts.ts';
import { stateDiagram, markdownTable } from './markdown.ts';

const consumerList = (): string =>
  markdownTable(
    ['consumer', 'listens to', 'when it stands still'],
    subscriptions.map(({ consumer, event_types, impact }) => [consumer, event_types.join(', '), impact]),
  );

const workList = (): string =>
  markdownTable(
    ['work', 'when it stands still'],
    [
      ...schedules.map(({ name, everyMinutes, impact }) => [
        `${name}, every ${everyMinutes === 1 ? 'minute' : `${everyMinutes} minutes`}`,
        impact,
      ]),
      ...workQueues.map(({ consumer, impact }) => [`${consumer}, a queue`, impact]),
    ],
  );

const alarmList = (): string =>
  markdownTable(
    ['alarm', 'what users notice'],
    Object.entries(alarmImpacts).map(([name, impact]) => [`[${name}](runbooks/${name}.md)`, impact]),
  );

const ruleList = (): string =>
  markdownTable(
    ['rule', 'what holds'],
    auditRules.map(({ name, holds }) => [`\`${name}\``, holds]),
  );

/** The generated sections of written pages, by page and marker. */
export const sections: Record<string, Record<string, () => string>> = {
  'docs/partners.md': { guide: partnerGuide },
  'docs/operate.md': { alarms: alarmList, audit: ruleList, consumers: consumerList, work: workList },
  'docs/design.md': {
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

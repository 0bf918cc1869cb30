import { routeGroups } from '../../functions/routes.ts';
import { partnerGuide } from '../../functions/system/partner-guide.ts';
import { parameterName } from '../cloud/constructs/service-settings.ts';
import { LocalEnv } from '../local/settings.ts';
import { accessPatternChart } from '../../shared/access-patterns.ts';
import { entities } from '../../shared/entities.ts';
import { bookingMoves } from '../../shared/domain/booking/booking-moves.ts';
import { partnerEventData } from '../../shared/domain/webhook/partner-event.schema.ts';
import { paymentMoves } from '../../shared/domain/payment/payment-moves.ts';
import { errorCatalogue } from '../../shared/platform/errors.ts';
import { settingRows } from '../../shared/platform/settings.ts';
import { subscriptions } from '../../shared/subscriptions.ts';

const tableOf = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const routeList = (): string =>
  tableOf(
    ['route', 'who', 'what'],
    routeGroups
      .flatMap(({ routes }) => Object.values(routes))
      .map(({ method, path, access, summary }) => [`\`${method} ${path}\``, access, summary]),
  );

const errorList = (): string =>
  tableOf(
    ['code', 'status', 'meaning'],
    Object.entries(errorCatalogue).map(([code, { status, meaning }]) => [
      `\`${code}\``,
      String(status),
      meaning,
    ]),
  );

const consumerList = (): string =>
  tableOf(
    ['consumer', 'listens to', 'when it stands still'],
    subscriptions.map(({ consumer, event_types, impact }) => [consumer, event_types.join(', '), impact]),
  );

const eventList = (): string =>
  tableOf(
    ['event', 'when', '`data.id`', 'also in `data`'],
    Object.entries(partnerEventData).map(([type, { meaning, data }]) => {
      const { id, ...others } = data.shape;
      const fields = Object.keys(others).map((field) => `\`${field}\``);
      return [`\`${type}\``, meaning, id.description ?? '', fields.join(', ')];
    }),
  );

const eventExamples = (): string =>
  [
    '```text',
    ...Object.entries(partnerEventData).map(([type, { example }]) => `${type} ${JSON.stringify(example)}`),
    '```',
  ].join('\n');

const settingList = (): string =>
  tableOf(
    ['variable', 'default', 'values', 'in the cloud', 'meaning'],
    [
      ...settingRows().map(({ name, byDefault, values, meaning }) => [
        `\`${name}\``,
        byDefault,
        values,
        `\`${parameterName(name)}\``,
        meaning,
      ]),
      ...Object.entries(LocalEnv.shape).map(([name, schema]) => {
        const { byDefault, values, description = '' } = schema.meta() ?? {};
        return [`\`${name}\``, String(byDefault), String(values), '', description];
      }),
    ],
  );

type Moves = Record<string, { from: readonly string[]; to: string }>;

const stateDiagram = (moves: Moves): string =>
  [
    '```mermaid',
    'stateDiagram-v2',
    ...Object.entries(moves).flatMap(([move, { from, to }]) =>
      from.map((state) => `  ${state} --> ${to}: ${move}`),
    ),
    '```',
  ].join('\n');

/** The parts of the README that are made from the tables of the house, by the name of their marker. */
export const sections: Record<string, () => string> = {
  routes: routeList,
  errors: errorList,
  consumers: consumerList,
  events: () => `${eventList()}\n\nThe \`data\` of each, as it may look:\n\n${eventExamples()}`,
  settings: settingList,
  states: () => stateDiagram(bookingMoves),
  'payment-states': () => stateDiagram(paymentMoves),
  guide: partnerGuide,
  table: () => accessPatternChart(entities),
};

/** The text with every marked section made anew. */
export const withSections = (text: string): string =>
  Object.entries(sections).reduce((result, [name, make]) => {
    const marked = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
    if (!marked.test(result)) throw new Error(`the README has no section ${name}`);
    return result.replace(
      marked,
      (_, open: string, close: string) => `${open}\n${make().trim()}\n\n${close}`,
    );
  }, text);

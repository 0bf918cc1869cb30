import { instance } from '@viz-js/viz';
import { routeGroups } from '../../functions/routes.ts';
import { bookingMoves } from '../../shared/domain/booking/model.ts';
import { schedules, workQueues } from '../../shared/schedules.ts';
import { subscriptions } from '../../shared/subscriptions.ts';

const graphviz = await instance();

/** Graphviz knows the widths of its letters; readers may have another of its kind. */
const font = 'Arial';
const fonts = 'Helvetica,Arial,sans-serif';

/** Returns a graph in the language of Graphviz as SVG, without what a page may have only once. */
const drawn = (lines: readonly string[]): string => {
  const graph = [
    'digraph {',
    'bgcolor=white pad=0.2 nodesep=0.3 ranksep=0.35',
    `node [shape=box style=rounded height=0.35 margin="0.2,0.08" fontname=${font} fontsize=12]`,
    `edge [arrowsize=0.7 fontname=${font} fontsize=11]`,
    ...lines,
    '}',
  ].join('\n');
  const svg = graphviz.renderString(graph, { format: 'svg' });
  return `${svg
    .slice(svg.indexOf('<svg'))
    .replace(/ width="(\d+)pt" height="(\d+)pt"/, ' width="$1" height="$2"')
    .replaceAll(`font-family="${font}"`, `font-family="${fonts}"`)
    .replaceAll(/ id="[^"]*"|<title>[^<]*<\/title>\n|<!--[^>]*-->\n/g, '')
    .trim()}\n`;
};

const node = (name: string, ...lines: string[]): string =>
  `${JSON.stringify(name)} [label=${JSON.stringify(lines.join('\n'))}]`;
const edge = (from: string, to: string, label = '', more = ''): string =>
  `${JSON.stringify(from)} -> ${JSON.stringify(to)} [label=${JSON.stringify(label === '' ? '' : ` ${label}  `)} ${more}]`;

const routes = new Map(routeGroups.flatMap(({ routes: rows }) => Object.entries(rows)));
/** How an operation is called. */
const call = (id: string): string => {
  const route = routes.get(id);
  if (!route) throw new Error(`no operation ${id}`);
  return `${route.method} ${route.path.replace('/api/v1', '')}`;
};

/** What a partner calls for a booking, and what it learns of it. */
const partnerWay = (): string => {
  const way = [
    ['searchExternalListings', 'what is free, with its price'],
    ['createQuote', 'the price, line by line'],
    ['holdQuote', 'the time is kept for 15 minutes'],
    ['createExternalBooking', 'the night is sold, once'],
  ] as const;
  const after = [
    ['createWebhook', 'each event is sent, signed'],
    ['readEvents', 'each event can be read, in order'],
  ] as const;
  const later = [
    ['changeExternalBooking', 'other nights, at once'],
    ['cancelExternalBooking', 'refunded by its terms'],
  ] as const;
  const booking = 'createExternalBooking';
  return drawn([
    ...[...way, ...after, ...later].map(([id, meaning]) => node(id, call(id), meaning)),
    ...way.slice(1).map(([id], at) => edge(way[at]?.[0] ?? '', id)),
    edge('searchExternalListings', booking, 'at once', 'style=dashed'),
    ...later.map(([id]) => edge(booking, id)),
    ...after.map(([id]) => edge(booking, id, '', 'style=dotted')),
  ]);
};

/** The states of a booking, and which operation of a host makes each; without one: guest, payment or schedule. */
const bookingStates = (): string => {
  const operations: Readonly<Record<string, string>> = {
    confirm: 'confirmBooking',
    decline: 'declineBooking',
    cancel: 'cancelBooking',
    check_in: 'checkInBooking',
    undo_check_in: 'undoCheckIn',
    check_out: 'checkOutBooking',
    complete: 'completeBooking',
    no_show: 'markNoShow',
  };
  const edges = Object.entries(bookingMoves).flatMap(([move, { from, to }]) => {
    const id = operations[move];
    const label = id === undefined ? move : `…/${call(id).split('/').at(-1)}`;
    return from.map((state) => edge(state, to, label, id === undefined ? 'style=dashed' : ''));
  });
  return drawn(edges);
};

/** How what is due of a stay comes about. */
const folio = (): string =>
  drawn([
    node('price', 'Price', 'nights, fees, services', 'discounts, adjustments'),
    node('charges', 'Charges', 'minibar, broken glass', 'beside the price'),
    node('fee', 'Fee of the terms', 'once the stay fell through'),
    node('payable', 'Payable'),
    node('payments', 'Payments', 'page or token, desk,', 'transfer, partner'),
    node('refunds', 'Refunds', 'gateway, host, partner'),
    node('kept', 'Paid and kept'),
    node('due', 'Above 0: due'),
    node('credit', 'Below 0: credit'),
    node('balance', 'Payable − paid and kept'),
    edge('price', 'payable'),
    edge('charges', 'payable'),
    edge('fee', 'payable', 'instead', 'style=dashed'),
    edge('payments', 'kept', '+'),
    edge('refunds', 'kept', '−'),
    edge('payable', 'balance'),
    edge('kept', 'balance'),
    edge('balance', 'due'),
    edge('balance', 'credit'),
  ]);

/** What is deployed, and what follows a write. */
const deployed = (): string =>
  drawn([
    'rankdir=LR',
    node('gateway', 'API Gateway', 'authorizer, throttling'),
    node('functions', 'Functions of the API', `${routeGroups.length} groups of operations`),
    node('table', 'DynamoDB', 'one table, and its stream'),
    node('publisher', 'Publisher'),
    node('bus', 'EventBridge'),
    node('schedules', 'Schedules', ...schedules.map(({ name }) => name)),
    node('queues', 'SQS queues with their workers', ...subscriptions.map(({ consumer }) => consumer)),
    node('work', 'Queues of work', ...workQueues.map(({ consumer }) => consumer)),
    edge('gateway', 'functions'),
    edge('functions', 'table', 'conditional writes'),
    edge('table', 'publisher'),
    edge('publisher', 'bus'),
    edge('bus', 'queues'),
    edge('schedules', 'work'),
    edge('work', 'table'),
    edge('queues', 'table'),
  ]);

/** The pictures of the guides, by their files. */
export const pictures: Readonly<Record<string, () => string>> = {
  'docs/pictures/partners.svg': partnerWay,
  'docs/pictures/hosts.svg': bookingStates,
  'docs/pictures/money.svg': folio,
  'docs/pictures/operate.svg': deployed,
};

import { checkout } from '../../functions/checkout/index.ts';
import { checkoutRoutes } from '../../functions/checkout/routes.ts';
import { external } from '../../functions/external/index.ts';
import { externalRoutes } from '../../functions/external/routes.ts';
import { search } from '../../functions/search/index.ts';
import { searchRoutes } from '../../functions/search/routes.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { DynamoDB, type Sender } from '../../shared/platform/dynamodb/index.ts';
import { requestLimits } from '../../shared/platform/table/client.ts';
import { Table } from '../../shared/platform/table/index.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { api, type Api, type Reply, type TestGroup } from './api.ts';
import type { AccessLine, CloudWatch } from './cloudwatch.ts';
import { type Figure, figuresOf } from './figures.ts';
import { testListing } from './listings.ts';
import { stay } from './order-scene.ts';
import { testKey, testTableName, testTeam, testUser } from './table.ts';

/** What is wrong with the service: DynamoDB throttles everything, or writes alone; or a function ends without an answer. */
type Fault = 'throttled' | 'no-writes' | 'crashed';

/** What a request left in the log of its function and in the access log. */
export interface Trace {
  status: number;
  figures: Figure[];
  line: AccessLine;
}

const throttling = Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });

const refusing = (refuses: (operation: string) => boolean): Sender => {
  const client = new DynamoDB(requestLimits);
  return {
    send: (command, options) =>
      refuses(command.operation) ? Promise.reject(throttling) : client.send(command, options),
  };
};

/** The selling groups behind the real gateway, which a test can break, and everything that they report. */
export const alarmScene = async () => {
  process.env['SANDBOX_SCENARIOS'] = 'on';
  let fault: Fault | undefined;
  let line: Omit<AccessLine, 'stage'> | undefined;
  const tableName = await testTableName();
  const throttled = new Table({ client: refusing(() => true), tableName });
  const readOnly = new Table({ client: refusing((name) => name === 'TransactWriteItems'), tableName });
  const groups = (deps: Api['deps']): TestGroup[] => {
    const given = (): Dependencies => ({
      ...deps,
      ...(fault === 'throttled' ? { table: throttled } : {}),
      ...(fault === 'no-writes' ? { table: readOnly } : {}),
    });
    const breakable =
      (handler: TestGroup['handler']): TestGroup['handler'] =>
      (event, context) =>
        fault === 'crashed' ? Promise.reject(new Error('signal: killed')) : handler(event, context);
    return [
      { group: checkoutRoutes, handler: breakable(checkout(given)) },
      { group: externalRoutes, handler: breakable(external(given)) },
      { group: searchRoutes, handler: breakable(search(given, { keepMs: 0 })) },
    ];
  };
  const { deps, call } = await api({ extra: groups, onAccess: (one) => (line = one) });
  const { team_id } = await testTeam(deps);
  const listing = await testListing(deps, { team_id });
  const guest = { token: (await testUser(deps)).caller.subject };
  const partner = { key: (await testKey(deps, { team_ids: [team_id] })).api_key };
  let day = 30;
  const nextStay = () => {
    day += 2;
    const today = new Date(deps.clock.now()).toISOString().slice(0, 10);
    return stay(listing, { check_in_date: addDays(today, day), check_out_date: addDays(today, day + 1) });
  };
  const currency = 'VND';
  const requests = {
    confirm: (given: object = {}) =>
      call('POST', '/api/v1/checkout/confirm', {
        ...guest,
        body: { items: [nextStay()], currency, payment_method: 'CASH', ...given },
      }),
    preview: () =>
      call('POST', '/api/v1/checkout/preview', { ...guest, body: { items: [nextStay()], currency } }),
    search: () => call('GET', '/api/v1/search', { ...guest, query: { location: 'HN' } }),
    listings: () => call('GET', '/api/v1/external/listings', partner),
    unknownListing: () => call('GET', '/api/v1/external/listings/1', partner),
    /** An error that the caller asks for. */
    played: (scenario: string) =>
      call('POST', '/api/v1/checkout', {
        ...guest,
        body: { items: [nextStay()], currency },
        headers: { 'X-Sandbox-Scenario': scenario },
      }),
  };
  /** Sends a request while something is wrong; returns what it left. */
  const traceOf = async (request: () => Promise<Reply>, wrong?: Fault): Promise<Trace> => {
    fault = wrong;
    let status = 0;
    const figures = await figuresOf(async () => {
      ({ status } = await request());
    });
    fault = undefined;
    if (!line) throw new Error('The request is not in the access log.');
    return { status, figures, line: { stage: 'dev', ...line } };
  };
  return { deps, requests, traceOf };
};
export type AlarmScene = Awaited<ReturnType<typeof alarmScene>>;

/** The figures of the gateway itself, which API Gateway makes of each request. */
const gatewayFigures = ({ line }: Trace): Pick<Figure, 'namespace' | 'name' | 'dimensions' | 'value'>[] => [
  {
    namespace: 'AWS/ApiGateway',
    name: '5XXError',
    dimensions: { ApiName: 'nightlatch-dev', Stage: 'dev' },
    value: line.status.startsWith('5') ? 1 : 0,
  },
];

/** Records requests at a time, as if they came then. */
export const replay = (cloud: CloudWatch, now: number, traces: readonly Trace[]): void => {
  for (const trace of traces) {
    cloud.put(now, [...trace.figures, ...gatewayFigures(trace)]);
    cloud.log(now, trace.line);
  }
};

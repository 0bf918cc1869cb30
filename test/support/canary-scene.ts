import { external } from '../../functions/external/index.ts';
import { externalRoutes } from '../../functions/external/routes.ts';
import { type CanaryDependencies, canary } from '../../functions/schedules/canary/index.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import {
  type Reservation,
  ReservationEntity,
  teamStays,
} from '../../shared/domain/booking/reservation.entity.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { fixedSecret } from '../../shared/platform/secrets/index.ts';
import { api, type Api, type TestGroup } from './api.ts';
import { type Figure, figuresOf } from './figures.ts';
import { testListing } from './listings.ts';
import { besideFunctions } from './rights/as-function.ts';
import { testKey, testTeam } from './table.ts';

/** A request of the canary. */
export interface Sent {
  method: string;
  /** Below `/api/v1/external/`, with the query. */
  path: string;
  body?: { check_in_date?: string; expected_total?: number; external_booking_id?: string };
}

/** Happens before a request is sent; a response is its answer. */
type Before = (sent: Sent) => unknown;

const fetchOver =
  (call: Api['call'], sent: Sent[], before: () => Before | undefined): typeof fetch =>
  async (address, init) => {
    const { pathname, searchParams } = new URL(address);
    const { method = 'GET', headers, body } = init ?? {};
    const request: Sent = {
      method,
      path:
        pathname.replace('/api/v1/external/', '') +
        (searchParams.size > 0 ? `?${searchParams.toString()}` : ''),
      ...(typeof body === 'string' ? { body: JSON.parse(body) as NonNullable<Sent['body']> } : {}),
    };
    sent.push(request);
    const instead = await besideFunctions(async () => before()?.(request));
    if (instead instanceof Response) return instead;
    const { status, text } = await call(method, pathname, {
      key: (headers as Record<string, string>)['X-API-Key'] ?? '',
      body: request.body,
      query: Object.fromEntries(searchParams),
    });
    return new Response(text, { status });
  };

/** The canary before the whole API; a test may do something before each request, and let time pass. */
export const canaryScene = async (extra?: (deps: Api['deps']) => TestGroup[]) => {
  const { deps, call } = await api({
    extra: (given) => [{ group: externalRoutes, handler: external(() => given) }, ...(extra?.(given) ?? [])],
  });
  const { team_id } = await testTeam(deps);
  const listing: Listing = await testListing(deps, { team_id, unlisted: true });
  const { api_key } = await testKey(deps, { team_ids: [team_id], scopes: ['book'] });
  const sent: Sent[] = [];
  let before: Before | undefined;
  let laterMs = 0;
  let picked = 0;
  const given: CanaryDependencies = {
    url: 'https://api.example.com/',
    listingId: listing.id,
    secret: fixedSecret({ api_key }),
    clock: { now: () => systemClock.now() + laterMs },
    // Each night once, in their order.
    pick: () => picked++,
    fetch: fetchOver(call, sent, () => before),
  };
  const runOf = (changed: Partial<CanaryDependencies>) => canary(() => ({ ...given, ...changed }));
  /** Runs it; returns what it did or threw, its figures and what it sent. */
  const run = async (meanwhile?: Before, changed: Partial<CanaryDependencies> = {}) => {
    sent.length = 0;
    before = meanwhile;
    let outcome: unknown;
    const figures = await figuresOf(async () => {
      outcome = await runOf(changed)().catch((error: unknown) => error);
    });
    return { outcome, figures: figures.filter(isOfCanary), sent: [...sent] };
  };
  const bookings = async (): Promise<Reservation[]> =>
    (await deps.table.query(ReservationEntity, { index: 'by_team', pk: teamStays(team_id) })).items;
  return {
    ...{ deps, call, team_id, listing, api_key, run, bookings },
    /** Another run at the same time, with requests of its own. */
    other: (meanwhile: Before, nights: CanaryDependencies['pick']) =>
      runOf({ pick: nights, fetch: fetchOver(call, [], () => meanwhile) })(),
    later: (ms: number) => void (laterMs += ms),
  };
};

const isOfCanary = ({ name }: Figure): boolean => name.startsWith('canary_');

import { changes } from '../../functions/changes/index.ts';
import { changesRoutes } from '../../functions/changes/routes.ts';
import { customers } from '../../functions/customers/index.ts';
import { customersRoutes } from '../../functions/customers/routes.ts';
import { external } from '../../functions/external/index.ts';
import { externalRoutes } from '../../functions/external/routes.ts';
import { routeGroups } from '../../functions/routes.ts';
import { search } from '../../functions/search/index.ts';
import { searchRoutes } from '../../functions/search/routes.ts';
import { webhooks } from '../../functions/webhooks/index.ts';
import { webhooksRoutes } from '../../functions/webhooks/routes.ts';
import { ExternalBookingRequest, ExternalStay } from '../../shared/domain/booking/external-booking.schema.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { createQuote } from '../../shared/domain/checkout/quotes.ts';
import type { PostWebhook } from '../../shared/domain/webhook/delivery.store.ts';
import { appendEvent } from '../../shared/domain/webhook/append-event.ts';
import { createWebhook } from '../../shared/domain/webhook/webhooks.ts';
import { keyScopes, type PartnerCaller, type RouteScope } from '../../shared/platform/auth.ts';
import { instantText, machineClock } from '../../shared/platform/time/clock.ts';
import type { Route } from '../../shared/platform/http/route.ts';
import { newEventId } from '../../shared/platform/ids.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import type { Api, Asked, TestGroup } from './api.ts';
import { freshEmail, strongPassword } from './identity-contract.ts';
import { testContext } from './table.ts';
import type { World } from './world.ts';

type PartnerRoute = Route & { access: 'partner'; scope: RouteScope };

const isPartnerRow = (row: { id: string; route: Route }): row is { id: string; route: PartnerRoute } =>
  row.route.access === 'partner';

/** A call that cannot be made again, or after which others cannot be made, comes last. */
const order = ({ id, route }: { id: string; route: Route }): number =>
  route.method === 'DELETE' ? 2 : id === 'cancelExternalBooking' ? 1 : 0;

/** Every row for keys, in an order in which all can be called. */
export const partnerRows = routeGroups
  .flatMap(({ routes }) => Object.entries(routes).map(([id, route]) => ({ id, route })))
  .filter(isPartnerRow)
  .sort((one, other) => order(one) - order(other));

/** The groups with rows for keys, over an identity provider, a gateway and endpoints of the test. */
export const partnerGroups =
  (post: PostWebhook = async () => ({ status: 204 })) =>
  (deps: Api['deps']): TestGroup[] => [
    { group: customersRoutes, handler: customers(() => deps) },
    { group: changesRoutes, handler: changes(() => deps) },
    { group: externalRoutes, handler: external(() => deps) },
    { group: searchRoutes, handler: search(() => deps, { keepMs: 0 }) },
    {
      group: webhooksRoutes,
      handler: webhooks(() => deps, { post, signingClock: machineClock, address: () => ({ local: true }) }),
    },
  ];

let bookings = 0;

/** Returns a request for a stay that no other request asks for, for a guest with these data. */
export const stayRequest = ({ deps }: Api, { withOwnIds }: World, given: object = {}): object => {
  const example = partnerRows.find(({ id }) => id === 'createExternalBooking')?.route.examples.body;
  const first = addDays(instantText(deps.clock.now()).slice(0, 10), 100 + 2 * ++bookings);
  return {
    ...(withOwnIds(example) as object),
    check_in_date: first,
    check_out_date: addDays(first, 1),
    nights: 1,
    guest_number: 2,
    external_booking_id: `SH-${bookings}`,
    ...given,
  };
};

/** What a key has of its own, by path parameter. */
export type OwnIds = World['ids'];

/** Creates a booking, a quote, a webhook and a delivery of a key, whatever its scopes. */
export const ownRecords = async (service: Api, caller: PartnerCaller, here: World): Promise<OwnIds> => {
  const { deps } = service;
  const { ids, host } = here;
  const full = testContext(deps, { ...caller, scopes: [...keyScopes] });
  const { booking } = await bookExternally(full, ExternalBookingRequest.parse(stayRequest(service, here)));
  const hook = await createWebhook(
    full,
    { url: 'https://127.0.0.1:9/', event_types: ['listing.created'], description: null },
    { local: true },
  );
  const delivery_id = newEventId(deps.clock);
  await appendEvent(
    { ...deps, deliveries: { send: async () => undefined } },
    {
      id: delivery_id,
      event_type: 'listing.created',
      occurred_at: instantText(deps.clock.now()),
      team_id: host.team,
      actor: 'system:test',
      data: { id: Number(ids['listing_id']) },
    },
  );
  const { listing_id, check_in_date, check_out_date, guest_number } = ExternalStay.parse(
    stayRequest(service, here),
  );
  const { quote_id } = await createQuote(full, {
    items: [{ listing_id, check_in_date, check_out_date, guest_number }],
  });
  return { booking_id: booking.id, quote_id, webhook_id: hook.id, delivery_id };
};

/** Returns the path of a row with these ids. */
export const pathWith = ({ path }: Route, ids: World['ids']): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? 4711));

/** Returns a good request of a row: its example with the ids of the world, and what the example cannot have. */
export const goodRequest = (
  service: Api,
  { id, route }: { id: string; route: Route },
  here: World,
): Asked => {
  const example = route.examples.body;
  const account = () => service.deps.provider.add({ email: freshEmail() });
  const special: Record<string, () => Asked> = {
    registerCustomer: () => ({
      body: { ...(example as object), email: freshEmail(), password: strongPassword() },
    }),
    logInCustomer: () => ({ body: { email: account().email, password: strongPassword() } }),
    requestPasswordReset: () => ({ body: { email: freshEmail() } }),
    createExternalBooking: () => ({ body: stayRequest(service, here) }),
    holdQuote: () => ({ body: {} }),
    previewExternalChange: () => ({ body: { guest_number: 1 } }),
    changeExternalBooking: () => ({ body: { guest_number: 1 } }),
    createWebhook: () => ({ body: { ...(example as object), url: 'https://127.0.0.1:9/' } }),
    searchExternalListings: () => ({ query: { location: 'HN' } }),
  };
  return special[id]?.() ?? (example === undefined ? {} : { body: here.withOwnIds(example) });
};

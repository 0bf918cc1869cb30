import type { RouteGroup } from '../shared/platform/http/route.ts';
import { accountRoutes } from './account/routes.ts';
import { availabilityRoutes } from './availability/routes.ts';
import { bookingRoutes } from './bookings/routes.ts';
import { bulkRoutes } from './bulk/routes.ts';
import { cartRoutes } from './cart/routes.ts';
import { changesRoutes } from './changes/routes.ts';
import { chatsRoutes } from './chats/routes.ts';
import { checkoutRoutes } from './checkout/routes.ts';
import { customersRoutes } from './customers/routes.ts';
import { externalRoutes } from './external/routes.ts';
import { feedsRoutes } from './feeds/routes.ts';
import { guestRoutes } from './guest/routes.ts';
import { invitationsRoutes } from './invitations/routes.ts';
import { listingsRoutes } from './listings/routes.ts';
import { paymentsRoutes } from './payments/routes.ts';
import { pricesRoutes } from './prices/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { stayRoutes } from './stay/routes.ts';
import { systemRoutes } from './system/routes.ts';
import { teamRoutes } from './team/routes.ts';
import { webhooksRoutes } from './webhooks/routes.ts';

/** The route table: gateway, authorizer rules, functions, documents and refusal tests are derived from it. */
export const routeGroups: readonly RouteGroup[] = [
  accountRoutes,
  listingsRoutes,
  pricesRoutes,
  bulkRoutes,
  availabilityRoutes,
  bookingRoutes,
  changesRoutes,
  cartRoutes,
  chatsRoutes,
  guestRoutes,
  checkoutRoutes,
  customersRoutes,
  externalRoutes,
  feedsRoutes,
  searchRoutes,
  stayRoutes,
  paymentsRoutes,
  systemRoutes,
  teamRoutes,
  invitationsRoutes,
  webhooksRoutes,
];

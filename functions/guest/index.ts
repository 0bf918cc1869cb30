import {
  cancelBooking,
  getBooking,
  getCancellation,
  readGuest,
  readGuestAccess,
  transferCode,
} from '../../shared/domain/booking/index.ts';
import { takenFirst } from '../../shared/domain/calendar/index.ts';
import { listStayMessages, sendStayMessage } from '../../shared/domain/chat/index.ts';
import { changeBooking, previewChange } from '../../shared/domain/checkout/index.ts';
import { createReview } from '../../shared/domain/listing/index.ts';
import { openGuestPage } from '../../shared/domain/payment/index.ts';
import { paymentEnvironment } from '../../shared/platform/environment/payment-environment.ts';
import { withSealing } from '../../shared/platform/environment/sealing-environment.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { getGuestPage } from './page/get-guest-page.ts';
import { guestRoutes } from './routes.ts';

/** The routes of guests' links over any dependencies. */
export const guest = serve(
  guestRoutes,
  {
    getGuestPage,
    getGuestBooking: (ctx) => getBooking(ctx, ctx.caller.reservation_id),
    readGuestAccess: (ctx, { body }) => readGuestAccess(ctx, body),
    listGuestMessages: (ctx, { query }) => listStayMessages(ctx, query),
    sendGuestMessage: (ctx, { body }) => sendStayMessage(ctx, body),
    payGuestBooking: (ctx) => openGuestPage(ctx),
    getGuestTransferCode: (ctx) => transferCode(ctx, ctx.caller.reservation_id),
    previewGuestChange: (ctx, { body }) => previewChange(ctx, ctx.caller.reservation_id, body),
    changeGuestBooking: (ctx, { body }) => changeBooking(ctx, ctx.caller.reservation_id, body),
    getGuestCancellation: (ctx) => getCancellation(ctx, ctx.caller.reservation_id),
    cancelGuestBooking: (ctx, { body }) => cancelBooking(ctx, ctx.caller.reservation_id, body?.reason),
    reviewGuestBooking: (ctx, { body }) => createReview(ctx, ctx.caller.reservation_id, body),
  },
  { takenFirst, readGuest },
);

/** The Lambda handler of the routes of guests' links. */
export const handler = guest(withSealing(paymentEnvironment));

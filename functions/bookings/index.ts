import {
  addCharge,
  cancelBooking,
  changeDeposit,
  correctGuest,
  correctPayment,
  declineBooking,
  extendPayment,
  getBooking,
  getCancellation,
  getFolio,
  listBookingHistory,
  listMyBookings,
  listTeamBookings,
  markNoShow,
  markPaid,
  moveBooking,
  refundBooking,
  releaseAccess,
  removeCharge,
  returnRefund,
  rotateGuestLink,
  takePayment,
  transferCode,
} from '../../shared/domain/booking/index.ts';
import { takenFirst } from '../../shared/domain/calendar/index.ts';
import { listImportedStays, readTeamCalendar, readToday } from '../../shared/domain/front-desk/index.ts';
import { acceptBooking, changeHold, openDuePage } from '../../shared/domain/payment/index.ts';
import { printFolio, readStatement, statementCsv } from '../../shared/domain/statement/index.ts';
import { assignTransfer, listTransfers, returnTransfer } from '../../shared/domain/transfer/index.ts';
import { apiUrl, knowingApiUrl } from '../../shared/platform/http/api-url.ts';
import { Reply } from '../../shared/platform/http/reply.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { withSealing } from '../../shared/platform/environment/sealing-environment.ts';
import { paymentEnvironment } from '../../shared/platform/environment/payment-environment.ts';
import { bookingRoutes } from './routes.ts';

export const bookings = serve(
  bookingRoutes,
  {
    listMyBookings: async (ctx, { query }) => {
      const { items, total, next_cursor } = await listMyBookings(ctx, query, query);
      const further = next_cursor === null ? {} : { 'X-Next-Cursor': next_cursor };
      return new Reply(items, { headers: { 'X-Total-Count': String(total), ...further } });
    },
    getBooking: (ctx, { params }) => getBooking(ctx, params.booking_id, apiUrl()),
    correctGuest: (ctx, { params, body }) => correctGuest(ctx, params.booking_id, body),
    rotateGuestLink: (ctx, { params }) => rotateGuestLink(ctx, params.booking_id, apiUrl()),
    getCancellation: (ctx, { params }) => getCancellation(ctx, params.booking_id),
    cancelBooking: (ctx, { params, body }) => cancelBooking(ctx, params.booking_id, body?.reason),
    listTeamBookings: (ctx, { query }) => listTeamBookings(ctx, query, query),
    readTeamCalendar: (ctx, { query }) => readTeamCalendar(ctx, query),
    listImportedStays: (ctx, { query }) => listImportedStays(ctx, query),
    readToday: (ctx) => readToday(ctx),
    listBookingHistory: (ctx, { params }) => listBookingHistory(ctx, params.booking_id),
    confirmBooking: (ctx, { params }) => acceptBooking(ctx, params.booking_id),
    declineBooking: (ctx, { params, body }) => declineBooking(ctx, params.booking_id, body?.reason),
    markNoShow: (ctx, { params, body }) => markNoShow(ctx, params.booking_id, body?.refund_amount),
    checkInBooking: (ctx, { params }) => moveBooking(ctx, params.booking_id, 'check_in'),
    undoCheckIn: (ctx, { params }) => moveBooking(ctx, params.booking_id, 'undo_check_in'),
    checkOutBooking: (ctx, { params }) => moveBooking(ctx, params.booking_id, 'check_out'),
    completeBooking: (ctx, { params }) => moveBooking(ctx, params.booking_id, 'complete'),
    releaseAccess: (ctx, { params }) => releaseAccess(ctx, params.booking_id),
    markBookingPaid: (ctx, { params }) => markPaid(ctx, params.booking_id),
    listTransfers: (ctx, { query: { state, ...paging } }) => listTransfers(ctx, state, paging),
    assignTransfer: (ctx, { params, body }) => assignTransfer(ctx, params.transfer_id, body.booking_id),
    returnTransfer: (ctx, { params, body }) => returnTransfer(ctx, params.transfer_id, body.note),
    extendPayment: (ctx, { params, body }) => extendPayment(ctx, params.booking_id, body.hours),
    getTransferCode: (ctx, { params }) => transferCode(ctx, params.booking_id),
    takePayment: (ctx, { params, body }) => takePayment(ctx, params.booking_id, body),
    correctPayment: (ctx, { params, query }) =>
      correctPayment(ctx, params.booking_id, params.posting_id, query.reason),
    openDuePage: (ctx, { params }) => openDuePage(ctx, params.booking_id),
    addCharge: (ctx, { params, body }) => addCharge(ctx, params.booking_id, body),
    removeCharge: (ctx, { params, query }) =>
      removeCharge(ctx, params.booking_id, params.posting_id, query.reason),
    changeSecurityDeposit: (ctx, { params, body }) =>
      (body.method === 'ONLINE_GATEWAY' ? changeHold : changeDeposit)(ctx, params.booking_id, body),
    refundBooking: (ctx, { params, body }) => refundBooking(ctx, params.booking_id, body),
    returnRefund: (ctx, { params, body }) => returnRefund(ctx, params.booking_id, params.posting_id, body),
    getFolio: (ctx, { params, query: { format, language } }) =>
      format === 'json' ? getFolio(ctx, params.booking_id) : printFolio(ctx, params.booking_id, language),
    readStatement: async (ctx, { query: { month, format } }) => {
      const statement = await readStatement(ctx, month);
      if (format === 'json') return statement;
      const headers = { 'Content-Disposition': `attachment; filename="statement-${month}.csv"` };
      return new Reply(statementCsv(statement), { headers });
    },
  },
  { takenFirst },
);

/** The Lambda handler of the booking routes. */
export const handler = knowingApiUrl(bookings(withSealing(paymentEnvironment)));

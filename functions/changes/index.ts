import { takenFirst } from '../../shared/domain/calendar/index.ts';
import {
  addAdjustment,
  changeBooking,
  changeExternalBooking,
  previewChange,
  previewExternalChange,
  removeAdjustment,
} from '../../shared/domain/checkout/index.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { withSealing } from '../../shared/platform/environment/sealing-environment.ts';
import { paymentEnvironment } from '../../shared/platform/environment/payment-environment.ts';
import { changesRoutes } from './routes.ts';

export const changes = serve(
  changesRoutes,
  {
    previewChange: (ctx, { params, body }) => previewChange(ctx, params.booking_id, body),
    changeBooking: (ctx, { params, body }) => changeBooking(ctx, params.booking_id, body),
    addAdjustment: (ctx, { params, body }) => addAdjustment(ctx, params.booking_id, body),
    removeAdjustment: (ctx, { params }) => removeAdjustment(ctx, params.booking_id, params.adjustment_id),
    previewExternalChange: (ctx, { params, body }) => previewExternalChange(ctx, params.booking_id, body),
    changeExternalBooking: (ctx, { params, body }) => changeExternalBooking(ctx, params.booking_id, body),
  },
  { takenFirst },
);

/** The Lambda handler of the changes of bookings. */
export const handler = changes(withSealing(paymentEnvironment));

import type { GuestCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { change, retryOnConflict } from '../../platform/table/index.ts';
import { sameText } from '../../platform/text/same-text.ts';
import { readListing } from '../listing/model.ts';
import { accessOf } from './access-info.rules.ts';
import type { AccessInfo } from './booking.schema.ts';
import type { GuestAccessRequest } from './guest-booking.schema.ts';
import { sameLink } from './guest-link.ts';
import { linkOf } from './guest-link.rules.ts';
import { openAccess } from './open-access.ts';
import { ownStay } from './read-bookings.ts';
import { type Reservation, ReservationEntity } from './reservation.entity.ts';

const mostTries = 5;

/**
 * Returns Wi-Fi and door code to who has the link to a stay and knows the last digits of the telephone number (D122), while they are
 * shown. Partners never read it (D15), so not by the link that a partner has. Throws INVALID_STATE_TRANSITION while they are not
 * shown, and FORBIDDEN for wrong digits, after five of them in any case. Each answer writes on condition of the tries before, so that
 * overlapping ones are counted too.
 */
export const readGuestAccess = (
  ctx: Context<GuestCaller>,
  { phone_digits }: GuestAccessRequest,
): Promise<AccessInfo> =>
  retryOnConflict(async () => {
    if (ctx.caller.from === 'p')
      throw new ServiceError(
        'FORBIDDEN',
        'The entry information is read by the link in a mail to the guest, or by that of the host.',
      );
    const stay = await ownStay(ctx);
    const listing = await readListing(ctx.table, stay.listing_id);
    const access = listing ? accessOf(listing, stay, ctx.clock.now()) : null;
    if (!listing || access?.state !== 'SHOWN')
      throw new ServiceError(
        'INVALID_STATE_TRANSITION',
        'The access information is not shown now; `access` of the booking says from when.',
        { state: stay.state },
      );
    const { tries, version } = linkOf(stay);
    if (tries >= mostTries) throw refusal(0);
    const isRight = sameText(lastDigits(stay), phone_digits);
    const counted = { version, tries: isRight ? 0 : tries + 1 };
    await ctx.commit(
      [change(ReservationEntity, stay, { set: { guest_link: counted } }, { when: sameLink(stay) })],
      null,
    );
    if (!isRight) throw refusal(mostTries - counted.tries);
    const shown = await openAccess(ctx, listing, stay, ctx.clock.now());
    if (!shown) throw new Error(`the access of ${stay.reservation_id} ended meanwhile`);
    return shown;
  });

const lastDigits = ({ guest }: Reservation): string => guest.phone.replaceAll(/\D/g, '').slice(-4);

const refusal = (left: number): ServiceError =>
  new ServiceError(
    'FORBIDDEN',
    left > 0
      ? 'These are not the last four digits of the telephone number of the booking.'
      : 'Too many wrong digits. Ask the host, who can replace the link.',
    { tries_left: left },
  );

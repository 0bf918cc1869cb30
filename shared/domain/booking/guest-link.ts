import type { GuestCaller, GuestLinkSource } from '../../platform/auth.ts';
import type { Context, Dependencies } from '../../platform/context.ts';
import { change, type Condition, equals, lacks, retryOnConflict } from '../../platform/table/index.ts';
import { sameText } from '../../platform/text/same-text.ts';
import { needs } from './allowed-actions.rules.ts';
import { onlyStay, readReservation } from './booking.store.ts';
import type { GuestLink } from './guest-link.schema.ts';
import { linkHasEnded, linkOf } from './guest-link.rules.ts';
import { guestUrl, macLength, signedText, unknownLink } from './guest-url.ts';
import { hostedBooking } from './move-booking.ts';
import { type Reservation, ReservationEntity } from './reservation.entity.ts';
import { rotateRefusal } from './stay-refusals.rules.ts';

const pattern = new RegExp(`^([1-9a-z][0-9a-z]{0,10})\\.(0|[1-9]\\d{0,5})([mhp])\\.([\\w-]{${macLength}})$`);

/**
 * Returns the guest whom a token names. Throws NOT_FOUND if it is unknown, was replaced, or the stay has ended 30 days ago; a token
 * that this stage has not signed is refused without a read.
 */
export const readGuest = async (deps: Dependencies, token: string): Promise<GuestCaller> => {
  const [, id = '', versionText, source, mac = ''] = pattern.exec(token) ?? [];
  const from = source as GuestLinkSource;
  const [reservationId, version] = [Number.parseInt(id, 36), Number(versionText)];
  if (!Number.isSafeInteger(reservationId)) throw unknownLink();
  const known = await deps.sealing().fingerprints(signedText(reservationId, version, from));
  if (!known.some((one) => sameText(one.slice(0, macLength), mac))) throw unknownLink();
  const stay = await readReservation(deps.table, reservationId);
  if (
    !stay ||
    linkOf(stay).version !== version ||
    linkOf(stay).is_off ||
    linkHasEnded(stay, deps.clock.now())
  )
    throw unknownLink();
  return { kind: 'guest', reservation_id: reservationId, version, from };
};

/**
 * Replaces the link to a stay; earlier ones end at once (D122). Throws INVALID_STATE_TRANSITION where the key that booked the stay
 * wants no links.
 */
export const rotateGuestLink = (ctx: Context, bookingId: number, pages: string): Promise<GuestLink> =>
  retryOnConflict(async () => {
    const stay = onlyStay(await hostedBooking(ctx, bookingId, needs.ROTATE_GUEST_LINK));
    const refusal = rotateRefusal(stay, ctx.clock.now());
    if (refusal) throw refusal;
    const { version } = linkOf(stay);
    const replaced = { version: version + 1, tries: 0 };
    const url = await guestUrl(ctx, { ...stay, guest_link: replaced }, { from: 'h', pages });
    const write = change(
      ReservationEntity,
      stay,
      { set: { guest_link: replaced } },
      { when: sameLink(stay) },
    );
    return ctx.commit([write], { booking_id: stay.reservation_id, guest_url: url ?? '' });
  });

/** The condition that the link was neither replaced nor tried since the stay was read. */
export const sameLink = ({ guest_link }: Reservation): Condition =>
  guest_link === undefined ? lacks('guest_link') : equals('guest_link', guest_link);

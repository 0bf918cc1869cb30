import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { post, takenPosting } from '../../shared/domain/folio/model.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { change, type Table } from '../../shared/platform/table/index.ts';

/** Writes that stays were paid on site, without a host, an event or a change of their state. */
export const writePaid = async (table: Table, ...ids: readonly number[]): Promise<void> => {
  const keys = ids.map((id) => ({ order_id: orderIdOf(id), reservation_id: id }));
  const writes = await Promise.all(
    keys.map(async (key) => {
      const stay = (await table.get(ReservationEntity, key))!;
      const paid = takenPosting(stay, stay.total, 'HOST', { at: 0, actor: 'user:1' });
      return change(ReservationEntity, key, { set: { payment_status: 'PAID', ...post(stay, [paid]) } });
    }),
  );
  await table.transact(writes);
};

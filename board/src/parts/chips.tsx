import type { Booking } from '@nightlatch/client';
import { sayName } from '../words/index.ts';

export const StateChip = ({
  booking: { state, payment_status },
}: {
  booking: Pick<Booking, 'state' | 'payment_status'>;
}) => (
  <span class="chips">
    <span class={`chip state-${state.toLowerCase()}`}>{sayName(state, 'state_')}</span>
    {payment_status !== 'PENDING' && (
      <span class={`chip paid-${payment_status.toLowerCase()}`}>{sayName(payment_status, 'status_')}</span>
    )}
  </span>
);

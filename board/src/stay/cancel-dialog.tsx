import type { Cancellation } from '@nightlatch/client';
import { useDraft } from '../data/drafts.ts';
import { useSendingOf } from '../data/sending-of.ts';
import { Dialog } from '../parts/dialog.tsx';
import { asGuest, me, noteEnd, problemOf } from './guest.ts';
import { refresh, useReading } from './reading.ts';
import { ReadingState } from './reading-state.tsx';
import { say, sayError, sayInstant, sayMoney } from './words/index.ts';

interface CancelDialogProps {
  id: number;
  currency: string;
  zone: string;
  onClose: () => void;
}

/** Says what a cancellation gives before it is made. */
export const CancelDialog = ({ id, currency, zone, onClose }: CancelDialogProps) => {
  const reading = useReading(`cancellation ${id}`, () =>
    asGuest((api) => api.getCancellation({ booking_id: id })),
  );
  const draft = useDraft(`stay cancel ${id}`);
  const { isSending, error, send } = useSendingOf(draft, { noteEnd, refresh });
  const reason = draft.typed['reason'] ?? '';
  const cancel = async (event: Event): Promise<void> => {
    event.preventDefault();
    const isDone = await send({ reason }, (idempotencyKey) =>
      me().cancelBooking({ booking_id: id, ...(reason === '' ? {} : { reason }) }, { idempotencyKey }),
    );
    if (isDone) onClose();
  };
  const outcome = reading.data;
  const now = outcome?.refund_now.amount ?? 0;
  return (
    <Dialog title={say('cancelTitle')} onClose={onClose}>
      <form onSubmit={(event) => void cancel(event)}>
        <ReadingState reading={reading} />
        {outcome && (
          <>
            <p>
              <b>{now > 0 ? say('cancelNow', { amount: sayMoney(now, currency) }) : say('cancelNothing')}</b>
            </p>
            <Steps {...{ outcome, zone }} />
            <p>{say('cannotUndo')}</p>
            <label>
              {say('reason')}
              <input
                maxLength={1000}
                value={reason}
                onInput={({ currentTarget: { value } }) => draft.change('reason', value)}
              />
            </label>
          </>
        )}
        {problemOf(error) !== undefined && <p role="alert">{sayError(error)}</p>}
        <div class="answers">
          <button type="button" onClick={onClose}>
            {say('close')}
          </button>
          <button type="submit" class="danger" disabled={isSending || !outcome?.can_cancel}>
            {say('cancelYes')}
          </button>
        </div>
      </form>
    </Dialog>
  );
};

/** What a later cancellation would give. */
const Steps = ({ outcome: { schedule, currency }, zone }: { outcome: Cancellation; zone: string }) => (
  <>
    {schedule.some(({ refund }) => refund > 0) &&
      schedule.map(
        ({ until, refund }) =>
          until !== null && (
            <p key={until} class="quiet">
              {say('cancelSteps', { time: sayInstant(until, zone), amount: sayMoney(refund, currency) })}
            </p>
          ),
      )}
  </>
);

import type { ReadBooking } from '@nightlatch/client';
import type { ComponentChildren } from 'preact';
import { type Fields, useDraft } from '../data/drafts.ts';
import { useReading } from '../data/reading.ts';
import { useSending } from '../data/sending.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Unsure } from '../parts/unsure.tsx';
import { api } from '../session/session.ts';
import { say, sayError, sayInstant, sayMoney, sayName, type Sentence } from '../words/index.ts';
import { readAmount } from './amount.ts';
import { correctionOf, isCorrectable } from './correction.ts';
import { Field } from './field.tsx';
import { type Move, type MoveName, moves } from './moves.ts';

interface MoveDialogProps {
  name: MoveName;
  booking: ReadBooking;
  /** False: the booking was changed elsewhere meanwhile. */
  isAllowed: boolean;
  onClose: (isDone: boolean) => void;
}

interface QuestionProps extends MoveDialogProps {
  /** What to know before the answer. */
  before?: ComponentChildren;
  isReady?: boolean;
  /** What the move concerns. */
  of?: Fields;
}

/** Asks before a move, with what it needs to know. */
export const MoveDialog = (props: MoveDialogProps) => {
  const { name, booking } = props;
  if (name === 'CANCEL') return <CancelQuestion {...props} />;
  if (name === 'RETURN_REFUND') return <RefundQuestion {...props} />;
  if (name === 'CHECK_OUT') return <Question {...props} before={<Unsettled booking={booking} />} />;
  const until = booking.payment_expires_at;
  if (name === 'EXTEND_PAYMENT' && until !== null)
    return <Question {...props} before={say('until', { time: sayInstant(until, booking.timezone) })} />;
  return <Question {...props} />;
};

/** What a form says before anything is typed. */
const defaultsOf = (name: MoveName, booking: ReadBooking): Readonly<Record<string, string>> => {
  const { amount_due, amount_due_later } = booking;
  if (name === 'CORRECT_GUEST') return correctionOf(booking);
  const due = amount_due || amount_due_later;
  if (name === 'TAKE_PAYMENT') return { amount: due > 0 ? String(due) : '', method: 'CASH' };
  if (name === 'RETURN_REFUND') return { method: 'CASH' };
  const { held, authorised } = booking.security_deposit;
  if (name === 'RETURN_DEPOSIT') return { amount: String(held - authorised), method: 'CASH' };
  return name === 'EXTEND_PAYMENT' ? { hours: '24' } : {};
};

const Question = ({ name, booking, isAllowed, before, isReady = true, of, onClose }: QuestionProps) => {
  const move: Move = moves[name];
  const { currency } = booking;
  const draft = useDraft(`booking ${booking.id} ${name}`);
  const { isSending, error, send } = useSending(draft);
  const fields = { ...defaultsOf(name, booking), ...draft.typed, ...of };
  const amount = move.fields?.includes('amount') ? readAmount(fields['amount'] ?? '', currency) : undefined;
  const due = sayMoney(booking.amount_due + booking.amount_due_later, currency);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await send(fields, (key) => move.send(booking, fields, key))) onClose(true);
  };
  return (
    <Dialog title={say(`ask${name}` as Sentence, { amount: due })} onClose={() => onClose(false)}>
      {before}
      {move.isFinal && <p>{say('cannotUndo')}</p>}
      {!isSending && <Unsure draft={draft} />}
      <form onSubmit={(event) => void submit(event)}>
        {move.fields
          ?.filter((field) => isCorrectable(field, booking))
          .map((field) => (
            <Field key={field} {...{ field, currency }} value={fields[field] ?? ''} onChange={draft.change} />
          ))}
        {!isAllowed && <Meanwhile booking={booking} />}
        {isAllowed && error !== undefined && <p role="alert">{sayError(error)}</p>}
        <div class="answers">
          <button type="button" onClick={() => onClose(false)}>
            {say('back')}
          </button>
          {isAllowed && (
            <button
              type="submit"
              class={move.look === 'danger' ? 'danger' : 'primary'}
              disabled={isSending || !isReady}
            >
              {[say(`yes${name}` as Sentence), amount === undefined ? '' : sayMoney(amount, currency)].join(
                ' ',
              )}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
};

/** What is to be paid, and what is held, before the guest leaves. */
const Unsettled = ({
  booking: { amount_due, amount_due_later, security_deposit, currency },
}: {
  booking: ReadBooking;
}) => {
  const due = amount_due + amount_due_later;
  const { held } = security_deposit;
  return (
    <>
      {due > 0 && <p class="due">{say('due', { amount: sayMoney(due, currency) })}</p>}
      {held > 0 && (
        <p class="due">
          {say('depositHeld')}: {sayMoney(held, currency)}
        </p>
      )}
    </>
  );
};

/** Says which refund is meant: the first that is to be handed back. */
const RefundQuestion = (props: MoveDialogProps) => {
  const { id, currency } = props.booking;
  const { data, error } = useReading(`folio ${id}`, () => api().getFolio({ booking_id: id }));
  const refund = data?.postings.find(({ to_return }) => to_return);
  if (!refund)
    return (
      <Question {...props} isReady={false} before={error === undefined ? say('loading') : sayError(error)} />
    );
  const amount = sayMoney(refund.amount, currency);
  return (
    <Question
      {...props}
      of={{ posting_id: String(refund.id) }}
      before={<p class="due">{say('backDue', { amount })}</p>}
    />
  );
};

/** Says what was done elsewhere while the question was open. */
const Meanwhile = ({ booking }: { booking: ReadBooking }) => {
  const history = useReading(`history ${booking.id}`, () =>
    api().listBookingHistory({ booking_id: booking.id }),
  );
  const last = history.data?.items.at(-1);
  const what = last && `${sayName(last.event_type)}, ${sayInstant(last.occurred_at, booking.timezone)}`;
  return (
    <p role="alert">
      {[say('INVALID_STATE_TRANSITION'), what, last?.who.name].filter((text) => text).join(' ')}
    </p>
  );
};

/** Shows what the cancellation refunds; it is not confirmed before that is known. */
const CancelQuestion = (props: MoveDialogProps) => {
  const { id, reservations } = props.booking;
  const { data, error } = useReading(`cancellation ${id}`, () => api().getCancellation({ booking_id: id }));
  if (!data)
    return (
      <Question {...props} isReady={false} before={error === undefined ? say('loading') : sayError(error)} />
    );
  const { refund_now, currency, paid } = data;
  const before = (
    <>
      {reservations.length > 1 && <p>{say('ofStays', { count: reservations.length })}</p>}
      <p>
        {refund_now.amount > 0 || paid > 0
          ? say('cancelNow', { amount: sayMoney(refund_now.amount, currency) })
          : say('cancelNoRefund')}
      </p>
    </>
  );
  return <Question {...props} before={before} />;
};

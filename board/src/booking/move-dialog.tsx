import type { ReadBooking } from '@nightlatch/client';
import type { InputHTMLAttributes, TargetedEvent } from 'preact';
import { type Draft, useDraft } from '../data/drafts.ts';
import { useReading } from '../data/reading.ts';
import { useSending } from '../data/sending.ts';
import { Dialog } from '../parts/dialog.tsx';
import { api } from '../session/session.ts';
import { say, sayError, sayMoney, sayName, type Sentence } from '../words/index.ts';
import { moved } from './moved.ts';
import { type FieldName, type Move, type MoveName, moves } from './moves.ts';

interface MoveDialogProps {
  name: MoveName;
  booking: ReadBooking;
  onClose: () => void;
}

const methods = ['CASH', 'BANK_TRANSFER', 'CARD_ON_SITE', 'OTHER'] as const;

/** Asks before a move, with what it needs to know. */
export const MoveDialog = ({ name, booking, onClose }: MoveDialogProps) => {
  const move: Move = moves[name];
  const due = booking.amount_due + booking.amount_due_later;
  const draft = useDraft(`${name} ${booking.id}`, {
    ...(name === 'TAKE_PAYMENT' ? { amount: String(booking.amount_due || due), method: 'CASH' } : {}),
    ...(name === 'EXTEND_PAYMENT' ? { hours: '24' } : {}),
  });
  const { isSending, error, send } = useSending(draft);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const answer = await send((key) => move.send(booking, draft.fields, key));
    if (answer === undefined) return;
    onClose();
    moved(name, booking);
  };
  return (
    <Dialog
      title={say(`ask${name}` as Sentence, { amount: sayMoney(due, booking.currency) })}
      onClose={onClose}
    >
      {name === 'CANCEL' && <CancellationPreview booking={booking} />}
      {move.isFinal && <p>{say('cannotUndo')}</p>}
      <form onSubmit={(event) => void submit(event)}>
        {move.fields?.map((field) => (
          <Field key={field} field={field} draft={draft} />
        ))}
        {error !== undefined && <p role="alert">{sayError(error)}</p>}
        <div class="answers">
          <button type="button" onClick={onClose}>
            {say('back')}
          </button>
          <button type="submit" class={move.look === 'danger' ? 'danger' : 'primary'} disabled={isSending}>
            {say(`yes${name}` as Sentence)}
          </button>
        </div>
      </form>
    </Dialog>
  );
};

/** What a cancellation would refund now. */
const CancellationPreview = ({ booking }: { booking: ReadBooking }) => {
  const { data } = useReading(`cancellation ${booking.id}`, () =>
    api().getCancellation({ booking_id: booking.id }),
  );
  if (!data) return <p class="quiet">{say('loading')}</p>;
  const { amount } = data.refund_now;
  return (
    <p>
      {amount > 0 ? say('cancelNow', { amount: sayMoney(amount, data.currency) }) : say('cancelNoRefund')}
    </p>
  );
};

const labels: Record<FieldName, Sentence> = {
  reason: 'reasonOptional',
  refund_amount: 'refundAmount',
  amount: 'amount',
  method: 'method',
  reference: 'receipt',
  label: 'label',
  hours: 'hours',
};

const inputs: Record<Exclude<FieldName, 'method'>, InputHTMLAttributes> = {
  reason: { maxLength: 1000 },
  refund_amount: { type: 'number', inputMode: 'decimal', min: 0, step: 'any' },
  amount: { type: 'number', inputMode: 'decimal', min: 0, step: 'any', required: true },
  reference: { maxLength: 100 },
  label: { maxLength: 100, required: true },
  hours: { type: 'number', inputMode: 'numeric', min: 1, max: 168, step: 1, required: true },
};

const Field = ({ field, draft }: { field: FieldName; draft: Draft }) => {
  const value = draft.fields[field] ?? '';
  const change = ({ currentTarget }: TargetedEvent<HTMLInputElement | HTMLSelectElement>): void =>
    draft.change(field, currentTarget.value);
  return (
    <label>
      {say(labels[field])}
      {field === 'method' ? (
        <select name={field} value={value} onChange={change}>
          {methods.map((method) => (
            <option key={method} value={method}>
              {sayName(method)}
            </option>
          ))}
        </select>
      ) : (
        <input name={field} value={value} onInput={change} {...inputs[field]} />
      )}
    </label>
  );
};

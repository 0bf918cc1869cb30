import type { InputHTMLAttributes, TargetedEvent } from 'preact';
import { say, sayName, type Sentence } from '../words/index.ts';
import { readAmount } from './amount.ts';
import type { FieldName } from './moves.ts';

const methods = ['CASH', 'BANK_TRANSFER', 'CARD_ON_SITE', 'OTHER'] as const;

const labels: Record<FieldName, Sentence> = {
  reason: 'reasonOptional',
  refund_amount: 'refundAmount',
  amount: 'amount',
  method: 'method',
  reference: 'receipt',
  label: 'label',
  hours: 'hours',
  full_name: 'field_guest_info.full_name',
  phone: 'field_guest_info.phone',
  email: 'field_guest_info.email',
  arrival_time: 'expected',
  note: 'note',
};

const inputs: Record<Exclude<FieldName, 'method'>, InputHTMLAttributes> = {
  reason: { maxLength: 1000 },
  refund_amount: { inputMode: 'decimal', autocomplete: 'off' },
  amount: { inputMode: 'decimal', autocomplete: 'off', required: true },
  reference: { maxLength: 100 },
  label: { maxLength: 100, required: true },
  full_name: { maxLength: 255, required: true, autocomplete: 'off' },
  phone: { type: 'tel', maxLength: 32, autocomplete: 'off' },
  email: { type: 'email', maxLength: 254, autocomplete: 'off' },
  arrival_time: { type: 'time' },
  note: { maxLength: 500, autocomplete: 'off' },
  hours: { type: 'number', inputMode: 'numeric', min: 1, max: 168, step: 1, required: true },
};

const isAmount = (field: FieldName): boolean => field === 'amount' || field === 'refund_amount';

interface FieldProps {
  field: FieldName;
  value: string;
  currency: string;
  onChange: (field: string, value: string) => void;
}

/** A field of a form. An amount that cannot be read is not sent. */
export const Field = ({ field, value, currency, onChange }: FieldProps) => {
  const change = ({ currentTarget }: TargetedEvent<HTMLInputElement | HTMLSelectElement>): void =>
    onChange(field, currentTarget.value);
  const isUnread = isAmount(field) && value.trim() !== '' && readAmount(value, currency) === undefined;
  const check = (input: HTMLInputElement | null): void =>
    input?.setCustomValidity(isUnread ? say('amountUnread', { currency }) : '');
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
        <input ref={check} name={field} value={value} onInput={change} {...inputs[field]} />
      )}
      {isUnread && <small>{say('amountUnread', { currency })}</small>}
    </label>
  );
};

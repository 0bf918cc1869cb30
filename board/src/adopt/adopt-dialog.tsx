import type { AdoptStay, TakenStretch } from '@nightlatch/client';
import type { InputHTMLAttributes } from 'preact';
import { readAmount } from '../booking/amount.ts';
import type { Home } from '../chart/homes.ts';
import { type Draft, type Fields, useDraft } from '../data/drafts.ts';
import { useSending } from '../data/sending.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { notify } from '../parts/notice.ts';
import { bookingLink } from '../parts/route.ts';
import { Unsure } from '../parts/unsure.tsx';
import { api, session } from '../session/session.ts';
import { say, sayError, sayLocal, type Sentence } from '../words/index.ts';

interface AdoptDialogProps {
  homes: readonly Home[];
  /** Of the entry that a followed calendar has made. */
  availabilityId: number;
  onClose: () => void;
}

/** What a platform's calendar says of a stay, and a form that makes a booking of it. */
export const AdoptDialog = ({ homes, availabilityId, onClose }: AdoptDialogProps) => {
  // The calendar may change while it is open: what is shown is what it says now.
  const home = homes.find(({ entries }) => entries.some((one) => one.availability_id === availabilityId));
  const entry = home?.entries.find((one) => one.availability_id === availabilityId);
  const role = 'team' in session.value ? session.value.team.role : 'STAFF';
  return (
    <Dialog title={say('adoptTitle')} onClose={onClose}>
      {home && entry && <Known {...{ home, entry }} />}
      {!entry && <p role="alert">{say('adoptGone')}</p>}
      {entry?.kind === 'STAY' && <Adopted id={entry.booking_id} />}
      {entry?.kind === 'IMPORTED' && entry.summary === null && <p>{say('adoptBlock')}</p>}
      {home && entry?.kind === 'IMPORTED' && entry.summary !== null && role !== 'STAFF' ? (
        <AdoptForm {...{ home, availabilityId, onClose }} label={entry.source ?? ''} />
      ) : (
        <div class="answers">
          <button type="button" onClick={onClose}>
            {say('close')}
          </button>
        </div>
      )}
    </Dialog>
  );
};

const Known = ({ home, entry }: { home: Home; entry: TakenStretch }) => (
  <Facts
    rows={[
      [say('home'), home.listing_name],
      [say('platform'), entry.source],
      [say('summary'), entry.summary],
      [say('checkIn'), sayLocal(entry.start_at, home.timezone)],
      [say('checkOut'), sayLocal(entry.end_at, home.timezone)],
    ]}
  />
);

const Adopted = ({ id }: { id: number | null }) => (
  <p role="alert">
    {say('adoptDone')} {id !== null && <a href={bookingLink(id)}>{say('conflictBooking')}</a>}
  </p>
);

interface AdoptFormProps {
  home: Home;
  availabilityId: number;
  label: string;
  onClose: () => void;
}

const names = ['full_name', 'phone', 'email', 'guests', 'total', 'number', 'note'] as const;
type Name = (typeof names)[number];

const labels: Record<Name, Sentence> = {
  full_name: 'nights_full_name',
  phone: 'adoptPhone',
  email: 'nights_email',
  guests: 'nights_guests',
  total: 'adoptTotal',
  number: 'adoptNumber',
  note: 'adoptNote',
};

const types: Partial<Record<Name, 'tel' | 'email' | 'number'>> = {
  phone: 'tel',
  email: 'email',
  guests: 'number',
};
const lookOf = (name: Name) =>
  ({
    type: types[name] ?? 'text',
    inputMode: name === 'total' ? 'decimal' : undefined,
    min: 1,
    required: ['full_name', 'guests', 'total'].includes(name),
    autocomplete: 'off',
  }) as InputHTMLAttributes;

const AdoptForm = ({ home: { currency }, availabilityId, label, onClose }: AdoptFormProps) => {
  const draft = useDraft(`adopt ${availabilityId}`);
  const { isSending, error, send } = useSending(draft);
  const fields: Fields = { guests: '1', ...draft.typed };
  const total = readAmount(fields['total'] ?? '', currency);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (total === undefined) return;
    const request = requestOf(availabilityId, fields, total);
    if (!(await send(fields, (idempotencyKey) => api().bookForGuest(request, { idempotencyKey })))) return;
    onClose();
    notify({ text: say('done') });
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <p>{say('adoptAsk', { label })}</p>
      {!isSending && <Unsure draft={draft} />}
      {names.map((name) => (
        <Field key={name} {...{ name, draft }} value={fields[name] ?? ''} />
      ))}
      {total === undefined && (fields['total'] ?? '') !== '' && <p>{say('amountUnread', { currency })}</p>}
      {error !== undefined && <p role="alert">{sayError(error)}</p>}
      <div class="answers">
        <button type="button" onClick={onClose}>
          {say('back')}
        </button>
        <button type="submit" class="primary" disabled={isSending || total === undefined}>
          {say('adoptYes')}
        </button>
      </div>
    </form>
  );
};

const Field = ({ name, draft, value }: { name: Name; draft: Draft; value: string }) => (
  <label>
    {say(labels[name])}
    <input
      name={name}
      {...lookOf(name)}
      value={value}
      onInput={({ currentTarget }) => draft.change(name, currentTarget.value)}
    />
  </label>
);

const requestOf = (availability_id: number, fields: Fields, total_price: number): AdoptStay => {
  const given = (name: Name): string | undefined => fields[name]?.trim() || undefined;
  return {
    ...{ availability_id, total_price },
    guest_info: { full_name: given('full_name') ?? '', phone: given('phone'), email: given('email') },
    guest_number: Number(fields['guests']),
    external_booking_id: given('number'),
    note: given('note'),
  };
};

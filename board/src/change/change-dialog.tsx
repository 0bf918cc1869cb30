import { type ChangePreview, NightlatchError, type ReadBooking } from '@nightlatch/client';
import { useState } from 'preact/hooks';
import { useHomesAt } from '../chart/homes-at.ts';
import { inFamilies } from '../chart/homes.ts';
import { type Draft, type Fields, forgetSent, typeDraft, useDraft } from '../data/drafts.ts';
import { useReading } from '../data/reading.ts';
import { useSending } from '../data/sending.ts';
import { Choice } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { dismiss, notify } from '../parts/notice.ts';
import { ReadingState } from '../parts/reading-state.tsx';
import { Unsure } from '../parts/unsure.tsx';
import { api } from '../session/session.ts';
import { say, sayError, sayInstant } from '../words/index.ts';
import { askedOf, type Place, placeOf, typed } from './asked.ts';
import { changing, draftOf, openChange } from './changing.ts';
import { sayDifference, useOutcome } from './change-outcome.tsx';

/** The change that is asked for, over whatever page is shown. */
export const Changing = () => {
  const id = changing.value;
  return id === undefined ? null : <ChangeDialog key={id} id={id} />;
};

const close = (): void => void (changing.value = undefined);

/** Changes dates, home or guests of a stay; what comes of it is shown before. */
const ChangeDialog = ({ id }: { id: number }) => {
  const booking = useReading(`booking ${id}`, () => api().getBooking({ booking_id: id }));
  const draft = useDraft(draftOf(id));
  const leave = (): void => {
    // What was sent without an answer is asked for again as it was.
    if (draft.unsureSince === undefined) typeDraft(draftOf(id), {});
    close();
  };
  const name = booking.data?.guest_info.full_name ?? '';
  return (
    <Dialog title={say('changeTitle', { name })} onClose={leave}>
      {booking.data?.allowed_actions.includes('CHANGE') ? (
        <ChangeForm {...{ draft }} booking={booking.data} onLeave={leave} />
      ) : (
        <>
          <ReadingState reading={booking} />
          {booking.data && <p role="alert">{say('stayFixed')}</p>}
          <div class="answers">
            <button type="button" onClick={leave}>
              {say('back')}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
};

interface ChangeFormProps {
  booking: ReadBooking;
  draft: Draft;
  onLeave: () => void;
}

/** Sends what is asked for as it was shown, and says how it can be changed back. */
const useChange = (booking: ReadBooking, draft: Draft) => {
  const was = placeOf(booking);
  const fields = { ...was, ...draft.typed };
  const asked = askedOf(was, fields);
  const { isSending, error, send } = useSending(draft);
  const [sent, setSent] = useState('');
  const change = async ({ difference }: ChangePreview, isOverriding: boolean): Promise<void> => {
    setSent(JSON.stringify(fields));
    const made: { waitsUntil?: string | undefined } = {};
    const isDone = await send(
      { ...was, ...prefixed(fields), difference: `${difference} ${isOverriding}` },
      async (idempotencyKey) => {
        const { change } = await api().changeBooking(
          {
            ...{ booking_id: booking.id, ...asked, expected_difference: difference },
            ...(isOverriding ? { override_rules: true } : {}),
          },
          { idempotencyKey },
        );
        if (change.payment_url) made.waitsUntil = change.payment_expires_at;
      },
    );
    if (!isDone) return;
    typeDraft(draftOf(booking.id), {});
    forgetSent(`booking ${booking.id}`);
    close();
    notify(noticeOf(booking, was, made.waitsUntil));
  };
  // Of other fields than those that are shown now, an error says nothing.
  const isSame = (['listing', 'from', 'to', 'guests'] as const).every((name) => fields[name] === was[name]);
  return {
    fields,
    asked,
    isSame,
    isSending,
    error: sent === JSON.stringify(fields) ? error : undefined,
    change,
  };
};

const ChangeForm = ({ booking, draft, onLeave }: ChangeFormProps) => {
  const { fields, asked, isSame, isSending, error, change } = useChange(booking, draft);
  const { text, preview, isReady, isOverriding } = useOutcome(booking, { asked, fields, isSame }, (more) => {
    for (const [name, value] of Object.entries(more)) draft.change(name, value);
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (preview) void change(preview, isOverriding);
      }}
    >
      {!isSending && <Unsure draft={draft} />}
      <Homes {...{ fields, draft, booking }} />
      <div class="pair">
        <DateField name="from" {...{ fields, draft }} />
        <DateField name="to" min={fields.from} {...{ fields, draft }} />
      </div>
      <label>
        {say('nights_guests')}
        <input
          name="guests"
          type="number"
          min={1}
          required
          value={fields.guests}
          onInput={({ currentTarget: { value } }) => draft.change('guests', value)}
        />
      </label>
      {text}
      {error !== undefined && <Refused {...{ error }} isTaken={preview?.available === false} />}
      <div class="answers">
        <button type="button" onClick={onLeave}>
          {say('back')}
        </button>
        <button type="submit" class="primary" disabled={isSending || !isReady}>
          {[say('yesCHANGE'), preview && sayDifference(preview)].filter((part) => part).join(' ')}
        </button>
      </div>
    </form>
  );
};

/** The fields as they are asked for, beside those of the stay as it is. */
const prefixed = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`to_${name}`, value]));

/** Says that a race was lost; the outcome says what takes the time. */
const Refused = ({ error, isTaken }: { error: unknown; isTaken: boolean }) => (
  <p role="alert">
    {isTaken && error instanceof NightlatchError && error.code === 'LISTING_NOT_AVAILABLE'
      ? say('takenMeanwhile')
      : sayError(error)}
  </p>
);

/** The way back is the same dialog, which says what it costs: nights that were given up have the price of now. */
const noticeOf = ({ id, timezone }: ReadBooking, was: Place, waitsUntil: string | undefined) =>
  waitsUntil === undefined
    ? {
        text: say('done'),
        undo: async () => {
          dismiss();
          openChange(id, was);
        },
      }
    : { text: say('changeWaits', { time: sayInstant(waitsUntil, timezone) }) };

interface FieldProps {
  fields: Fields & Place;
  draft: Draft;
}

const DateField = ({ name, min, fields, draft }: FieldProps & { name: 'from' | 'to'; min?: string }) => (
  <label>
    {say(name === 'from' ? 'checkIn' : 'checkOut')}
    <input
      type="date"
      required
      {...{ name, min }}
      value={fields[name]}
      onInput={({ currentTarget: { value } }) => {
        for (const [date, now] of Object.entries(typed(fields, name, value))) draft.change(date, now);
      }}
    />
  </label>
);

const Homes = ({ fields, draft, booking }: FieldProps & { booking: ReadBooking }) => {
  const homes = useHomesAt(placeOf(booking).from);
  const known = inFamilies(homes.data ?? []).map(
    ({ listing_id, listing_name }) => [String(listing_id), listing_name] as const,
  );
  const own = [placeOf(booking).listing, booking.listing_name] as const;
  return (
    <Choice
      label={say('home')}
      value={fields.listing}
      options={known.length === 0 ? [own] : known}
      onChoose={(value) => draft.change('listing', value)}
    />
  );
};

import { NightlatchError, type ReadBooking } from '@nightlatch/client';
import { useState } from 'preact/hooks';
import { openChange } from '../change/changing.ts';
import { forgetSent, useDraft } from '../data/drafts.ts';
import { useSending } from '../data/sending.ts';
import { notify } from '../parts/notice.ts';
import { bookingLink } from '../parts/route.ts';
import { session } from '../session/session.ts';
import { say, sayError, sayLocal, sayName } from '../words/index.ts';
import { MoveDialog } from './move-dialog.tsx';
import { type Move, type MoveName, moveNames, moves } from './moves.ts';

/** The moves that the booking allows now, as far as the board has them. */
const offeredOf = ({
  allowed_actions: allowed,
  access,
  security_deposit: deposit,
}: ReadBooking): MoveName[] =>
  moveNames.filter((name) => {
    if (!allowed.includes(name)) return false;
    // A host who cancels what waits for an answer declines it.
    if (name === 'CANCEL') return !allowed.includes('DECLINE');
    // What is on the card is released by itself.
    if (name === 'RETURN_DEPOSIT') return deposit.held > deposit.authorised;
    return (
      name !== 'RELEASE_ACCESS' || access?.state === 'WAITS_FOR_PAYMENT' || access?.state === 'WAITS_FOR_HOST'
    );
  });

/** What can be done with the booking now; what cannot be undone is asked before. */
export const Actions = ({ booking }: { booking: ReadBooking }) => {
  const [asked, ask] = useState<MoveName | undefined>(undefined);
  const act = useMoves(booking);
  if (session.value.state === 'OFFLINE') return null;
  const offered = offeredOf(booking);
  const buttonOf = (name: MoveName) => {
    const move: Move = moves[name];
    return (
      <button
        key={name}
        type="button"
        class={move.look}
        disabled={act.isSending}
        onClick={() => (move.fields ? ask(name) : void act.now(name))}
      >
        {say(name)}
      </button>
    );
  };
  const isDanger = (name: MoveName): boolean => moves[name].look === 'danger';
  return (
    <div class="actions">
      {offered.filter((name) => !isDanger(name)).map(buttonOf)}
      {booking.allowed_actions.includes('CHANGE') && (
        <button type="button" onClick={() => openChange(booking.id)}>
          {say('CHANGE')}
        </button>
      )}
      {offered.filter(isDanger).map(buttonOf)}
      {act.error !== undefined && <Refusal error={act.error} zone={booking.timezone} />}
      {asked && (
        <MoveDialog
          key={asked}
          name={asked}
          booking={booking}
          isAllowed={offered.includes(asked)}
          onClose={(isDone) => {
            ask(undefined);
            if (isDone) act.moved(asked);
          }}
        />
      )}
    </div>
  );
};

/** Why it cannot be done; of a guest who comes early, also what has the hours until the stay begins. */
const Refusal = ({ error, zone }: { error: unknown; zone: string }) => {
  const takers =
    error instanceof NightlatchError && error.code === 'LISTING_NOT_AVAILABLE' ? error.details.taken_by : [];
  if (!takers?.length) return <p role="alert">{sayError(error)}</p>;
  return (
    <div role="alert">
      <p>{say('earlyTaken')}</p>
      {takers.map(({ kind, booking_id, availability_id, start_at, end_at }) => (
        <p key={availability_id}>
          {booking_id === null ? (
            sayName(kind, 'kind_')
          ) : (
            <a href={bookingLink(booking_id)}>{sayName(kind, 'kind_')}</a>
          )}
          : {sayLocal(start_at, zone)} – {sayLocal(end_at, zone)}
        </p>
      ))}
    </div>
  );
};

/** Makes the moves that ask nothing, and says what was done. A check-in can be undone at once. */
const useMoves = (booking: ReadBooking) => {
  const { isSending, error, send } = useSending(useDraft(`booking ${booking.id} moves`));
  const now = async (name: MoveName): Promise<void> => {
    if (await send({ move: name }, (key) => moves[name].send(booking, {}, key))) moved(name);
  };
  const moved = (name: MoveName): void => {
    forgetSent(`booking ${booking.id}`);
    notify({ text: say('done'), ...(name === 'CHECK_IN' ? { undo: () => now('UNDO_CHECK_IN') } : {}) });
  };
  return { now, moved, error, isSending };
};

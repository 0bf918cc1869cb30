import type { ReadBooking } from '@nightlatch/client';
import { useState } from 'preact/hooks';
import { useDraft } from '../data/drafts.ts';
import { useSending } from '../data/sending.ts';
import { say, sayError } from '../words/index.ts';
import { MoveDialog } from './move-dialog.tsx';
import { moved } from './moved.ts';
import { type Move, moveNames, type MoveName, moves } from './moves.ts';

/** What can be done with the booking now; what cannot be undone is asked before. */
export const Actions = ({ booking }: { booking: ReadBooking }) => {
  const allowed = moveNames.filter((name) => booking.allowed_actions.includes(name));
  // A host who cancels what waits for an answer declines it.
  const offered = allowed.filter((name) => name !== 'CANCEL' || !allowed.includes('DECLINE'));
  return (
    <div class="actions">
      {offered.map((name) => (
        <Action key={name} name={name} booking={booking} />
      ))}
    </div>
  );
};

const Action = ({ name, booking }: { name: MoveName; booking: ReadBooking }) => {
  const [isAsked, ask] = useState(false);
  const move: Move = moves[name];
  const draft = useDraft(`${name} ${booking.id}`);
  const { isSending, error, send } = useSending(draft);
  const act = async (): Promise<void> => {
    const answer = await send((key) => move.send(booking, {}, key));
    if (answer !== undefined) moved(name, booking);
  };
  return (
    <>
      <button
        type="button"
        class={move.look}
        disabled={isSending}
        onClick={() => (move.fields ? ask(true) : void act())}
      >
        {say(name)}
      </button>
      {error !== undefined && <p role="alert">{sayError(error)}</p>}
      {isAsked && <MoveDialog name={name} booking={booking} onClose={() => ask(false)} />}
    </>
  );
};

import type { CheckoutRequest } from '@nightlatch/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Temporal } from 'temporal-polyfill';
import { useDraft } from '../data/drafts.ts';
import { useSendingOf } from '../data/sending-of.ts';
import { bookingOf } from './booking-draft.ts';
import { guest, me, noteEnd, problemOf } from './guest.ts';
import { HoldClock } from './hold-clock.tsx';
import { extendedTo, forgetHold, held, type Hold, hold, leftOf } from './hold.ts';
import { Refusal } from './near.tsx';
import { go } from './place.tsx';
import { say, sayError } from './words/index.ts';

interface HoldStepProps {
  items: CheckoutRequest['items'];
  children: (hold: Hold, isOver: boolean) => ComponentChildren;
}

const after = { noteEnd, refresh: async () => undefined };

/** Holds the nights, says for how long, and shows what is done meanwhile. */
export const HoldStep = ({ items, children }: HoldStepProps) => {
  const asked = JSON.stringify(items);
  const draft = useDraft(`stay hold ${asked}`);
  const { isSending, error, send } = useSendingOf(draft, after);
  const now = hold.value;
  const current = now && JSON.stringify(now.items) === asked ? now : undefined;
  const [isOver, setOver] = useState(current !== undefined && leftOf(current) <= 0);
  const isIn = guest.value.state === 'IN';
  // A confirmation without an answer may have booked: it is sent again, and nothing is held anew.
  const isUnsure = useDraft(bookingOf(items[0]?.listing_id ?? 0)).unsureSince !== undefined;
  const take = async (): Promise<void> => {
    const askedAt = draft.unsureSince ?? Temporal.Now.instant().epochMilliseconds;
    const isHeld = await send({ items: asked }, async (idempotencyKey) => {
      // What was chosen before is for others.
      if (now && !current) await release(now);
      held(await me().createCheckout({ items }, { idempotencyKey }), items, askedAt);
    });
    if (isHeld) setOver(false);
  };
  useEffect(() => {
    if (isIn && !current) void take();
  }, [isIn, asked]);
  const [first] = items;
  const wanted = {
    ...{
      listing_id: first?.listing_id ?? 0,
      from: first?.check_in_date ?? '',
      to: first?.check_out_date ?? '',
    },
  };
  return (
    <>
      {isSending && !current && (
        <p class="quiet" role="status">
          {say('holding')}
        </p>
      )}
      {problemOf(error) !== undefined && <Refusal error={error} wanted={wanted} />}
      {current && !isOver && (
        <div class="held">
          <HoldClock hold={current} onOver={() => setOver(true)} />
          <HoldMoves hold={current} />
        </div>
      )}
      {current && isOver && !isUnsure && (
        <p class="warning" role="alert">
          {say('holdOver')}
        </p>
      )}
      {isIn && !isSending && !isUnsure && (isOver || (!current && error !== undefined)) && (
        <button type="button" onClick={() => void take()}>
          {say('holdAgain')}
        </button>
      )}
      {current && children(current, isOver)}
    </>
  );
};

const release = async ({ checkout: { checkout_id } }: Hold): Promise<void> => {
  await me()
    .releaseCheckout({ checkout_id })
    .catch(() => undefined);
  forgetHold();
};

const HoldMoves = ({ hold: current }: { hold: Hold }) => {
  const { checkout_id } = current.checkout;
  const draft = useDraft(`stay extend ${checkout_id}`);
  const { isSending, error, send } = useSendingOf(draft, after);
  const extend = (): Promise<boolean> =>
    send({}, async (idempotencyKey) =>
      extendedTo(await me().extendCheckout({ checkout_id }, { idempotencyKey })),
    );
  const leave = async (): Promise<void> => {
    await release(current);
    go({ view: 'home', id: current.items[0]?.listing_id ?? 0 });
  };
  return (
    <div class="actions">
      {!current.isExtended && (
        <button type="button" disabled={isSending} onClick={() => void extend()}>
          {say('extend')}
        </button>
      )}
      <button type="button" onClick={() => void leave()}>
        {say('release')}
      </button>
      {problemOf(error) !== undefined && <p role="alert">{sayError(error)}</p>}
    </div>
  );
};

import { useState } from 'preact/hooks';
import type { Home } from '../chart/homes.ts';
import { type Fields, useDraft } from '../data/drafts.ts';
import { refreshShown } from '../data/reading.ts';
import { useSending } from '../data/sending.ts';
import { Dialog } from '../parts/dialog.tsx';
import { notify } from '../parts/notice.ts';
import { api, session } from '../session/session.ts';
import { say, sayError, sayMoney } from '../words/index.ts';
import { Choice } from '../parts/choice.tsx';
import { block, book, checkOutOf, type Deed, deedsOf, type Nights, priceOf, setPrice } from './deeds.ts';
import { Input } from './input.tsx';
import { Refusal, useOutcome } from './outcome.tsx';

interface NightsDialogProps {
  homes: readonly Home[];
  /** Where it was opened: a home, a night, and what is usual for it. */
  start: { listing_id: number; date: string; deed: Deed };
  onClose: () => void;
}

/** Books, blocks, opens or prices nights of a home; what comes of it is shown before. */
export const NightsDialog = ({ homes, start, onClose }: NightsDialogProps) => {
  const deeds = deedsOf('team' in session.value ? session.value.team.role : 'STAFF');
  const [deed, setDeed] = useState<Deed>(deeds.includes(start.deed) ? start.deed : 'BLOCK');
  const draft = useDraft('nights form');
  const { isSending, error, send } = useSending(draft);
  const fields: Fields = {
    ...{ listing: String(start.listing_id), from: start.date, to: start.date, guests: '2' },
    ...draft.typed,
  };
  const nights = nightsOf(fields, homes);
  const outcome = useOutcome(nights, deed, fields);
  const close = (): void => {
    draft.discard();
    onClose();
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const made: { undoId: number | null } = { undoId: null };
    const isDone = await send({ deed, ...fields }, async (idempotencyKey) => {
      made.undoId = await act(nights, deed, { fields, idempotencyKey, total: outcome.total });
    });
    if (!isDone) return;
    close();
    const { undoId } = made;
    notify({ text: say('done'), ...(undoId === null ? {} : { undo: () => undo(undoId) }) });
  };
  return (
    <Dialog title={say('nightsTitle')} onClose={close}>
      <form onSubmit={(event) => void submit(event)}>
        <Choice
          label={say('home')}
          value={fields['listing'] ?? ''}
          options={homes.map(({ listing_id, listing_name }) => [String(listing_id), listing_name])}
          onChoose={(value) => draft.change('listing', value)}
        />
        <Choice
          label={say('what')}
          value={deed}
          options={deeds.map((name) => [name, say(`deed_${name}`)])}
          onChoose={(value) => setDeed(deeds.find((name) => name === value) ?? 'BLOCK')}
        />
        <Input name="from" type="date" {...{ fields, draft }} />
        <Input name="to" type="date" min={fields['from']} {...{ fields, draft }} />
        {deed === 'BOOK' && <Guest {...{ fields, draft }} />}
        {deed === 'PRICE' && <Input name="price" {...{ fields, draft }} />}
        {outcome.text}
        {error !== undefined && <Refusal error={error} />}
        <div class="answers">
          <button type="button" onClick={close}>
            {say('back')}
          </button>
          <button type="submit" class="primary" disabled={isSending || !outcome.isReady}>
            {say(`deed_${deed}`)}{' '}
            {outcome.total === undefined ? '' : sayMoney(outcome.total, nights.currency)}
          </button>
        </div>
      </form>
    </Dialog>
  );
};

type InputProps = Pick<Parameters<typeof Input>[0], 'fields' | 'draft'>;

const Guest = (props: InputProps) => (
  <>
    <Input name="full_name" {...props} />
    <Input name="phone" type="tel" {...props} />
    <Input name="email" type="email" isOptional {...props} />
    <Input name="guests" type="number" min={1} {...props} />
  </>
);

const nightsOf = (fields: Fields, homes: readonly Home[]): Nights => {
  const home = homes.find(({ listing_id }) => String(listing_id) === fields['listing']);
  const [from = '', to = ''] = [fields['from'], fields['to']];
  return {
    listing_id: home?.listing_id ?? 0,
    currency: home?.currency ?? 'VND',
    from,
    to: to < from ? from : to,
  };
};

interface Given {
  fields: Fields;
  idempotencyKey: string;
  total: number | undefined;
}

/** Returns what undoes it; null: nothing does. */
const act = async (nights: Nights, deed: Deed, { fields, idempotencyKey, total }: Given) => {
  if (deed === 'BOOK') {
    await book(nights, { checkOut: checkOutOf(nights), total: total ?? 0 }, fields, idempotencyKey);
    return null;
  }
  const answer =
    deed === 'PRICE'
      ? await setPrice(nights, priceOf(fields, nights) ?? 0, { idempotencyKey })
      : await block(nights, deed, { idempotencyKey });
  return answer.undo_id;
};

const undo = async (undoId: number): Promise<void> => {
  try {
    await api().undoBulk({ undo_id: undoId });
    await refreshShown();
    notify({ text: say('done') });
  } catch (error) {
    notify({ text: sayError(error) });
  }
};

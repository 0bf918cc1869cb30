import { useState } from 'preact/hooks';
import type { Home } from '../chart/homes.ts';
import { type Fields, useDraft } from '../data/drafts.ts';
import { useSending } from '../data/sending.ts';
import { Dialog } from '../parts/dialog.tsx';
import { notify } from '../parts/notice.ts';
import { session } from '../session/session.ts';
import { say, sayMoney } from '../words/index.ts';
import { Choice } from '../parts/choice.tsx';
import { act, type Undo, undoNow } from './act.ts';
import { type Deed, deedsOf, type Nights } from './deeds.ts';
import { Input } from './input.tsx';
import { Limits } from './limits.tsx';
import { Refusal, useOutcome } from './outcome.tsx';

interface NightsDialogProps {
  homes: readonly Home[];
  /** Where it was opened: a home, its nights from the first to the last one, and what is usual for them. */
  start: { listing_id: number; date: string; to?: string; deed: Deed };
  onClose: () => void;
}

/** Books, blocks, opens, prices or restricts nights of a home; what comes of it is shown before. */
export const NightsDialog = ({ homes, start, onClose }: NightsDialogProps) => {
  const deeds = deedsOf('team' in session.value ? session.value.team.role : 'STAFF');
  const [deed, setDeed] = useState<Deed>(deeds.includes(start.deed) ? start.deed : 'BLOCK');
  const draft = useDraft('nights form');
  const { isSending, error, send } = useSending(draft);
  const fields: Fields = {
    ...{ listing: String(start.listing_id), from: start.date, to: start.to ?? start.date, guests: '2' },
    ...draft.typed,
  };
  const nights = nightsOf(fields, homes);
  const [sent, setSent] = useState('');
  const now = JSON.stringify([deed, fields]);
  const outcome = useOutcome(nights, deed, fields, (more) => {
    for (const [name, value] of Object.entries(more)) draft.change(name, value);
  });
  const close = (): void => {
    draft.discard();
    onClose();
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSent(now);
    const made: { undo?: Undo | undefined } = {};
    const { total = 0, isOverriding = false } = outcome;
    const isDone = await send({ deed, ...fields }, async (idempotencyKey) => {
      made.undo = await act(nights, deed, { fields, idempotencyKey, total, isOverriding });
    });
    if (!isDone) return;
    close();
    const { undo } = made;
    notify({ text: say('done'), ...(undo ? { undo: () => undoNow(undo) } : {}) });
  };
  return (
    <Dialog title={say('nightsTitle')} onClose={close}>
      <form onSubmit={(event) => void submit(event)}>
        <HomeChoice {...{ homes, fields, draft }} />
        <Choice
          label={say('what')}
          value={deed}
          options={deeds.map((name) => [name, say(`deed_${name}`)])}
          onChoose={(value) => setDeed(deeds.find((name) => name === value) ?? 'BLOCK')}
        />
        <Details {...{ deed, fields, draft }} />
        {outcome.text}
        {error !== undefined && sent === now && <Refusal error={error} isShown={outcome.isTaken} />}
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

const HomeChoice = ({ homes, fields, draft }: InputProps & { homes: readonly Home[] }) => (
  <Choice
    label={say('home')}
    value={fields['listing'] ?? ''}
    options={homes.map(({ listing_id, listing_name }) => [String(listing_id), listing_name])}
    onChoose={(value) => draft.change('listing', value)}
  />
);

/** Of which nights, and what else a deed needs to know. */
const Details = ({ deed, fields, draft }: InputProps & { deed: Deed }) => {
  const { from = '', to = '' } = fields;
  const props = { fields: { ...fields, to: lastOf(from, to) }, draft };
  return (
    <>
      <div class="pair">
        <Input name="from" type="date" {...props} />
        <Input name="to" type="date" min={from} {...props} />
      </div>
      {deed === 'BOOK' && <Guest {...props} />}
      {deed === 'PRICE' && <Input name="price" {...props} />}
      {deed === 'RULES' && <Limits {...props} />}
    </>
  );
};

/** The last night is never before the first one. */
const lastOf = (from: string, to: string): string => (to < from ? from : to);

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
    to: lastOf(from, to),
  };
};

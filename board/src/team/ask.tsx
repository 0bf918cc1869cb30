import { NightlatchError } from '@nightlatch/client';
import type { ComponentChildren } from 'preact';
import { type Draft, type Fields, useDraft } from '../data/drafts.ts';
import { useSending } from '../data/sending.ts';
import { Dialog } from '../parts/dialog.tsx';
import { say, sayError, type Sentence } from '../words/index.ts';

/** What an error code means here, where it is another thing than for bookings. */
export type Refusals = Readonly<Partial<Record<string, Sentence>>>;

interface AskProps {
  title: string;
  /** What comes of it. */
  text: string;
  yes: Sentence;
  isDanger?: boolean;
  /** Under which name it is sent once, and what is typed is kept. */
  about: string;
  byDefault?: Fields;
  refusals?: Refusals;
  fields?: (fields: Fields, draft: Draft) => ComponentChildren;
  send: (fields: Fields, idempotencyKey: string) => Promise<unknown>;
  onClose: (isDone: boolean) => void;
}

/** Asks before something is done to the team, and says what comes of it. */
export const Ask = (props: AskProps) => {
  const { title, text, yes, isDanger = false, about, byDefault, refusals, onClose } = props;
  const draft = useDraft(about);
  const { isSending, error, send } = useSending(draft);
  const fields = { ...byDefault, ...draft.typed };
  const close = (): void => {
    draft.discard();
    onClose(false);
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await send(fields, (key) => props.send(fields, key))) onClose(true);
  };
  return (
    <Dialog title={title} onClose={close}>
      <form onSubmit={(event) => void submit(event)}>
        <p>{text}</p>
        {props.fields?.(fields, draft)}
        <Problem {...{ error, refusals }} />
        <div class="answers">
          <button type="button" onClick={close}>
            {say('back')}
          </button>
          <button type="submit" class={isDanger ? 'danger' : 'primary'} disabled={isSending}>
            {say(yes)}
          </button>
        </div>
      </form>
    </Dialog>
  );
};

interface ProblemProps {
  error: unknown;
  refusals?: Refusals | undefined;
}

export const Problem = ({ error, refusals = {} }: ProblemProps) => {
  if (error === undefined) return null;
  const own = error instanceof NightlatchError ? refusals[error.code] : refusals['lost'];
  return <p role="alert">{own ? say(own) : sayError(error)}</p>;
};

import { type ChatMessage, NightlatchError, type ReadBooking } from '@nightlatch/client';
import { useEffect, useRef } from 'preact/hooks';
import { useDraft } from '../data/drafts.ts';
import { usePages } from '../data/pages.ts';
import { reread } from '../data/reading.ts';
import { useSending } from '../data/sending.ts';
import { More } from '../parts/more.tsx';
import { ReadingState } from '../parts/reading-state.tsx';
import { useSight } from '../parts/sight.ts';
import { api } from '../session/session.ts';
import { say, sayError, sayInstant } from '../words/index.ts';

interface MessagesProps {
  booking: ReadBooking;
  /** It is the whole page: it begins at its end, and follows it. */
  isWhole?: boolean;
}

/**
 * What guest and hosts have written to each other, and a form to write. The service takes for seen what it has answered, so messages are
 * read while they are in sight alone.
 */
export const Messages = ({ booking, isWhole = false }: MessagesProps) => {
  const thread = booking.chat_thread_id;
  const place = useRef<HTMLElement>(null);
  const list = usePages(`messages ${thread}`, {
    readPage: (cursor) => api().listMessages({ thread_id: thread, limit: 50, sort_order: 'desc', cursor }),
    idOf: ({ id }: ChatMessage) => id,
    isOut: !useSight(place),
  });
  const messages = list.reading.data?.items.toReversed();
  // The thread of a new booking is opened a moment after it.
  const { error } = list.reading;
  const isUnopened = !messages && error instanceof NightlatchError && error.status === 404;
  const end = useEnd(messages?.at(-1), isWhole);
  return (
    <section ref={place} class="messages" aria-labelledby={isWhole ? undefined : 'messages'}>
      <h2 id="messages">{say('messages')}</h2>
      <More label={say('earlierMessages')} more={list.more} />
      {!messages && !isUnopened && <ReadingState reading={list.reading} />}
      {(messages?.length === 0 || isUnopened) && <p class="quiet">{say('noMessages')}</p>}
      <ol class="chat" {...(isWhole ? { tabIndex: 0, 'aria-labelledby': 'messages' } : {})}>
        {messages?.map((message) => (
          <li key={message.id} class={message.sender_type === 'HOST' ? 'own' : ''}>
            <p>{message.text}</p>
            <small>
              {message.sender_name}, {sayInstant(message.created_at, booking.timezone)}
            </small>
          </li>
        ))}
        <li ref={end} class="end" aria-hidden="true" />
      </ol>
      <Answer {...{ thread }} />
    </section>
  );
};

/** Returns the place of the end, which stays in sight when something is written while it is; what was unread is not any more. */
const useEnd = (last: ChatMessage | undefined, isWhole: boolean) => {
  const end = useRef<HTMLLIElement>(null);
  const isAtEnd = useSight(end);
  const isOpened = useRef(false);
  useEffect(() => {
    if (!last) return;
    if (isWhole && (isAtEnd || !isOpened.current)) end.current?.scrollIntoView({ block: 'end' });
    isOpened.current = true;
    if (last.sender_type !== 'HOST' && last.sender_type !== 'SYSTEM') void reread('today');
  }, [last?.id]);
  return end;
};

const Answer = ({ thread }: { thread: number }) => {
  const draft = useDraft(`message ${thread}`);
  const { isSending, error, send } = useSending(draft);
  const text = draft.typed['text'] ?? '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send({ text }, (key) =>
          api().sendMessage({ thread_id: thread, text: text.trim() }, { idempotencyKey: key }),
        );
      }}
    >
      <label>
        {say('yourMessage')}
        <textarea
          name="text"
          rows={3}
          required
          maxLength={4000}
          value={text}
          onInput={({ currentTarget: { value } }) => draft.change('text', value)}
        />
      </label>
      {error !== undefined && <p role="alert">{sayError(error)}</p>}
      <button type="submit" class="primary" disabled={isSending || text.trim() === ''}>
        {say('send')}
      </button>
    </form>
  );
};

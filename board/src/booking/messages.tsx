import type { ReadBooking } from '@nightlatch/client';
import { useDraft } from '../data/drafts.ts';
import { useReading } from '../data/reading.ts';
import { useSending } from '../data/sending.ts';
import { api } from '../session/session.ts';
import { say, sayError, sayInstant } from '../words/index.ts';

/** What guest and hosts have written to each other, and a form to write. */
export const Messages = ({ booking }: { booking: ReadBooking }) => {
  const thread = booking.chat_thread_id;
  const messages = useReading(`messages ${thread}`, () =>
    api().listMessages({ thread_id: thread, limit: 50, sort_order: 'desc' }),
  );
  const draft = useDraft(`message ${thread}`);
  const { isSending, error, send } = useSending(draft);
  const text = draft.typed['text'] ?? '';
  return (
    <section aria-labelledby="messages">
      <h2 id="messages">{say('messages')}</h2>
      {messages.data?.items.length === 0 && <p class="quiet">{say('noMessages')}</p>}
      <ol class="chat">
        {messages.data?.items.toReversed().map((message) => (
          <li key={message.id} class={message.sender_type === 'HOST' ? 'own' : ''}>
            <p>{message.text}</p>
            <small>
              {message.sender_name}, {sayInstant(message.created_at, booking.timezone)}
            </small>
          </li>
        ))}
      </ol>
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
    </section>
  );
};

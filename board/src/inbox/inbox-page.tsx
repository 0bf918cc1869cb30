import { useState } from 'preact/hooks';
import { useHome } from '../chart/homes-at.ts';
import { usePages } from '../data/pages.ts';
import { useReading } from '../data/reading.ts';
import { More } from '../parts/more.tsx';
import { ReadingState } from '../parts/reading-state.tsx';
import { chatLink, route } from '../parts/route.ts';
import { api } from '../session/session.ts';
import { say, sayInstant } from '../words/index.ts';
import { type Conversation, inboxOf } from './inbox.ts';

/** The conversations of the team with its guests. */
export const InboxPage = () => {
  const [isAll, setAll] = useState(false);
  const today = useReading('today', () => api().readToday());
  const list = usePages('chats', {
    readPage: (cursor) => api().listThreads({ as: 'host', limit: 50, cursor }),
    idOf: ({ id }) => id,
  });
  const conversations = inboxOf(list.reading.data?.items ?? [], today.data?.unread ?? [], isAll);
  return (
    <section class="inbox" aria-labelledby="inbox">
      <h1 id="inbox">{say('inbox')}</h1>
      <ReadingState reading={list.reading} />
      <label class="check">
        <input
          type="checkbox"
          checked={isAll}
          onChange={({ currentTarget: { checked } }) => setAll(checked)}
        />
        {say('alsoUnwritten')}
      </label>
      {list.reading.data && conversations.length === 0 && <p class="quiet">{say('noConversations')}</p>}
      <ul>
        {conversations.map((conversation) => (
          <Entry key={conversation.thread.id} {...conversation} />
        ))}
      </ul>
      <More label={say('earlierConversations')} more={list.more} />
    </section>
  );
};

const Entry = ({
  thread: { booking_id, guest, last_message, listing_name, listing_id },
  isUnread,
}: Conversation) => {
  const home = useHome(listing_id);
  return (
    <li>
      <a
        class="card"
        href={chatLink(booking_id)}
        aria-current={route.value.chat === booking_id ? 'true' : undefined}
      >
        <span class="line">
          <strong>{guest.full_name}</strong>
          {isUnread && <span class="chip unread">{say('isUnread')}</span>}
        </span>
        <p class={last_message.sender_type === 'SYSTEM' ? 'quoted quiet' : 'quoted'}>
          {last_message.sender_type === 'HOST' ? say('byUs', { text: last_message.text }) : last_message.text}
        </p>
        <p class="quiet">
          {listing_name} · {sayInstant(last_message.created_at, home?.timezone)}
        </p>
      </a>
    </li>
  );
};

import { Messages } from '../booking/messages.tsx';
import { useReading } from '../data/reading.ts';
import { StateChip } from '../parts/chips.tsx';
import { usePane } from '../parts/pane.ts';
import { ReadingState } from '../parts/reading-state.tsx';
import { bookingLink, pageLink } from '../parts/route.ts';
import { api } from '../session/session.ts';
import { say, sayDate } from '../words/index.ts';

/** The conversation about a booking. */
export const ChatPane = ({ id }: { id: number }) => {
  const booking = useReading(`booking ${id}`, () => api().getBooking({ booking_id: id }));
  const title = usePane();
  const { data } = booking;
  return (
    <section class="booking chat-pane" aria-labelledby="conversation">
      <a class="back" href={pageLink('inbox')}>
        ‹ {say('back')}
      </a>
      <h1 id="conversation" tabIndex={-1} ref={title}>
        {data?.guest_info.full_name ?? say('messages')}
      </h1>
      <ReadingState reading={booking} />
      {data && (
        <>
          <p class="about">
            <StateChip booking={data} />{' '}
            <span>
              {data.listing_name}, {sayDate(data.check_in)} – {sayDate(data.check_out)}
            </span>{' '}
            <a class="inline" href={bookingLink(id)}>
              {say('openBooking')}
            </a>
          </p>
          <Messages booking={data} isWhole />
        </>
      )}
    </section>
  );
};

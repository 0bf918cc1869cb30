import type { Review, ReviewPage } from '@nightlatch/client';
import { Rating } from './rating.tsx';
import { usePages } from './reading.ts';
import { ReadingState } from './reading-state.tsx';
import { homes } from './service.ts';
import { say, sayDate } from './words/index.ts';

/** What guests have written of a home, and what its host has answered. */
export const Reviews = ({ id, rating, count }: { id: number; rating: number | null; count: number }) => {
  const { first, items, more } = usePages<Review, ReviewPage>(`reviews ${id}`, (cursor) =>
    homes().listStayReviews({ listing_id: id, limit: 5, ...(cursor === undefined ? {} : { cursor }) }),
  );
  return (
    <section>
      <h2>
        {say('reviews')} <Rating rating={rating} count={count} />
      </h2>
      <ReadingState reading={first} />
      {first.data && items.length === 0 && <p class="quiet">{say('noReviews')}</p>}
      <ul class="lines">
        {items.map((review) => (
          <li key={review.id}>
            <span class="line">
              <b>{review.guest_name ?? say('someGuest')}</b>
              <span>
                <span aria-hidden="true">{'★'.repeat(review.rating)}</span>
                <span class="unseen">{review.rating} / 5</span>{' '}
                <small>{sayDate(review.created_at.slice(0, 10))}</small>
              </span>
            </span>
            {review.comment !== null && <p class="written">{review.comment}</p>}
            {review.reply && (
              <p class="written reply">
                <small>{say('hostReply')}</small> {review.reply.text}
              </p>
            )}
          </li>
        ))}
      </ul>
      {more && (
        <button type="button" onClick={() => void more()}>
          {say('more')}
        </button>
      )}
    </section>
  );
};

import { say } from './words/index.ts';

/** Stars, and how many guests have given them. */
export const Rating = ({ rating, count }: { rating: number | null; count: number }) =>
  rating === null ? null : (
    <span>
      <span aria-hidden="true">{say('rated', { rating, count })}</span>
      <span class="unseen">{say('ratedFull', { rating, count })}</span>
    </span>
  );

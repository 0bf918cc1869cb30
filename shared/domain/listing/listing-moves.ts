import { ServiceError } from '../../platform/errors.ts';
import type { ListingState } from './listing.schema.ts';

/** The state moves of a listing (D18). */
export const listingMoves = {
  publish: { from: ['DRAFT', 'INACTIVE'], to: 'ACTIVE' },
  pause: { from: ['ACTIVE'], to: 'INACTIVE' },
  archive: { from: ['DRAFT', 'ACTIVE', 'INACTIVE'], to: 'ARCHIVED' },
} as const satisfies Record<string, { from: readonly ListingState[]; to: ListingState }>;

/** Whether a listing may go from one state to another; staying is no move and always allowed. */
export const mayMove = (from: ListingState, to: ListingState): boolean =>
  from === to ||
  Object.values(listingMoves).some(
    (move) => move.to === to && (move.from as readonly ListingState[]).includes(from),
  );

/** Throws INVALID_STATE_TRANSITION for a move that is not in the table. */
export const requireMove = (from: ListingState, to: ListingState): void => {
  if (mayMove(from, to)) return;
  throw new ServiceError('INVALID_STATE_TRANSITION', `A listing cannot move from ${from} to ${to}.`, {
    from,
    to,
  });
};

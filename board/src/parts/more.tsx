import { say, type Sentence } from '../words/index.ts';

interface MoreProps {
  label: Sentence;
  list: { hasMore: boolean; isLoading: boolean; more: () => void };
}

/** Reads the next page of a list. */
export const More = ({ label, list: { hasMore, isLoading, more } }: MoreProps) =>
  hasMore ? (
    <button type="button" class="more" disabled={isLoading} onClick={more}>
      {say(isLoading ? 'loading' : label)}
    </button>
  ) : null;

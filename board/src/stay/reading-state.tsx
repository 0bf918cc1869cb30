import { type Reading, refresh } from './reading.ts';
import { say, sayError } from './words/index.ts';

/** Says that something is still read, or could not be. */
export const ReadingState = ({ reading: { data, error, isRefusedHere } }: { reading: Reading<unknown> }) => {
  if (error === undefined)
    return data === undefined ? (
      <p class="quiet" role="status">
        {say('loading')}
      </p>
    ) : null;
  return (
    <div class="warning" role="alert">
      <p>{isRefusedHere ? say('badOrigin', { origin: location.origin }) : sayError(error)}</p>
      {!isRefusedHere && (
        <button type="button" onClick={() => void refresh()}>
          {say('again')}
        </button>
      )}
    </div>
  );
};

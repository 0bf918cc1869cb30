import type { Reading } from '../data/reading.ts';
import { refreshShown } from '../data/reading.ts';
import { session, signIn } from '../session/session.ts';
import { say, sayError, sayInstant } from '../words/index.ts';
import { NightlatchError } from '@nightlatch/client';

/** Says that something is still read, could not be read, or is not of now. */
export const ReadingState = ({ reading }: { reading: Reading<unknown> }) => {
  const { data, at, error } = reading;
  if (error === undefined) return data === undefined ? <p class="quiet">{say('loading')}</p> : null;
  const isRefused = error instanceof NightlatchError;
  return (
    <div class="warning" role="status">
      <p>
        {isRefused
          ? sayError(error)
          : data === undefined
            ? say('nothingKept')
            : say('offline', { time: sayInstant(at ?? 0) })}
      </p>
      <button
        type="button"
        onClick={() => void (session.value.state === 'OFFLINE' ? signIn() : refreshShown())}
      >
        {say('again')}
      </button>
    </div>
  );
};

import { say } from '../words/common/index.ts';

/** Says that the sign-in has ended; what is shown and typed stays. */
export const Ended = ({ signIn }: { signIn: () => Promise<void> }) => (
  <div class="warning page" role="alert">
    <p>{say('ended')}</p>
    <button type="button" onClick={() => void signIn()}>
      {say('signIn')}
    </button>
  </div>
);
